import type { Browser, Page } from '@playwright/test';

/**
 * The maximum size of a dashboard list with 50 rows: every byte of every answer, as sent, headers
 * included.
 */
export const mostOfLists = 80_000;

type Sizes = { bytes: number; files: string[]; page: Page };

/** Opens a page in a browser with an empty cache and the cookies of another browser. */
export async function weigh(browser: Browser, from: Page, address: string): Promise<Sizes> {
  const storageState = await from.context().storageState();
  const context = await browser.newContext({ storageState, ignoreHTTPSErrors: true });
  const page = await context.newPage();
  const seen: Promise<number>[] = [];
  const files: string[] = [];
  page.on('requestfinished', (request) => {
    files.push(new URL(request.url()).pathname);
    seen.push(
      request.sizes().then(({ responseBodySize, responseHeadersSize }) => {
        return responseBodySize + responseHeadersSize;
      }),
    );
  });
  await page.goto(new URL(address, from.url()).href, { waitUntil: 'networkidle' });
  const bytes = (await Promise.all(seen)).reduce((sum, each) => sum + each, 0);
  return { bytes, files, page };
}
