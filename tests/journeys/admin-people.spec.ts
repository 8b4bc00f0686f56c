import type { Page } from '@playwright/test';
import { read, write } from '#lib/store/engine/database.ts';
import { expectAccessible } from '../support/axe.ts';
import { section } from '../support/dashboard.ts';
import { newUserWithApp } from '../support/factors.ts';
import {
  authorizeUrl,
  decide,
  expect,
  openSignedIn,
  redeem,
  signIn,
  signInAt,
  test,
  userOf,
} from '../support/journey.ts';
import { newClient, newUser, password } from '../support/seed.ts';

async function asAdmin(page: Page): Promise<string> {
  const { username } = await newUser({ isAdmin: true, name: 'Ada Lovelace' });
  await signIn(page, username);
  return username;
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('without mail, a pasted list becomes links in a file', async ({ page, browser }) => {
      await asAdmin(page);
      const word = `link${Date.now()}`;
      await page.goto('/admin/people/import');
      const typed = [1, 2].map((number) => `${word}-${number}@example.org`).join('\n');
      await page.getByRole('textbox', { name: 'Paste email addresses' }).fill(typed);
      await page.getByRole('button', { name: 'Continue' }).first().click();
      await page.getByLabel('Language').selectOption('Deutsch');
      await page.getByRole('button', { name: 'Invite 2 people' }).click();
      await expect(page.getByText('Finished.')).toBeVisible({ timeout: 30_000 });
      await page.reload();
      await page.getByRole('button', { name: 'Make 2 links' }).click();
      const shown = page.getByLabel('Links, as CSV');
      await expect(shown).toHaveValue(/^email,link,expires_at\n/);
      const csv = await shown.inputValue();
      if (javaScriptEnabled) {
        const saved = page.waitForEvent('download');
        await page.getByRole('button', { name: 'Download as CSV' }).click();
        const file = await (await saved).createReadStream();
        expect((await new Response(file as never).text()).trim()).toBe(csv.trim());
      }
      // They are shown once: not at the page's address.
      await page.goto(page.url());
      await expect(shown).toHaveCount(0);
      const link = new RegExp(`${word}-1@example.org,([^,]+),`).exec(csv)?.[1] ?? '';
      const other = await (await browser.newContext({ javaScriptEnabled })).newPage();
      await other.goto(new URL(link).pathname + new URL(link).search);
      await expect(other.locator('body')).toContainText(`${word}-1@example.org`);
      await other.context().close();
    });

    test('a person is added, found, changed, disabled, enabled and deleted', async ({
      page,
      browser,
    }) => {
      await asAdmin(page);
      const username = `grace${Date.now()}`;
      await page.goto('/admin/people');
      await page.getByRole('link', { name: 'Add a person' }).click();
      await page.getByLabel('Username').fill('with space');
      await page.getByLabel('Email address').fill(`${username}@example.org`);
      await page.getByRole('button', { name: 'Add person' }).click();
      await expect(page.getByLabel('Username')).toHaveAccessibleDescription(/Use up to 64 letters/);
      await expect(page.getByLabel('Email address')).toHaveValue(`${username}@example.org`);
      await page.getByLabel('Username').fill(username);
      await page.getByLabel('This address is verified').check();
      await page.getByRole('button', { name: 'Add person' }).click();
      const password = (await page.locator('dd').first().textContent()) ?? '';
      expect(password).toMatch(/^[a-z0-9]{5}(-[a-z0-9]{5}){3}$/);
      const events = await read(
        "SELECT request_id FROM audit_events WHERE type = 'user.created' AND detail LIKE $1",
        [`%"${username}"%`],
      );
      expect(events).toEqual([{ requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) }]);

      const other = await (await browser.newContext({ javaScriptEnabled })).newPage();
      await other.goto('/login');
      await signInAt(other, username, password);
      await expect(other).toHaveURL('/login/new-password');
      await other.getByLabel('New password').fill('words of her own');
      await other.getByRole('button', { name: 'Save and continue' }).click();
      await expect(other).toHaveURL('/account');

      await page.goto('/admin/people');
      await page.getByRole('searchbox', { name: 'Search people' }).fill(username.slice(0, -1));
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('link', { name: username }).click();
      await expect(page.getByLabel('This address is verified')).toBeChecked();
      await expect(section(page, 'Devices').getByRole('row')).toHaveCount(2);
      await expect(section(page, 'At a glance')).toContainText(/Last sign-in(?:now|\d+ \w+ ago)/);
      await expect(section(page, 'At a glance')).toContainText('1 device, 0 apps');
      await page.getByLabel('Full name').fill('Grace Hopper');
      await page.getByText('More details').click();
      await page.getByLabel('Date of birth').fill('soon');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByLabel('Date of birth')).toHaveAccessibleDescription(
        /Enter a date such as/,
      );
      await expect(page.getByLabel('Full name')).toHaveValue('Grace Hopper');
      await page.getByLabel('Date of birth').fill('1906-12-09');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByRole('status').first()).toContainText('Saved.');
      await expect(page.getByRole('heading', { level: 1 })).toContainText('Grace Hopper');

      await section(page, 'Access').getByText('Disable…').click();
      await section(page, 'Access').getByRole('button', { name: 'Yes, disable' }).click();
      await expect(page.getByRole('status').first()).toContainText('Account disabled.');
      await other.goto('/account');
      await expect(other).toHaveURL(/\/login/);
      await page.getByRole('button', { name: 'Enable account' }).click();
      await expect(page.getByRole('status').first()).toContainText('Account enabled.');

      await section(page, 'Access').getByText('Reset password…').click();
      await section(page, 'Access').getByRole('button', { name: 'Yes, reset it' }).click();
      await expect(page.getByText('Password reset')).toBeVisible();
      await page.reload();
      await section(page, 'Access').getByText('Delete…').click();
      await expect(section(page, 'Access')).toContainText(`This deletes ${username}`);
      await section(page, 'Access').getByRole('button', { name: 'Yes, delete' }).click();
      await expect(page).toHaveURL('/admin/people');
      await expect(page.getByRole('status').first()).toContainText(`${username} deleted.`);
      await other.context().close();
    });

    test('an admin removes the second factors of a person, who then signs in with the password alone', async ({
      page,
      browser,
    }) => {
      const user = await newUserWithApp();
      await asAdmin(page);
      await page.goto(`/admin/people/${user.id}`);
      const access = section(page, 'Access');
      const facts = section(page, 'At a glance');
      await expect(facts).toContainText('Authenticator app');
      await expect(facts).toContainText(/\d+ recovery codes left/);
      await expect(facts).toContainText(`${user.username}@`);
      await expect(access.getByRole('button', { name: 'Unlock account' })).toHaveCount(0);
      await access.getByText('Turn off two-step sign-in…').click();
      await expect(access).toContainText('This removes: authenticator app and recovery codes.');
      await access.getByRole('button', { name: 'Yes, turn it off' }).click();
      await expect(page.getByRole('status').first()).toContainText('Two-step sign-in is off.');
      await expect(access.getByText('Turn off two-step sign-in…')).toHaveCount(0);
      await expect(section(page, 'Recent activity')).toContainText(
        `turned off two-step sign-in for ${user.username}`,
      );

      const other = await (await browser.newContext({ javaScriptEnabled })).newPage();
      await other.goto('/login');
      await signInAt(other, user.username);
      await expect(other).toHaveURL('/account');
      await other.context().close();
    });

    test('an approval is found by person and revoked, and its token ends immediately', async ({
      page,
      browser,
      server,
      site,
    }) => {
      const client = await newClient({
        redirectUris: [`${site.https}/callback`],
        name: `Pottery ${Date.now()}`,
      });
      const user = await newUser();
      const other = await (
        await browser.newContext({ javaScriptEnabled, ignoreHTTPSErrors: true })
      ).newPage();
      await openSignedIn(other, server.origin + authorizeUrl(client.id), user.username);
      await decide(other, 'Allow');
      await other.waitForURL((url) => url.href.startsWith(site.https));
      const { access_token } = await redeem(
        server,
        client,
        new URL(other.url()).searchParams.get('code') ?? '',
      );
      expect(await userOf(server, access_token)).toBe(user.username);

      await asAdmin(page);
      await page.goto('/admin/approvals');
      await page.locator('summary', { hasText: 'Filter' }).click();
      await page.getByRole('searchbox', { name: 'Person' }).fill(user.username);
      await page.getByRole('button', { name: 'Apply' }).click();
      await expect(page.getByRole('row')).toHaveCount(2);
      await page.getByText('Revoke…', { exact: true }).click();
      await page.getByRole('button', { name: 'Yes, revoke', exact: true }).click();
      await expect(page.getByRole('status').first()).toContainText('One approval revoked');
      expect(await userOf(server, access_token)).toBe(401);
      await expect(page.getByText('No approvals match')).toBeVisible();

      await page.goto(`/admin/audit?person=${user.username}`);
      await expect(page.getByRole('table')).toContainText(`from the account of ${user.username}`);
      await other.context().close();
    });
  });
}

