import { appAddress } from '../questions.ts';
import { recipe, serviceClient } from '../recipe.ts';
import { javascript, shell } from '../text.ts';

export const mcpServer = recipe({
  id: 'mcp-server',
  name: 'MCP server',
  kind: 'plain',
  summary: 'Tools for AI apps, behind a sign-in',
  names: 'mcp, fastmcp, model context protocol, ai tool server',
  questions: { address: appAddress('http://localhost:3001') },
  client: { ...serviceClient, authentication: 'basic' },
  redirectUris: () => [],
  homePage: () => null,
  steps: [
    'Make the API that your server is: with the command, or under APIs, where you add this app as “The API itself”.',
    'Install the libraries, write the file and start it. Replace the tool with your own.',
    'Let AI apps in: under Settings, New apps, or by adding each here.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret }) => [
    {
      title: 'Where Gatehouse runs',
      ...shell`
        npm run cli -- api create --identifier ${`${address}/mcp`} --name Notes \
          --scope 'notes:read=Read your notes' --access anyone --served-by ${clientId}
      `,
    },
    {
      title: 'In your project',
      ...shell`
        npm install express@5 @modelcontextprotocol/server@2 @modelcontextprotocol/express@2 \
          @modelcontextprotocol/node@2
        node server.mjs
      `,
    },
    {
      title: 'server.mjs',
      ...javascript`
        import {
          getOAuthProtectedResourceMetadataUrl,
          mcpAuthMetadataRouter,
          requireBearerAuth,
        } from '@modelcontextprotocol/express';
        import { toNodeHandler } from '@modelcontextprotocol/node';
        import {
          createMcpHandler,
          McpServer,
          OAuthError,
          OAuthErrorCode,
        } from '@modelcontextprotocol/server';
        import express from 'express';

        // The identifier of the API, and the address that people give to their AI apps.
        const resource = new URL('/mcp', ${address});
        const credentials = Buffer.from(${`${clientId}:${clientSecret}`}).toString('base64');

        /** Asks whether a token is live, and meant for this server (RFC 7662). */
        async function verifyAccessToken(token) {
          const answer = await fetch(${server.introspect}, {
            method: 'POST',
            headers: { authorization: 'Basic ' + credentials },
            body: new URLSearchParams({ token }),
          });
          if (!answer.ok) throw new Error('Introspection answered ' + answer.status);
          const { active, aud, client_id, cnf, exp, scope = '', sub, username } = await answer.json();
          if (!active) throw new OAuthError(OAuthErrorCode.InvalidToken, 'The token is not live');
          // One that is bound to a key (RFC 9449) is no bearer token.
          if (cnf) throw new OAuthError(OAuthErrorCode.InvalidToken, 'The token is bound to a key');
          return {
            token,
            clientId: client_id,
            scopes: scope.split(' '),
            expiresAt: exp,
            ...([aud].flat().includes(resource.href) && { resource }),
            extra: { sub, username },
          };
        }

        const app = express();

        // Where AI apps learn who signs people in (RFC 9728).
        const metadata = await fetch(${`${server.issuer}/.well-known/oauth-authorization-server`});
        app.use(
          mcpAuthMetadataRouter({
            oauthMetadata: await metadata.json(),
            resourceServerUrl: resource,
            resourceName: 'Notes',
            scopesSupported: ['notes:read'],
          }),
        );

        // A request without a token for this server is told where to get one.
        app.use(
          '/mcp',
          requireBearerAuth({
            verifier: { verifyAccessToken },
            expectedResource: resource,
            requiredScopes: ['notes:read'],
            resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(resource),
          }),
        );

        // One server for each request: nothing of one person is left for the next.
        const handler = createMcpHandler(() => {
          const server = new McpServer({ name: 'notes', version: '1.0.0' });
          server.registerTool('read_notes', { description: 'Reads your notes.' }, ({ http }) => ({
            content: [{ type: 'text', text: 'The notes of ' + http.authInfo.extra.username }],
          }));
          return server;
        });
        app.all('/mcp', toNodeHandler(handler));

        app.listen(resource.port || 3001);
      `,
    },
  ],
  trap: 'The identifier of the API, the resource in the server’s metadata and the address in the AI app must be the same, to the last letter of the path. Otherwise tokens are for another place and the server refuses them.',
  source: {
    version: '@modelcontextprotocol/server 2.4.0, express 2.0.2, node 2.1.2',
    pages: [
      'MCP specification 2026-07-28: Authorization',
      'MCP TypeScript SDK 2: README and types of its packages',
      'RFC 9728',
      'RFC 8707',
      'RFC 7662',
    ],
    notChecked: [],
  },
  checked: 'run',
});
