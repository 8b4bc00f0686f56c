import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { createDatabase, newLogFile } from '../support/database.ts';
import { newClient, newUser, password } from '../support/seed.ts';
import { type Server, startServer } from '../support/server.ts';
import { workOn } from '../support/work-on.ts';

let server: Server;
let received: { method: string | undefined; form: Record<string, string> }[] = [];
const app = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
  received.push({ method: request.method, form });
  response.setHeader('Content-Type', 'text/html');
  response.end(
    '<!doctype html><title>The app</title><link rel="icon" href="data:,"><h1>Welcome back</h1>',
  );
});

test.beforeAll(async () => {
  const databaseUrl = await createDatabase('sqlite');
  server = await startServer({ mount: 'direct', databaseUrl, logFile: newLogFile('form-post') });
  // This process may have run other journeys, on their own database.
  workOn(databaseUrl);
  process.env.ISSUER = server.origin;
  await once(app.listen(0, '127.0.0.1'), 'listening');
});

test.afterAll(async () => {
  app.closeAllConnections();
  app.close();
  await server.stop();
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('response_mode=form_post posts the code to the app', async ({ page }) => {
      received = [];
      const redirectUri = `http://localhost:${(app.address() as AddressInfo).port}/callback`;
      const user = await newUser();
      const client = await newClient({ redirectUris: [redirectUri] });
      const asked = {
        client_id: client.id,
        response_type: 'code',
        response_mode: 'form_post',
        state: `a "b" <c>`,
      };
      await page.goto(`${server.origin}/oauth/authorize?${new URLSearchParams(asked)}`);
      await page.getByLabel('Username or email').fill(user.username);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('button', { name: 'Allow', exact: true }).click();
      if (!javaScriptEnabled) await page.getByRole('button').click();
      // Two posts, a commit and a script come first. On a busy machine they take longer than a page
      // normally may.
      await page.waitForURL(redirectUri);
      await expect(page.getByRole('heading')).toHaveText('Welcome back');
      const form = {
        code: expect.stringMatching(/^gh_code_/),
        state: `a "b" <c>`,
        iss: server.origin,
      };
      expect(received).toEqual([{ method: 'POST', form }]);
    });
  });
}
