import { mcpServerAddress } from '../questions.ts';
import { mcpClient, namedByServer, recipe } from '../recipe.ts';
import { json } from '../text.ts';

export const vsCode = recipe({
  id: 'vs-code',
  name: 'VS Code',
  kind: 'program',
  summary: 'Uses an MCP server as you',
  questions: { address: mcpServerAddress },
  client: mcpClient,
  // It uses another port if 33418 is taken (RFC 8252 section 7.3).
  redirectUris: () => ['http://127.0.0.1/', 'https://vscode.dev/redirect'],
  homePage: () => null,
  steps: [
    'You don’t need this app if apps of vscode.dev may register themselves (Settings, New apps): then VS Code asks for nothing.',
    'If the API lists who may ask for its tokens, add this app there.',
    'Save the file and start the server from it. VS Code asks for a client ID; give it this one and no secret.',
  ],
  blocks: ({ address }, { server, clientId }) => [
    {
      title: '.vscode/mcp.json',
      ...json`
        {
          "servers": {
            "my-server": { "type": "http", "url": ${address} }
          }
        }
      `,
    },
    {
      title: 'What VS Code asks for',
      language: 'form',
      fields: [
        ['Client ID', clientId],
        ['Client secret', '(leave it empty)'],
      ],
    },
    namedByServer(address, server),
  ],
  trap: 'VS Code keeps a client ID for each authorization server. To give it another, run “Authentication: Remove Dynamic Authentication Providers” from the command palette.',
  source: {
    version: 'VS Code 1.138 (September 2026)',
    pages: [
      'VS Code documentation: MCP developer guide, Authorization',
      'microsoft/vscode, issue 278512: the redirect URIs that it sends (November 2025)',
    ],
    notChecked: ['That the port is free to choose when a client ID is given by hand.'],
  },
  checked: 'documentation',
});
