/**
 * Bodies as programs register themselves (RFC 7591), with the addresses that are kept where these
 * are not all that were sent.
 */
type RegistrationRow = {
  program: string;
  body: Record<string, unknown> & { redirect_uris: string | string[] };
  kept?: string[];
  /** What else the answer says in place of what was sent. */
  told?: Record<string, unknown>;
};

const code = { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] };
const open = { ...code, token_endpoint_auth_method: 'none' };

export const registrations: readonly RegistrationRow[] = [
  {
    program: 'Cursor since 3.10',
    body: {
      client_name: 'Cursor',
      redirect_uris: [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'http://localhost:8787/callback',
      ],
      ...open,
    },
    kept: ['cursor://anysphere.cursor-mcp/oauth/callback', 'http://localhost:8787/callback'],
  },
  {
    program: 'Cursor before',
    body: {
      client_name: 'Cursor',
      redirect_uris: ['cursor://anysphere.cursor-retrieval/oauth/user-x/callback'],
      ...open,
    },
  },
  {
    program: 'Visual Studio Code',
    body: {
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
      ],
      grant_types: [
        'authorization_code',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:device_code',
      ],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      scope: 'openid profile',
    },
  },
  {
    program: 'Visual Studio Code, older',
    body: {
      client_name: 'Visual Studio Code',
      redirect_uris: ['http://localhost/', 'http://127.0.0.1/', 'https://vscode.dev/redirect'],
      ...open,
    },
  },
  {
    program: 'Zed',
    body: { client_name: 'Zed', redirect_uris: ['http://127.0.0.1:51723/callback'], ...open },
  },
  {
    program: 'MCP Inspector',
    body: {
      client_name: 'MCP Inspector',
      client_uri: 'https://github.com/modelcontextprotocol/inspector',
      redirect_uris: ['http://localhost:6274/oauth/callback'],
      scope: '',
      ...open,
    },
  },
  {
    program: 'MCP Inspector, guided',
    body: {
      client_name: 'MCP Inspector',
      redirect_uris: [
        'http://localhost:6274/oauth/callback',
        'http://localhost:6274/oauth/callback/debug',
      ],
      scope: 'mcp:read offline_access',
      ...open,
    },
  },
  {
    program: 'Claude Code',
    body: {
      client_name: 'Claude Code (notes)',
      redirect_uris: ['http://localhost:3118/callback', 'http://127.0.0.1:3118/callback'],
      ...open,
    },
  },
  {
    program: 'claude.ai',
    body: {
      client_name: 'Claude',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      scope: 'openid mcp:read offline_access',
      ...code,
      token_endpoint_auth_method: 'client_secret_post',
    },
  },
  {
    program: 'ChatGPT',
    body: {
      client_name: 'ChatGPT',
      redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
      ...open,
    },
  },
  {
    program: 'Gemini CLI',
    body: {
      client_name: 'Gemini CLI MCP Client',
      redirect_uris: ['http://localhost:7777/oauth/callback'],
      ...open,
      code_challenge_method: ['S256'],
      scope: '',
    },
  },
  {
    program: 'Codex (rmcp)',
    body: {
      client_name: 'Codex',
      redirect_uris: ['http://127.0.0.1:41231/callback'],
      ...open,
      contacts: null,
      client_uri: null,
      logo_uri: null,
      jwks: null,
      jwks_uri: null,
      scope: null,
      software_id: null,
    } as unknown as RegistrationRow['body'],
  },
  {
    program: 'OpenCode',
    body: {
      client_name: 'OpenCode',
      client_uri: 'https://opencode.ai',
      redirect_uris: ['http://127.0.0.1:19876/mcp/oauth/callback'],
      ...open,
    },
  },
  {
    program: 'Open WebUI',
    body: {
      client_name: 'Open WebUI',
      redirect_uris: ['https://chat.example.org/oauth/clients/mcp:notes/callback'],
      ...code,
      token_endpoint_auth_method: 'client_secret_post',
      scope: 'openid mcp:read',
      client_uri: null,
      logo_uri: null,
      contacts: null,
      tos_uri: null,
      policy_uri: null,
      jwks_uri: null,
      jwks: null,
      software_id: null,
      software_version: null,
    },
  },
  {
    program: 'goose',
    body: {
      client_name: 'goose',
      redirect_uris: ['http://localhost:43217/oauth_callback'],
      ...open,
    },
  },
  {
    program: 'n8n',
    body: {
      client_name: 'n8n',
      client_uri: 'https://n8n.io/',
      redirect_uris: ['https://flows.example.org/rest/oauth2-credential/callback'],
      ...code,
      token_endpoint_auth_method: 'client_secret_basic',
    },
  },
  {
    program: 'Copilot Studio',
    body: {
      client_name: 'Notes',
      redirect_uris: ['https://global.consent.azure-apim.net/redirect/notes-5f1e'],
      ...code,
      token_endpoint_auth_method: 'client_secret_post',
    },
  },
  {
    program: 'FastMCP (pydantic, nulls for everything)',
    body: {
      client_name: 'FastMCP Client',
      redirect_uris: ['http://localhost:54545/callback'],
      ...open,
      token_endpoint_auth_method: null,
      application_type: null,
      subject_type: null,
      post_logout_redirect_uris: null,
      backchannel_logout_uri: null,
      initiate_login_uri: null,
      id_token_signed_response_alg: null,
    },
  },
  {
    program: 'a list of one as a text (PHP, shell scripts)',
    body: {
      client_name: 'Notes',
      redirect_uris: 'https://notes.example.org/callback',
      grant_types: 'authorization_code',
      response_types: 'code',
      contacts: 'ops@example.org',
    },
    kept: ['https://notes.example.org/callback'],
    told: { grant_types: ['authorization_code'], response_types: ['code'] },
  },
  {
    program: 'empty for what is not said (Go and C# without omitempty)',
    body: {
      client_name: 'Notes',
      redirect_uris: ['https://notes.example.org/callback'],
      grant_types: [],
      response_types: [],
      contacts: [],
      client_uri: '',
      jwks_uri: '',
      token_endpoint_auth_method: '',
      application_type: '',
      subject_type: '',
      sector_identifier_uri: '',
      initiate_login_uri: '',
      scope: '',
    },
    told: { ...code, token_endpoint_auth_method: 'client_secret_basic' },
  },
  {
    program: 'more grants than are to be had',
    body: {
      client_name: 'Notes',
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: [
        'authorization_code',
        'implicit',
        'client_credentials',
        'urn:ietf:params:oauth:grant-type:device_code',
      ],
      response_types: ['code', 'id_token token'],
      token_endpoint_auth_method: 'none',
    },
    told: { grant_types: ['authorization_code'], response_types: ['code'] },
  },
];

