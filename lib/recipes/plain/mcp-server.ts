import { appAddress } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { javascript, shell } from '../text.ts';

export const mcpServer = recipe({
  id: 'mcp-server',
  name: 'MCP server',
  kind: 'plain',
  summary: 'Tools for AI apps, behind a sign-in',
  questions: { address: appAddress('http://localhost:3001') },
  client: {
    ...webClient,
    grants: ['client_credentials'],
    scopes: [],
    pkce: 'no',
    authentication: 'basic',
    resourceServer: true,
  },
  redirectUris: () => [],
  homePage: () => null,
  steps: [
    'Install the libraries and write the file. Replace the answer with your own MCP transport.',
    'Add each AI app that people use as a separate public app here, and give it its client ID.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret }) => [
    {
      title: 'In your project',
      ...shell`
        npm install express@5 @modelcontextprotocol/sdk
      `,
    },
    {
      title: 'server.mjs',
      ...javascript`
        import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
        import { InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
        import { getOAuthProtectedResourceMetadataUrl } from '@modelcontextprotocol/sdk/server/auth/router.js';
        import express from 'express';

        const issuer = ${server.issuer};
        const resource = new URL('/mcp', ${address});
        const credentials = Buffer.from(${`${clientId}:${clientSecret}`}).toString('base64');

        /** Asks the authorization server whether a token is live (RFC 7662). */
        async function verifyAccessToken(token) {
          const answer = await fetch(${server.introspect}, {
            method: 'POST',
            headers: { authorization: 'Basic ' + credentials },
            body: new URLSearchParams({ token }),
          });
          if (!answer.ok) throw new Error('Introspection answered ' + answer.status);
          const { active, client_id, scope = '', exp, sub } = await answer.json();
          if (!active) throw new InvalidTokenError('The token is not live.');
          return { token, clientId: client_id, scopes: scope.split(' '), expiresAt: exp, extra: { sub } };
        }

        const app = express();
        // Where AI apps learn who signs people in (RFC 9728).
        app.get('/.well-known/oauth-protected-resource/mcp', (request, response) => {
          response.json({ resource: resource.href, authorization_servers: [issuer] });
        });
        const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(resource);
        app.use('/mcp', requireBearerAuth({ verifier: { verifyAccessToken }, resourceMetadataUrl }));
        app.all('/mcp', (request, response) => {
          // Your transport goes here; request.auth says who asks.
          response.json({ person: request.auth.extra.sub, app: request.auth.clientId });
        });
        app.listen(resource.port || 3001);
      `,
    },
  ],
  trap: 'This server has no dynamic client registration. An AI app that relies on it will report the server as incompatible.',
  source: {
    version: '@modelcontextprotocol/sdk 1.32.2',
    pages: ['MCP TypeScript SDK: README, Authorization', 'RFC 9728', 'RFC 7662'],
    notChecked: ['That tokens are meant for this server alone (their audience).'],
  },
  checked: 'run',
});
