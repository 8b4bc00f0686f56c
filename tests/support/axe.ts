import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';
import { looksOf } from '../lanes.ts';

/** Rules that are left out, and what of the page is. */
type Rules = { without?: string[]; outside?: string };

/** What axe has against the page as it is, one line for each element. */
export async function axeFindings(
  page: Page,
  { without = [], outside }: Rules = {},
): Promise<string[]> {
  // A click waits for the next page to begin, not for its styles.
  await page.waitForLoadState();
  // Half a megabyte, once for each page that is loaded; no page of ours has a frame.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const context = outside ? { exclude: [outside] } : {};
  const options: axe.RunOptions = {
    resultTypes: ['violations'],
    rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
  };
  return page.evaluate(lookFor, { context, options });
}

/** In the browser: a line is all that comes back of what axe says of an element. */
async function lookFor({
  context,
  options,
}: {
  context: { exclude?: string[] };
  options: axe.RunOptions;
}): Promise<string[]> {
  const { violations } = await window.axe.run({ include: [document], ...context }, options);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${id} at ${html.slice(0, 200)}`),
  );
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}

const timesLooked = new WeakMap<Page, number>();

/**
 * Axe finds nothing on the page as it is, in light and in dark.
 * @param turn where one look is enough: an even one is light
 */
export async function expectAccessible(page: Page, turn?: number): Promise<void> {
  const times = timesLooked.get(page) ?? 0;
  timesLooked.set(page, times + 1);
  for (const colorScheme of looksOf(turn ?? times, ['light', 'dark'] as const)) {
    await page.emulateMedia({ colorScheme });
    const found = await axeFindings(page);
    expect(found, `${page.url()} ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null });
}
