import { mcpServerAddress } from '../questions.ts';
import { mcpClient, namedByServer, recipe } from '../recipe.ts';
import { shell } from '../text.ts';

export const claudeCode = recipe({
  id: 'claude-code',
  name: 'Claude Code',
  mark: 'claudecode',
  kind: 'program',
  summary: 'Uses an MCP server as you',
  questions: { address: mcpServerAddress },
  client: mcpClient,
  // It listens on a different port each time (RFC 8252 section 7.3).
  redirectUris: () => ['http://localhost/callback', 'http://127.0.0.1/callback'],
  homePage: () => null,
  steps: [
    'You don’t need this app if apps of claude.ai may register themselves (Settings, New apps): then leave out --client-id.',
    'If the API lists who may ask for its tokens, add this app there.',
    'Run the command where you use Claude Code, then type /mcp there and choose to authenticate.',
  ],
  blocks: ({ address }, { server, clientId }) => [
    {
      title: 'In a terminal',
      ...shell`
        claude mcp add --transport http --client-id ${clientId} my-server ${address}
      `,
    },
    namedByServer(address, server),
  ],
  trap: 'Everyone who knows the client ID can pretend to be this app on their own machine. The consent page says so each time; only allow it right after you started it yourself.',
  source: {
    version: 'Claude Code of September 2026',
    pages: [
      'Claude Code documentation: Connect Claude Code to tools via MCP, Use pre-configured OAuth credentials',
      'anthropics/claude-code, issues 42301 and 44378: its redirect URIs and metadata document (April 2026)',
    ],
    notChecked: ['The option --client-id without --callback-port.'],
  },
  checked: 'documentation',
});
