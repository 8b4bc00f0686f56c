import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { axeFindings } from '../support/axe.ts';
import { createDatabase, newLogFile } from '../support/database.ts';
import { type Server, startServer } from '../support/server.ts';

const issuer = 'https://id.example.org';
const logFile = newLogFile('wrong-address');
let server: Server;

test.beforeAll(async () => {
  const databaseUrl = await createDatabase('sqlite');
  server = await startServer({ mount: 'direct', databaseUrl, logFile, env: { ISSUER: issuer } });
});
test.afterAll(() => server.stop());

/**
 * The set-up link with the server's own origin, as typed by a person whose proxy is not running
 * yet.
 */
async function linkBesideTheProxy(): Promise<string> {
  const printed = () => /https:\S+(\/setup\?token=\S+)\n/.exec(readFileSync(logFile, 'utf8'))?.[1];
  await expect.poll(printed).toBeTruthy();
  return `${server.origin}${printed()}`;
}

const title = 'This page was opened at the wrong address';

test('a page opened at another address than ISSUER says so, and links to the right one', async ({
  page,
}) => {
  const link = await linkBesideTheProxy();
  await page.goto(link);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  await expect(page.getByRole('main')).toContainText(
    `You’re at ${server.origin}, but this server’s address is ${issuer}.`,
  );
  await expect(page.getByRole('main')).toContainText(`ISSUER=${server.origin}`);
  await expect(page.getByRole('link', { name: `Open ${issuer}` })).toHaveAttribute(
    'href',
    link.replace(server.origin, issuer),
  );
  expect(await axeFindings(page)).toEqual([]);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the set-up form at the wrong address says so, and changes nothing', async ({ page }) => {
    await page.goto(await linkBesideTheProxy());
    await page.getByLabel('Username').fill('ada');
    await page.getByLabel('Email address').fill('ada@example.org');
    await page.getByLabel('Password', { exact: true }).fill('some long words');
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    await expect(page.getByRole('main')).toContainText('Nothing was changed.');
  });
});
