import type { RequestListener } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import * as oauth from 'oauth4webapi';
import { serveApp } from './visit.ts';

const insecure = { [oauth.allowInsecureRequests]: true };

/**
 * An MCP server of the SDK that accepts only JWTs with a proof by the key they are bound to;
 * oauth4webapi checks both. Returns its address, which is the identifier of its API.
 */
export async function startBoundMcp(issuer: string): Promise<string> {
  const origin = await serveApp(async (at) => {
    const url = new URL(issuer);
    const server = await oauth.processDiscoveryResponse(
      url,
      await oauth.discoveryRequest(url, insecure),
    );
    return listenerFor(server, at);
  });
  return `${origin}/mcp`;
}

function listenerFor(server: oauth.AuthorizationServer, origin: string): RequestListener {
  const resource = `${origin}/mcp`;
  const metadata = { resource, authorization_servers: [server.issuer], scopes_supported: ['read'] };
  const challenge = `DPoP resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
  const handler = toNodeHandler(
    createMcpHandler(() => {
      const tools = new McpServer({ name: 'notes', version: '1.0.0' });
      tools.registerTool('read_notes', { description: 'Reads your notes.' }, ({ http }) => ({
        content: [{ type: 'text', text: `The notes of ${http?.authInfo?.extra?.sub}` }],
      }));
      return tools;
    }),
  );
  return async (request, response) => {
    const { method = '', headers, url = '' } = request;
    if (url.startsWith('/.well-known/oauth-protected-resource'))
      return response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(metadata));
    if (url !== '/mcp') return response.writeHead(404).end();
    const asked = new Request(resource, { method, headers: headers as Record<string, string> });
    const checked = { requireDPoP: true, ...insecure };
    const claims = await oauth
      .validateJwtAccessToken(server, asked, resource, checked)
      .catch(() => null);
    if (!claims) return response.writeHead(401, { 'www-authenticate': challenge }).end();
    const auth = { token: '', clientId: claims.client_id, scopes: [], extra: { sub: claims.sub } };
    return handler(Object.assign(request, { auth }), response);
  };
}
