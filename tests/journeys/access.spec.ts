import { allow, findNamed, showAccess } from '#lib/management/client/access.ts';
import { showClient } from '#lib/management/client/clients.ts';
import { expectAccessible } from '../support/axe.ts';
import { test } from '../support/dashboard.ts';
import { newGroup } from '../support/groups.ts';
import {
  answerAt,
  authorizeUrl,
  expect,
  test as journey,
  openSignedIn,
  refusal,
  signIn,
  signInAt,
} from '../support/journey.ts';
import { newClient, newUser } from '../support/seed.ts';

const cli = { id: 'cli' };

for (const javaScriptEnabled of [true, false]) {
  journey.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    journey.use({ javaScriptEnabled });

    journey(
      'a user who may not use an app is told so, and returns to it or changes the account',
      async ({ page, site, server }) => {
        const ann = await newUser({ name: 'Ann' });
        const bob = await newUser({ name: 'Bob' });
        const client = await newClient({
          name: 'Payroll',
          access: 'listed',
          redirectUris: [`${site.https}/callback`],
        });
        await allow(client.id, await findNamed({ people: [bob.username] }), cli, new Date());
        await openSignedIn(page, authorizeUrl(client.id, { state: 'a b' }), ann.username);
        await expect(page.getByRole('heading', { level: 1 })).toHaveText('You can’t use Payroll');
        const main = page.getByRole('main');
        await expect(main).toContainText(ann.email);
        await expect(main).toContainText('ask the administrator of this server to let you in');
        await page.getByRole('link', { name: 'Go back to Payroll' }).click();
        expect(await answerAt(page, site.https)).toMatchObject({
          error: 'access_denied',
          state: 'a b',
          iss: server.origin,
        });

        await page.goto(authorizeUrl(client.id, { state: 's' }));
        await page.getByRole('button', { name: 'Use another account' }).click();
        await signInAt(page, bob.username);
        await expect(page.getByRole('heading', { level: 1 })).toContainText('Allow Payroll');
      },
    );

    journey('a user who is allowed in the meantime continues', async ({ page, site }) => {
      const ann = await newUser();
      const client = await newClient({
        access: 'listed',
        firstParty: true,
        redirectUris: [`${site.https}/callback`],
      });
      await openSignedIn(page, authorizeUrl(client.id), ann.username);
      await allow(client.id, await findNamed({ people: [ann.id] }), cli, new Date());
      await page.getByRole('link', { name: 'Try again' }).click();
      expect(await answerAt(page, site.https)).toHaveProperty('code');
    });
  });

  test.describe(javaScriptEnabled ? 'in the dashboard' : 'in the dashboard without scripts', () => {
    test.use({ javaScriptEnabled });

    test('an admin limits an app to listed groups and people', async ({ page, admin }) => {
      const ann = await newUser();
      const client = await newClient({ name: 'Payroll' });
      const staff = await newGroup(ann, admin);
      await page.goto(`/admin/clients/${client.id}/access`);
      const [card, list] = [page.locator('#allowed'), page.locator('#listed')];
      await expect(card).toContainText('Everyone with an account here may use this app.');
      await card.getByLabel('Only the groups and people listed').check();
      await page.getByRole('button', { name: 'Save changes' }).click();
      await expect(card).toContainText('No one may use this app: the list is empty.');
      if (javaScriptEnabled) await expectAccessible(page);

      await list.getByLabel('Group', { exact: true }).fill('no such group');
      await list.getByRole('button', { name: 'Add group' }).click();
      await expect(list).toContainText('There is no group');
      await list.getByLabel('Group', { exact: true }).fill(staff);
      await list.getByRole('button', { name: 'Add group' }).click();
      await expect(card).toContainText('2 people may use this app');
      await list.getByLabel('Username or email').fill(ann.email);
      await list.getByRole('button', { name: 'Add person' }).click();
      await expect(list.getByRole('link', { name: ann.username })).toBeVisible();
      await expect(card).toContainText('2 people may use this app');
      if (javaScriptEnabled) await expectAccessible(page);
      await list.getByRole('button', { name: `Remove ${staff} from the list` }).click();
      await expect(card).toContainText('1 person may use this app');
      expect((await showClient(client.id)).access).toBe('listed');
      await page.goto('/admin/clients');
      await expect(page.getByRole('row', { name: 'Payroll' }).first()).toContainText('Restricted');
    });

    test('the form for a new app asks who may use it, and refuses an unknown group', async ({
      page,
      admin,
    }) => {
      const staff = await newGroup(admin);
      await page.goto('/admin/clients/new?kind=web');
      const name = `Payroll of ${staff}`;
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page
        .getByLabel(/Redirect URI/)
        .first()
        .fill('https://payroll.example/callback');
      await page.getByLabel('Only the groups and people listed').check();
      await page.getByLabel('Groups that may use it').fill(`${staff}, nowhere`);
      await page.getByRole('button', { name: 'Add app' }).click();
      await expect(refusal(page).first()).toBeVisible();
      await page.getByLabel('Groups that may use it').fill(staff);
      await page.getByRole('button', { name: 'Add app' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toContainText('is ready to connect');
      const shown = await page.locator('dl').first().textContent();
      const id = /client[_ ]id/i.test(shown ?? '')
        ? ((await page.locator('dl dd').nth(1).textContent()) ?? '')
        : '';
      const { groups, total } = await showAccess(id.replace(/copy.*$/i, '').trim());
      expect([groups.map((group) => group.name), total.count]).toEqual([[staff], 1]);
    });
  });
}

test('the page for a user who may not use an app passes axe and fits a phone', async ({
  page,
  site,
}) => {
  const client = await newClient({
    name: 'A very long name of an app that nobody would ever give to an app of theirs, but may',
    access: 'listed',
    redirectUris: [`${site.https}/callback`],
  });
  await signIn(page, (await newUser({ name: 'Ann' })).username);
  await page.goto(authorizeUrl(client.id));
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 800 });
  await expectAccessible(page);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
});
