import { addContact } from '#lib/management/client/contacts.ts';
import { expectAccessible } from '../support/axe.ts';
import { expect, signIn, test } from '../support/journey.ts';
import { newClient, newUser } from '../support/seed.ts';

/** A user who develops an app whose last request was refused. */
async function newDeveloper(server: { origin: string }) {
  const user = await newUser();
  const other = await newUser();
  const client = await newClient({
    name: 'Pottery Club',
    redirectUris: ['https://pottery.example/cb'],
  });
  await addContact(client.id, user.email, { id: 'cli' }, new Date());
  const query = {
    client_id: client.id,
    response_type: 'code',
    redirect_uri: 'https://old.example/',
  };
  const refused = await fetch(`${server.origin}/oauth/authorize?${new URLSearchParams(query)}`);
  return { user, other, client, requestId: refused.headers.get('x-request-id') ?? '' };
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('a developer contact finds why the app was refused, and what to tell the admin', async ({
      page,
      server,
    }) => {
      const { user, client, requestId } = await newDeveloper(server);
      const judge = async () => {
        if (javaScriptEnabled) await expectAccessible(page);
      };
      await signIn(page, user.username);
      await page.goto('/account');
      await page.getByRole('link', { name: 'Apps you develop' }).click();
      await judge();
      await page.getByRole('link', { name: 'Pottery Club' }).click();
      await expect(page).toHaveURL(`/account/developer/${client.id}`);
      await expect(page.getByText(client.id).first()).toBeVisible();
      await expect(page.getByRole('button', { name: /secret/i })).toHaveCount(0);
      await judge();
      await page.setViewportSize({ width: 360, height: 800 });
      await judge();
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBe(0);

      await page.getByLabel('Find by request ID').fill('nothing-has-this');
      await page.getByRole('button', { name: 'Find' }).click();
      await expect(page.getByText('No attempt of this app has this request ID')).toBeVisible();
      await page.getByLabel('Find by request ID').fill(requestId);
      await page.getByRole('button', { name: 'Find' }).click();
      await page.getByRole('table').getByRole('link').first().click();
      await expect(page.getByText('https://old.example/').first()).toBeVisible();
      await expect(page.getByText('An admin can change this')).toBeVisible();
      await page.getByText('Copy for the administrator').click();
      await expect(page.locator('pre')).toContainText(`Pottery Club (${client.id})`);
      await expect(page.locator('pre')).toContainText(requestId);
      await expect(page.getByRole('button', { name: /^Yes/ })).toHaveCount(0);
      await judge();
      await page.getByRole('link', { name: 'Back to the app' }).click();
      await expect(page).toHaveURL(`/account/developer/${client.id}`);
    });

    test('another user does not see the app as a developer', async ({ page, server }) => {
      const { other, client } = await newDeveloper(server);
      await signIn(page, other.username);
      await page.goto('/account');
      await expect(page.getByRole('link', { name: 'Apps you develop' })).toHaveCount(0);
      await page.goto('/account/developer');
      await expect(page.getByText('You’re not a developer contact')).toBeVisible();
      if (javaScriptEnabled) await expectAccessible(page);
      expect((await page.goto(`/account/developer/${client.id}`))?.status()).toBe(404);
    });
  });
}
