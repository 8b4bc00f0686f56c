import type { Page } from '@playwright/test';
import { addApiClients } from '#lib/management/api/api-clients.ts';
import { createApi, listApis, showApi, updateApi } from '#lib/management/api/apis.ts';
import { ageSignIn, mark, section, test } from '../support/dashboard.ts';
import { expect, refusal, signIn } from '../support/journey.ts';
import { newClient, newUser, password } from '../support/seed.ts';

const cli = { id: 'cli' };
const now = () => new Date();
const told = (page: Page, text: string) =>
  expect(page.getByRole('status').filter({ hasText: text })).toBeVisible();
const label = (page: Page, name: string) => page.getByRole('textbox', { name });
const newApi = (word = mark()) =>
  createApi(
    {
      identifier: `https://${word}.example/mcp`,
      name: `Files ${word}`,
      scopes: [{ name: `read-${word}`, description: 'Read your files' }],
    },
    cli,
    now(),
  );

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('an API is added, found, changed and deleted; errors are at the fields, which keep what was typed', async ({
      page,
      admin,
    }) => {
      const word = mark();
      const [name, identifier] = [`Files ${word}`, `https://${word}.example/mcp`];
      await page.goto('/admin');
      const nav = page.getByRole('navigation', { name: 'Dashboard sections' });
      await nav.getByRole('link', { name: 'APIs', exact: true }).click();
      await page.getByRole('link', { name: 'Add an API' }).first().click();
      await page.getByLabel('Identifier').fill('https://ada@files.example');
      await page.getByLabel('Name', { exact: true }).fill(name);
      const lines = `read-${word} = Read your files\nwrite-${word} = Change your files`;
      await label(page, 'Scopes').fill(`${lines}\nemail = Read your mail`);
      await page.getByRole('radio', { name: 'JWT (RFC 9068)' }).check();
      await page.getByLabel('Lifetime of its tokens').fill('a fortnight');
      await page.getByRole('radio', { name: 'Any app', exact: true }).check();
      await page.getByRole('button', { name: 'Add API' }).click();
      await expect(page.getByLabel('Identifier')).toHaveAccessibleDescription(
        /absolute URI.*Received: "https:\/\/ada@files\.example"/,
      );
      await expect(label(page, 'Scopes')).toHaveAccessibleDescription(/This server itself has a/);
      await expect(page.getByLabel('Lifetime of its tokens')).toHaveAccessibleDescription(/Enter/);
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue(name);
      await expect(page.getByRole('radio', { name: 'JWT (RFC 9068)' })).toBeChecked();
      await page.getByLabel('Identifier').fill(identifier);
      await label(page, 'Scopes').fill(lines);
      await page.getByLabel('Lifetime of its tokens').fill('5 minutes');
      await page.getByRole('button', { name: 'Add API' }).click();
      await told(page, `API ${name} added.`);
      const { id, ...made } = await showApi(identifier);
      expect(made).toMatchObject({ tokenFormat: 'jwt', accessTokenTtl: 300, access: 'anyone' });
      await expect(page).toHaveURL(`/admin/apis/${id}`);
      await expect(page.getByText('works until it expires, at most 5 minutes')).toBeVisible();
      const developer = section(page, 'For its developer');
      await expect(developer).toContainText(`"resource": "${identifier}"`);
      await expect(developer).toContainText(
        `https://${word}.example/.well-known/oauth-protected-resource/mcp`,
      );
      await expect(developer).toContainText(`, scope="read-${word} write-${word}"`);
      await developer.getByText('In Python').click();
      await expect(developer).toContainText("pip install 'PyJWT[crypto]'");

      await page.goto(`/admin/apis?q=${word}`);
      const row = page.getByRole('row').filter({ hasText: name });
      await expect(row).toContainText('5 minutes');
      await expect(page.getByText('1 API', { exact: true })).toBeVisible();
      await page.goto(`/admin/search?q=${word}`);
      await section(page, 'APIs').getByRole('link', { name }).click();

      // Two changes at the same time: the second is told, and can be saved once more.
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
      await updateApi(id, { description: 'Of all kinds' }, { actor: cli, now: now() });
      await page.getByText('In other languages').click();
      await label(page, 'Deutsch').fill(`read-${word} = Ihre Dateien lesen`);
      await page.getByRole('radio', { name: 'Opaque' }).check();
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(refusal(page)).toContainText('The command line saved a change');
      await page.getByRole('button', { name: 'Save' }).click();
      await told(page, 'Saved.');
      const changed = await showApi(id);
      expect(changed).toMatchObject({ tokenFormat: 'opaque', accessTokenTtl: 300 });
      expect(changed.scopes[0]?.translations).toEqual({ de: 'Ihre Dateien lesen' });
      await expect(section(page, 'For its developer')).toContainText('API_CLIENT_SECRET');

      const removal = section(page, 'Delete this API');
      await removal.getByText('Delete…').click();
      await expect(removal).toContainText(
        `This permanently deletes ${name}. No one has allowed an app to use it`,
      );
      await removal.getByRole('button', { name: 'Yes, delete it' }).click();
      await expect(page).toHaveURL('/admin/apis');
      await told(page, `API ${name} deleted.`);
      expect(await listApis(word)).toEqual([]);
      await page.goto(`/admin/audit?actor=${admin.username}&type=api`);
      await expect(page.getByRole('table')).toContainText(`added the API ${name}`);
    });

    test('apps are added to an API by name or client ID, as its clients and as its resource servers', async ({
      page,
      admin: _,
    }) => {
      const word = mark();
      const api = await newApi(word);
      const [first, second] = [`Pottery ${word}`, `Potteries ${word}`];
      const one = await newClient({ name: first });
      const two = await newClient({ name: second });
      await page.goto(`/admin/apis/${api.id}`);
      const [askers, servers] = [
        section(page, 'Apps that can ask for it'),
        section(page, 'The API itself'),
      ];
      await expect(askers).toContainText('Every app that admins added');
      await askers.getByRole('textbox').fill(one.id);
      await askers.getByRole('button', { name: 'Add', exact: true }).click();
      await told(page, 'Added.');
      await expect(askers.getByRole('link', { name: first })).toBeVisible();
      await servers.getByRole('textbox').fill(word);
      await servers.getByRole('button', { name: 'Add', exact: true }).click();
      await expect(servers.getByText(`Which app do you mean by “${word}”?`)).toBeVisible();
      await servers.getByRole('button', { name: `Add ${second}` }).click();
      await told(page, 'Added.');
      expect(await showApi(api.id)).toMatchObject({ askedBy: [one.id], servedBy: [two.id] });
      await servers.getByRole('textbox').fill(`nothing ${word}`);
      await servers.getByRole('button', { name: 'Add', exact: true }).click();
      await expect(servers.getByText(`No app has “nothing ${word}”`)).toBeVisible();
      await page.goto(`/admin/clients/${two.id}/access`);
      const ofApp = section(page, 'APIs');
      await expect(ofApp).toContainText('Is this API');
      await ofApp.getByRole('link', { name: api.name }).click();
      await askers.getByRole('button', { name: `Remove ${first}` }).click();
      await told(page, 'Removed.');
      expect(await showApi(api.id)).toMatchObject({ askedBy: [] });
    });

    test('allowing any app to request an API needs a fresh sign-in; changing its description does not', async ({
      page,
      admin,
    }) => {
      const api = await newApi();
      await ageSignIn(admin, 16);
      await page.goto(`/admin/apis/${api.id}`);
      await label(page, 'Description').fill('What you keep');
      await page.getByRole('button', { name: 'Save' }).click();
      await told(page, 'Saved.');
      await page.getByRole('radio', { name: 'Any app', exact: true }).check();
      await page.getByRole('button', { name: 'Save' }).click();
      const field = page.getByLabel('Password');
      await expect(field).toBeVisible();
      expect((await showApi(api.id)).access).toBe('admins');
      await field.fill(password);
      await page.getByRole('button', { name: 'Save' }).click();
      const stored = async () => {
        const { access, description } = await showApi(api.id);
        return [access, description];
      };
      await expect.poll(stored).toEqual(['anyone', 'What you keep']);
    });

    test('removing a scope of an API needs a fresh sign-in', async ({ page, admin }) => {
      const api = await newApi();
      const stored = async () => (await showApi(api.id)).scopes.length;
      await ageSignIn(admin, 16);
      await page.goto(`/admin/apis/${api.id}`);
      await label(page, 'Scopes').fill('');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByLabel('Password')).toBeVisible();
      expect(await stored()).toBe(1);
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Save' }).click();
      await expect.poll(stored).toBe(0);
    });
  });
}

test('an auditor sees an API without its forms', async ({ page }) => {
  const api = await newApi();
  const { id } = await newClient();
  await addApiClients(api.id, 'serves', [id], { actor: cli, now: now() });
  await updateApi(api.id, { tokenFormat: 'jwt' }, { actor: cli, now: now() });
  const auditor = await newUser({ role: 'auditor' });
  await signIn(page, auditor.username);
  await page.goto(`/admin/apis/${api.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(api.name);
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0);
  await expect(
    page.getByRole('main').getByRole('button', { name: 'Add', exact: true }),
  ).toHaveCount(0);
});
