import { newId } from '#lib/oauth/secrets.ts';
import { recordTrace, type TraceStepName, writeTraces } from '#lib/store/traces.ts';
import { expectAccessible } from '../support/axe.ts';
import { test } from '../support/dashboard.ts';
import { expect } from '../support/journey.ts';
import { newClient, newUser, type TestClient, type TestUser } from '../support/seed.ts';

const uri = 'https://app.example/callback';

/** Records a sign-in as a server on this database would. */
async function signInWorked(client: TestClient, user: TestUser): Promise<void> {
  const attempt = newId(new Date());
  for (const step of ['authorize', 'token'] satisfies TraceStepName[]) {
    const request = { attempt, requestId: `${attempt} ${step}`, step, outcome: 'done' } as const;
    const known = { clientId: client.id, userId: user.id, behind: 'app', refusal: null } as const;
    recordTrace({ ...request, ...known }, new Date());
  }
  await writeTraces();
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('live attempts of an app: each one is shown, can be fixed, and a success is reported', async ({
      page,
      admin: _,
      playwright,
      server,
    }) => {
      const client = await newClient({ redirectUris: [uri] });
      const person = await newUser();
      const address = `/admin/clients/${client.id}`;
      await page.goto(address);
      const card = page.getByRole('region', { name: 'Live attempts' });
      const look = async () => {
        if (!javaScriptEnabled) await card.getByRole('link', { name: 'Check again' }).click();
      };
      await expect(card.getByText('Nothing has arrived from this app yet.')).toBeVisible();
      if (javaScriptEnabled) await expect(card.getByText('Listening…')).toBeVisible();

      const app = await playwright.request.newContext({
        baseURL: server.origin,
        ignoreHTTPSErrors: true,
      });
      await app.get('/oauth/authorize', {
        params: { client_id: client.id, redirect_uri: `${uri}/`, response_type: 'code' },
        maxRedirects: 0,
      });
      await expect(async () => {
        await look();
        await expect(card.getByText('The redirect URI isn’t registered')).toBeVisible({
          timeout: 1000,
        });
      }).toPass();
      await expect(card.getByText(`${uri}/`, { exact: true })).toBeVisible();
      if (javaScriptEnabled) await expectAccessible(page);
      await card.locator('summary', { hasText: 'Add this redirect URI' }).click();
      await card.getByRole('button', { name: 'Yes, add it' }).click();
      await expect(page.getByText('Changed. Try the app again.')).toBeVisible();
      await expect(page).toHaveURL(address);

      await signInWorked(client, person);
      await look();
      await expect(card.getByText('It works', { exact: true })).toBeVisible();
      await expect(
        card.getByRole('listitem').filter({ hasText: /^It works: passed$/ }),
      ).toBeVisible();
      await expect(
        card.getByText(`${person.username} signed in, and the app got its tokens`).first(),
      ).toBeVisible();
      if (javaScriptEnabled) await expectAccessible(page);
      await app.dispose();
    });
  });
}
