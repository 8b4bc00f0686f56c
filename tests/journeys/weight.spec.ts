import type { Browser, Page } from '@playwright/test';
import { authorizeUrl, expect, openSignedIn, test } from '../support/journey.ts';
import { newClient, newUser } from '../support/seed.ts';
import { mostOfLists, weigh } from '../support/weight.ts';

/** The maximum size of a page: every byte of every answer, as sent, headers included. */
const most = 60_000;
/** The one script that a page may load. */
type Script = '/enhance.js' | '/crop.js' | null;

async function checkWeight(
  browser: Browser,
  from: Page,
  address: string,
  script: Script,
  limit = most,
) {
  const { bytes, files, page } = await weigh(browser, from, address);
  test.info().annotations.push({ type: 'bytes', description: `${address.slice(0, 40)} ${bytes}` });
  expect.soft(bytes, `${address}: ${files}`).toBeLessThan(limit);
  expect.soft(bytes, address).toBeGreaterThan(5000);
  const scripts = files.filter((file) => file.endsWith('.js'));
  expect.soft(scripts, address).toEqual(script === null ? [] : [script]);
  await page.context().close();
}

test('sign-in with the passkey script, and public pages, weigh less than 60 kB', async ({
  page,
  browser,
}) => {
  // Before that, /login says that no one can sign in yet.
  await newUser({ isAdmin: true });
  const client = await newClient({ redirectUris: ['https://app.example/cb'] });
  await page.goto('/');
  for (const address of ['/login', authorizeUrl(client.id), '/setup', '/recover', '/register'])
    await checkWeight(
      browser,
      page,
      address,
      /recover|register|setup/.test(address) ? null : '/enhance.js',
    );
  for (const address of ['/', '/nothing/here', '/docs/errors/invalid_request'])
    await checkWeight(browser, page, address, null);
  for (const address of ['/docs', '/docs/mcp'])
    await checkWeight(browser, page, address, '/enhance.js');
  // All commands are on one page, so that a browser can search them.
  await checkWeight(browser, page, '/docs/command-line', '/enhance.js', mostOfLists);
});

test('consent and account weigh less than 60 kB, and load only the scripts they need', async ({
  page,
  browser,
}) => {
  const client = await newClient({ redirectUris: ['https://app.example/cb'] });
  await openSignedIn(page, authorizeUrl(client.id), (await newUser()).username);
  await checkWeight(browser, page, page.url(), null);
  for (const address of ['/account', '/account/apps', '/account/sessions', '/account/mail'])
    await checkWeight(browser, page, address, null);
  await checkWeight(browser, page, '/account/profile', '/crop.js');
  for (const address of ['/account/sign-in', '/account/security'])
    await checkWeight(browser, page, address, '/enhance.js');
});