const onlyByAdmins =
  'grant_types: an app that no admin has added needs authorization_code, with or without refresh_token. For any other, ask an admin to add it.';

/** Bodies of which nothing can be kept, with the reason that the program reads. */
export const refusedRegistrations: readonly {
  program: string;
  body: Record<string, unknown>;
  error: 'invalid_client_metadata' | 'invalid_redirect_uri';
  reason: string;
}[] = [
  {
    program: 'a television: the device grant, so no address',
    body: {
      client_name: 'TV',
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    },
    error: 'invalid_client_metadata',
    reason: onlyByAdmins,
  },
  {
    program: 'a job: client credentials, so no address',
    body: { client_name: 'Job', grant_types: ['client_credentials'], response_types: [] },
    error: 'invalid_client_metadata',
    reason: onlyByAdmins,
  },
  {
    program: 'a page of ten years ago: implicit',
    body: {
      redirect_uris: ['https://notes.example.org/callback'],
      grant_types: ['implicit'],
      response_types: ['id_token token'],
    },
    error: 'invalid_client_metadata',
    reason: onlyByAdmins,
  },
  {
    program: 'people sign in, but nothing says where they return',
    body: { client_name: 'Notes', grant_types: ['authorization_code'], redirect_uris: [] },
    error: 'invalid_redirect_uri',
    reason: 'redirect_uris must be a list of addresses.',
  },
  {
    program: 'addresses as one text with commas',
    body: { redirect_uris: 'https://a.example.org/cb, https://a.example.org/cb2' },
    error: 'invalid_redirect_uri',
    reason: 'redirect_uris: It contains white space, control or non-ASCII characters.',
  },
];
