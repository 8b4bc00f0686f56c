import { publicClient, recipe } from '../recipe.ts';
import { javascript, onlyIf, shell } from '../text.ts';

export const commandLineTool = recipe({
  id: 'command-line-tool',
  name: 'Command-line tool',
  kind: 'plain',
  summary: 'Opens the browser and listens on the same machine',
  names:
    'cli, cli login, command line, terminal, desktop app, electron, tauri, native app, loopback',
  questions: {},
  client: publicClient,
  // Any port matches at these addresses (RFC 8252 section 7.3). The text uses the first; step listens
  // at the root, oidc-agent at localhost.
  redirectUris: () => [
    'http://127.0.0.1/callback',
    'http://127.0.0.1/',
    'http://localhost/callback',
    'http://localhost/',
  ],
  homePage: () => null,
  steps: ['Install the library and write the file.', 'Run it and open the address that it prints.'],
  blocks: (_, { server, clientId }) => [
    {
      title: 'In your project',
      ...shell`
        npm install openid-client@6
        node sign-in.mjs
      `,
    },
    {
      title: 'sign-in.mjs',
      ...javascript`
        import { on, once } from 'node:events';
        import { createServer } from 'node:http';
        import * as client from 'openid-client';

        const config = await client.discovery(
          new URL(${server.issuer}),
          ${clientId},
          undefined,
          client.None(),${onlyIf(
            server.issuer.startsWith('http:'),
            '\n  // Only while the issuer has no https.\n  { execute: [client.allowInsecureRequests] },',
          )}
        );

        // A free port: the server lets it differ for addresses of this machine.
        const listener = createServer().listen(0, '127.0.0.1');
        await once(listener, 'listening');
        const redirect_uri = 'http://127.0.0.1:' + listener.address().port + '/callback';

        const verifier = client.randomPKCECodeVerifier();
        const state = client.randomState();
        const address = client.buildAuthorizationUrl(config, {
          redirect_uri,
          scope: 'openid profile email offline_access',
          state,
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        });
        console.log('Open ' + address.href);

        // Any page in the browser can knock on the port: the answer is what brings our own state.
        let saidNo, answer;
        for await (const [request, response] of on(listener, 'request')) {
          answer = new URL(request.url, redirect_uri);
          if (answer.searchParams.get('state') === state) {
            saidNo = answer.searchParams.get('error') === 'access_denied';
            response.end((saidNo ? 'You said no.' : 'Thank you.') + ' You can close this window.');
            break;
          }
          response.writeHead(404).end();
        }
        listener.close();
        if (saidNo) {
          console.error('You said no. To try again, run this again.');
          process.exit(1);
        }
        const tokens = await client.authorizationCodeGrant(config, answer, {
          pkceCodeVerifier: verifier,
          expectedState: state,
        });
        console.log('Signed in as ' + tokens.claims().preferred_username);
        process.exit();
      `,
    },
  ],
  trap: 'Listen on 127.0.0.1 rather than localhost, and use no secret: everyone with the tool would have it.',
  source: {
    version: 'openid-client 6.8.9',
    pages: ['openid-client: API documentation', 'RFC 8252 section 7.3'],
    notChecked: [],
  },
  checked: 'run',
});