test('the product name, colour and links of the operator are on every page; a bad colour is refused at its field', async ({
  page,
  server,
}) => {
  await asAdmin(page);
  await page.goto('/admin/settings/look');
  await page.getByLabel('Product name').fill('Acme Identity');
  await page.getByLabel('Accent color').fill('purple');
  await page.getByLabel('Where people get help').fill('mailto:help@example.org');
  await page.getByLabel('Footer links').fill('Imprint https://example.org/imprint');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByLabel('Accent color')).toHaveAccessibleDescription(/Enter a color in hex/);
  await expect(page.getByLabel('Product name')).toHaveValue('Acme Identity');
  await page.getByLabel('Accent color').fill('#7a1fa2');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('status').first()).toContainText('Every page and email uses it');
  for (const address of ['/login', '/account', '/oauth/authorize?client_id=nobody']) {
    await page.goto(address);
    await expect(page).toHaveTitle(/ · Acme Identity$/);
    await expect(page.getByRole('link', { name: 'Imprint' })).toHaveAttribute(
      'href',
      'https://example.org/imprint',
    );
    const accent = await page.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue('--accent'),
    );
    expect(accent, address).toBe('#7a1fa2');
  }
  expect((await fetch(`${server.origin}/branding/colours/zzzzzz`)).status).toBe(404);
  await page.goto('/admin/settings/look');
  for (const label of ['Product name', 'Accent color', 'Where people get help', 'Footer links'])
    await page.getByLabel(label).fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  // The message of the first change may still be there, so wait for the title to know that this one
  // is done.
  await expect(page).toHaveTitle(/ · Gatehouse$/);
  await page.goto('/login');
  await expect(page).toHaveTitle(/ · Gatehouse$/);
});

