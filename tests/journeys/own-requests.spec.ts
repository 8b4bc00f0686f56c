import { readFileSync } from 'node:fs';
import { newLogFile } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { expect, signInAt, test } from '../support/journey.ts';
import { newUser } from '../support/seed.ts';
import { startServer } from '../support/server.ts';

// There is no proxy in front.
// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here
test.use({ extraHTTPHeaders: ({}, use) => use({}) });

for (const workers of ['1', '2'])
  test(`requests of Next.js to this server itself are not taken for a proxy’s: WORKERS=${workers}`, async ({
    page,
    server: gatehouse,
  }) => {
    const logFile = newLogFile('own-requests');
    const server = await startServer({
      mount: 'direct',
      databaseUrl: process.env.DATABASE_URL ?? gatehouse.origin,
      logFile,
      // Next.js has to know this server's address before it listens.
      env: { TRUSTED_PROXIES: '', WORKERS: workers, PORT: String(await freePort()) },
    });
    const admin = await newUser({ isAdmin: true });
    await page.goto(`${server.origin}/login`);
    await signInAt(page, admin.username);
    await expect(page).toHaveURL(`${server.origin}/account`);
    await page.goto(`${server.origin}/admin/groups/new`);
    const name = `Editors ${Date.now()} ${workers}`;
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByRole('button', { name: 'Add group' }).click();
    const message = page.getByRole('status').first();
    await expect(message).toContainText(`Group ${name} added.`);
    // If a page is loaded twice in a row, the reader sees the second one.
    for (let load = 0; load < 2; load += 1) {
      await page.reload({ waitUntil: 'commit' });
      await expect(message).toContainText(`Group ${name} added.`);
    }
    const names = async () => (await page.context().cookies()).map((cookie) => cookie.name);
    await expect.poll(names).not.toContain('gh_notice');
    // Each worker notices forwarded requests by itself.
    for (let visit = 0; visit < 4; visit += 1) {
      await page.goto(`${server.origin}/admin`);
      await expect(page.getByRole('main')).not.toContainText('X-Forwarded-For');
    }
    // The page prefetches others, which must not find a server that has stopped.
    await page.goto('about:blank');
    await server.stop();
    expect(readFileSync(logFile, 'utf8')).not.toContain('X-Forwarded-For');
  });
