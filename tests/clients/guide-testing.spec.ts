import { createServer, type Server } from 'node:http';
import { blocksOf } from '../docs/blocks.ts';
import { freePort } from '../support/free-port.ts';
import { expect, redeem, test, userOf } from '../support/journey.ts';
import { newClient, newUser, password } from '../support/seed.ts';

// The test in docs/guides/testing.md, exactly as written there, run on an app that signs in here.
const [sample = ''] = blocksOf('docs/guides/testing.md')
  .filter(({ runBy }) => runBy === 'tests/clients/guide-testing.spec.ts')
  .map(({ text }) => text);
const body = /^test\('[^']+', async \(\{ page \}\) => \{\n(.*)\n\}\);$/ms.exec(sample)?.[1] ?? '';
const run = new Function('page', 'expect', 'process', `return (async () => {\n${body}\n})();`);

let app: Server | undefined;
test.afterEach(() => {
  app?.closeAllConnections();
  app?.close();
});

test('docs/guides/testing.md: the sample test signs a user in', async ({ page, server }) => {
  const port = await freePort();
  const address = `http://localhost:${port}`;
  const redirectUri = `${address}/callback`;
  const user = await newUser();
  const client = await newClient({ redirectUris: [redirectUri] });
  const ask = new URLSearchParams({
    response_type: 'code',
    client_id: client.id,
    redirect_uri: redirectUri,
    scope: 'openid profile',
  });
  app = createServer(async (request, response) => {
    const code = new URL(request.url ?? '', address).searchParams.get('code');
    const { access_token } = code === null ? {} : await redeem(server, client, code);
    response.setHeader('content-type', 'text/html');
    response.end(
      access_token
        ? `<p>Signed in as ${await userOf(server, access_token)}</p>`
        : `<a href="${server.origin}/oauth/authorize?${ask}">Sign in</a>`,
    );
  }).listen(port, 'localhost');
  const env = {
    APP_URL: address,
    GATEHOUSE_USERNAME: user.username,
    GATEHOUSE_PASSWORD: password,
  };
  expect(body).toContain('page.goto(process.env.APP_URL)');
  await run(page, expect, { env });
});