test('the role form of the only admin shows the present role, and what a chosen one may not do', async ({
  page,
}) => {
  const username = await asAdmin(page);
  await page.goto(`/admin/people?role=admin&q=${username}`);
  await page.getByRole('link', { name: 'Ada Lovelace' }).click();
  const role = section(page, 'Access').getByRole('form', { name: 'Role' });
  await expect(role.getByLabel('Admin', { exact: true })).toBeChecked();
  await role.getByLabel('Support', { exact: true }).check();
  await expect(role).toContainText('Can’t change anyone who has a role');
});

test('an export asks for the password again after a while, and then downloads', async ({
  page,
}) => {
  const username = await asAdmin(page);
  await page.goto('/admin/audit?type=sign-in');
  const old = new Date(Date.now() - 3_600_000);
  const whose = '(SELECT id FROM users WHERE username = $1)';
  await write(`UPDATE sessions SET auth_time = $2 WHERE user_id = ${whose}`, [username, old]);
  await page.getByRole('link', { name: 'Export as CSV' }).click();
  await expectAccessible(page);
  await page.getByLabel('Your password').fill(password);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Confirm and continue' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^audit-.*\.csv$/);
  await expect(page.getByText('Your download has begun.')).toBeVisible();
  await page.getByRole('link', { name: 'Back to the list' }).click();
  await expect(page).toHaveURL(/\/admin\/audit\?type=sign-in$/);
});

test('the filtered audit log is exported for admins only', async ({ page, browser, server }) => {
  await asAdmin(page);
  await newUser({ name: '=1+1' });
  const csv = await page.request.get('/admin/audit/export?format=csv');
  expect(csv.headers()['content-type']).toBe('text/csv; charset=utf-8');
  expect(csv.headers()['content-disposition']).toMatch(/^attachment; filename="audit-/);
  expect((await csv.text()).split('\r\n')[0]).toBe(
    'time,type,actor,user,client,client_id,address,request_id,detail',
  );
  const json = (await (
    await page.request.get('/admin/audit/export?format=json&type=sign-in')
  ).json()) as { type: string }[];
  expect(json.length).toBeGreaterThan(0);
  expect(new Set(json.map(({ type }) => type.split('.')[0]))).toEqual(new Set(['sign-in']));
  expect(
    await (await page.request.get('/admin/audit/export?format=json&person=nobody-at-all')).json(),
  ).toEqual([]);
  const foreign = { 'Sec-Fetch-Site': 'cross-site' };
  expect((await page.request.get('/admin/audit/export', { headers: foreign })).status()).toBe(403);
  expect((await page.request.fetch('/admin/audit/export', { method: 'HEAD' })).status()).toBe(405);
  const outsider = await browser.newContext();
  const answer = await outsider.request.get(`${server.origin}/admin/audit/export`, {
    maxRedirects: 0,
  });
  expect(answer.status()).toBe(303);
  const member = await outsider.newPage();
  await member.goto(`${server.origin}/login`);
  await signInAt(member, (await newUser()).username);
  await member.waitForURL('**/account');
  expect((await outsider.request.get(`${server.origin}/admin/audit/export`)).status()).toBe(404);
  await outsider.close();
});
