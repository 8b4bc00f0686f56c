import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDirectories } from '#lib/identity/directory/configured.ts';
import { syncDirectory } from '#lib/identity/directory/sync.ts';
import { findDirectoryLink } from '#lib/store/directories.ts';
import { findUserByLogin } from '#lib/store/users.ts';
import { expectAccessible } from '../support/axe.ts';
import { createDatabase, newLogFile } from '../support/database.ts';
import { haveDebianPackages } from '../support/debian-packages.ts';
import { freePort } from '../support/free-port.ts';
import {
  expect,
  test as journey,
  newAddress,
  refusal,
  signIn,
  signInAt,
} from '../support/journey.ts';
import { newUser } from '../support/seed.ts';
import { type Server, startServer } from '../support/server.ts';
import { sharedEnv } from '../support/shared-env.ts';
import {
  directoriesYaml,
  ldapPassword,
  people,
  personLdif,
  type Slapd,
  startSlapd,
} from '../support/slapd.ts';

const have = await haveDebianPackages('slapd', 'ldap-utils', 'openssl');

type Fixtures = { slapd: Slapd; file: string; away: Server };

/** A server with a directory, and one on the same database whose directory is unavailable. */
const test = journey.extend<object, Fixtures>({
  slapd: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here
    async ({}, use) => {
      const slapd = await startSlapd();
      await use(slapd);
      await slapd.stop();
    },
    { scope: 'worker' },
  ],
  file: [
    async ({ slapd }, use) => {
      const file = join(slapd.folder, 'directories.yaml');
      writeFileSync(file, directoriesYaml(slapd, [slapd.tls, slapd.plain]));
      await use(file);
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ file }, use) => {
      const databaseUrl = await createDatabase('sqlite');
      const env = { DIRECTORIES_FILE: file };
      const server = await startServer({
        mount: 'direct',
        databaseUrl,
        logFile: newLogFile('directories'),
        env,
      });
      Object.assign(process.env, sharedEnv, {
        DATABASE_URL: databaseUrl,
        ISSUER: server.origin,
        LOG_LEVEL: 'silent',
        ...env,
      });
      await newUser({ isAdmin: true });
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
  away: [
    async ({ slapd, server: _ }, use) => {
      const file = join(slapd.folder, 'away.yaml');
      const nowhere = `ldaps://localhost:${await freePort()}`;
      writeFileSync(file, directoriesYaml(slapd, [nowhere], '    timeout: 2 seconds\n'));
      const server = await startServer({
        mount: 'direct',
        databaseUrl: process.env.DATABASE_URL ?? '',
        logFile: newLogFile('directories-away'),
        env: { DIRECTORIES_FILE: file },
      });
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
});
test.skip(!have, 'slapd is not available');

let serial = 0;
const arrive = async (slapd: Slapd) => {
  serial += 1;
  const name = `in-${Date.now()}-${serial}`;
  await slapd.modify(personLdif(name));
  return name;
};

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('a user of a directory signs in, and reads where the password is kept', async ({
      page,
      slapd,
    }) => {
      const name = await arrive(slapd);
      await page.goto('/login');
      await signInAt(page, name, 'not this one');
      await expect(refusal(page)).toContainText('Incorrect username or password.');
      await signInAt(page, name, ldapPassword);
      await page.waitForURL('**/account');
      await page.goto('/account/sign-in');
      await expect(
        page.getByText('Your password is kept in the directory of your organization.'),
      ).toBeVisible();
      await expect(page.getByLabel('New password')).toHaveCount(0);
    });

    test('a user who signs in while the directory is unreachable reads that this may be the reason', async ({
      page,
      slapd,
      away,
    }) => {
      const name = await arrive(slapd);
      await page.goto(`${away.origin}/login`);
      await signInAt(page, name, ldapPassword);
      await expect(refusal(page)).toContainText('can’t be reached right now');
      await expect(page.getByLabel('Username or email')).toHaveValue(name);
      if (javaScriptEnabled) await expectAccessible(page);
    });

    test('an admin sees the servers of a directory, syncs, and lets a sync disable many people', async ({
      page,
      slapd,
      file,
      browser,
    }) => {
      const names: string[] = [];
      for (let index = 0; index < 5; index += 1) names.push(await arrive(slapd));
      for (const name of names) {
        const context = await browser.newContext({
          extraHTTPHeaders: { 'X-Forwarded-For': newAddress() },
          baseURL: process.env.ISSUER,
        });
        const theirs = await context.newPage();
        await signIn(theirs, name, ldapPassword);
        await context.close();
      }
      const { username } = await newUser({ isAdmin: true });
      await signIn(page, username);
      await page.goto('/admin/people');
      await page.getByRole('link', { name: 'Directories' }).first().click();
      const card = page.getByRole('region', { name: 'Example AG' });
      await expect(card.getByText('Answers')).toHaveCount(2);
      await card.getByRole('button', { name: 'Sync now' }).click();
      await expect(page.getByRole('status').first()).toContainText('The directory was synced.');
      if (javaScriptEnabled) await expectAccessible(page);

      await slapd.modify(
        names.map((name) => `dn: uid=${name},${people}\nchangetype: delete\n`).join('\n'),
      );
      await card.getByRole('button', { name: 'Sync now' }).click();
      await expect(page.getByRole('status').first()).toContainText('The sync stopped');
      await expect(card.getByText('Would be disabled', { exact: true })).toBeVisible();
      await expect(card.getByText(names[0] ?? '')).toBeVisible();
      const [first] = await Promise.all(names.map((name) => findUserByLogin(name)));
      expect(first?.disabled).toBe(false);
      await card.getByText(/Sync, and disable \d+ people…/).click();
      await card.getByRole('button', { name: 'Yes, disable them' }).click();
      await expect(page.getByRole('status').first()).toContainText('The directory was synced.');
      for (const name of names) expect((await findUserByLogin(name))?.disabled).toBe(true);
      await card.getByRole('link', { name: /from it/ }).click();
      await expect(page.getByRole('row').filter({ hasText: names[0] ?? '' })).toBeVisible();
      await expect(page.getByRole('row').filter({ hasText: username })).toHaveCount(0);
      const [directory] = readDirectories(directoriesYaml(slapd, [slapd.tls]), '/');
      if (!directory || !file) throw new Error('There is none.');
      expect((await syncDirectory(directory, new Date(), { plan: true })).disabled).toEqual([]);
    });

    test('the page of a person shows the directory, and an admin links and unlinks them', async ({
      page,
      slapd,
    }) => {
      const name = await arrive(slapd);
      const admin = await newUser({ isAdmin: true });
      const user = await newUser();
      await signIn(page, admin.username);
      await page.goto(`/admin/people/${user.id}`);
      const card = page.getByRole('region', { name: 'Directory' });
      await card.getByLabel('What they type to sign in there').fill('nobody-there');
      await card.getByText('Link…').click();
      await card.getByRole('button', { name: 'Yes, link' }).click();
      await expect(card.getByText(/has no entry for nobody-there/)).toBeVisible();
      await card.getByLabel('What they type to sign in there').fill(name);
      if (!(await card.getByRole('button', { name: 'Yes, link' }).isVisible()))
        await card.getByText('Link…').click();
      await card.getByRole('button', { name: 'Yes, link' }).click();
      await expect(page.getByRole('status').first()).toContainText(`Linked to uid=${name}`);
      await expect(card.getByText(`uid=${name},${people}`)).toBeVisible();
      await expect(page.getByRole('link', { name: 'In the directory Example AG' })).toBeVisible();
      await expect(page.getByText('Set a temporary password')).toHaveCount(0);
      expect(await findDirectoryLink(user.id)).toMatchObject({ directory: 'staff' });
      if (javaScriptEnabled) await expectAccessible(page);
      await card.getByText('Unlink…').click();
      await card.getByRole('button', { name: 'Yes, unlink' }).click();
      await expect(page.getByRole('status').first()).toContainText('Unlinked.');
      expect(await findDirectoryLink(user.id)).toBeNull();
    });
  });
}

test('an unreachable directory server is named with the reason, and the sync fails', async ({
  page,
  away,
}) => {
  const { username } = await newUser({ isAdmin: true });
  await page.goto(`${away.origin}/login?back=%2Fadmin%2Fdirectories`);
  await signInAt(page, username);
  await expect(page.getByText('No server of this directory answers')).toBeVisible();
  await expect(page.getByText('ECONNREFUSED')).toBeVisible();
  await page.getByRole('button', { name: 'Sync now' }).click();
  await expect(page.getByRole('status').first()).toContainText('The sync failed');
});
