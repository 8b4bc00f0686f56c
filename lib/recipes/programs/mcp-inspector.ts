import { mcpServerAddress } from '../questions.ts';
import { mcpClient, namedByServer, recipe } from '../recipe.ts';
import { json, shell } from '../text.ts';

export const mcpInspector = recipe({
  id: 'mcp-inspector',
  name: 'MCP Inspector',
  mark: 'modelcontextprotocol',
  kind: 'program',
  summary: 'Tries an MCP server out',
  questions: { address: mcpServerAddress },
  client: mcpClient,
  // Its web page uses port 6274, its other clients 6276; any port matches (RFC 8252 section 7.3).
  redirectUris: () => ['http://localhost/oauth/callback', 'http://127.0.0.1/oauth/callback'],
  homePage: () => null,
  steps: [
    'If the API lists who may ask for its tokens, add this app there.',
    'Save the file and start the Inspector beside it.',
    'Connect to the server. It opens this server, and lists the tools once you have allowed it.',
  ],
  blocks: ({ address }, { server, clientId }) => [
    {
      title: 'mcp.json',
      ...json`
        {
          "mcpServers": {
            "my-server": {
              "type": "http",
              "url": ${address},
              "oauth": { "clientId": ${clientId} }
            }
          }
        }
      `,
    },
    {
      title: 'In a terminal',
      ...shell`
        npx @modelcontextprotocol/inspector@2 --config ./mcp.json
      `,
    },
    namedByServer(address, server),
  ],
  trap: 'The Inspector keeps tokens and registrations on disk. After a change here, clear the server’s OAuth state before you try again.',
  source: {
    version: 'MCP Inspector 2 (September 2026)',
    pages: [
      'modelcontextprotocol/inspector: docs/mcp-server-configuration.md',
      'modelcontextprotocol/inspector: docs/v1-to-v2-migration.md',
    ],
    notChecked: ['That its page comes back to the same path as in version 1.'],
  },
  checked: 'documentation',
});
