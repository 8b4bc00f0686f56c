import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';
import { memoryAdapter } from './memory-adapter.js';
import { postgresAdapter } from './postgres-adapter.js';
import { sqliteAdapter } from './sqlite-adapter.js';

/*
 * oidc-provider as its documentation sets it up: opaque tokens, rotation, an ID token where openid
 * is asked for. It signs with ES256, as Gatehouse does; by default it would sign with RS256, which
 * costs many times as much.
 */
const [storage = 'memory', databaseUrl = '', connections = '32'] = process.argv.slice(2);
const adapters = { memory: memoryAdapter, sqlite: sqliteAdapter, postgres: postgresAdapter };
const adapter = await adapters[storage](databaseUrl);
const client = {
  clientId: 'bench',
  clientSecret: 'a-secret-of-the-benchmark',
  redirectUri: 'https://app.example/cb',
};
const scope = 'openid profile email';
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const signing = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' };
const id_token_signed_response_alg = 'ES256';
const jwk = JSON.parse(process.env.BENCH_JWK);
const jkt = process.env.BENCH_JKT;
const keyClientId = 'bench-by-key';

const server = createServer();
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const { port } = server.address();

const provider = new Provider(`http://localhost:${port}`, {
  adapter,
  jwks: { keys: [signing] },
  clients: [
    {
      client_id: client.clientId,
      client_secret: client.clientSecret,
      redirect_uris: [client.redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_basic',
      id_token_signed_response_alg,
    },
    {
      client_id: keyClientId,
      redirect_uris: [client.redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'private_key_jwt',
      id_token_signed_response_alg,
      jwks: { keys: [jwk] },
    },
  ],
  claims: { openid: ['sub'], profile: ['username'], email: ['email'] },
  scopes: ['openid', 'profile', 'email'],
  cookies: { keys: ['a cookie key of the benchmark'] },
  features: {
    devInteractions: { enabled: false },
    introspection: { enabled: true },
    dPoP: { enabled: true },
  },
  pkce: { required: () => false },
  rotateRefreshToken: true,
  issueRefreshToken: async () => true,
  interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
  findAccount: async (_context, id) => ({
    accountId: id,
    claims: async () => ({ sub: id, username: id, email: `${id}@example.com` }),
  }),
  loadExistingGrant: async ({ oidc }) => {
    const held = oidc.session?.grantIdFor(oidc.client.clientId);
    if (held) return oidc.provider.Grant.find(held);
    const grant = new oidc.provider.Grant({
      clientId: oidc.client.clientId,
      accountId: oidc.session?.accountId,
    });
    grant.addOIDCScope('openid profile email');
    await grant.save();
    return grant;
  },
});
provider.proxy = false;
const answer = provider.callback();
server.on('request', async (request, response) => {
  if (!request.url.startsWith('/interaction/')) return answer(request, response);
  // Signing in is not measured, so everyone is Ada.
  return provider.interactionFinished(request, response, { login: { accountId: 'ada' } });
});

/**
 * The tokens of a client, one pair for each connection. `bound` binds the access token to a key.
 */
async function tokensFor(clientId, bound = {}) {
  const known = await provider.Client.find(clientId);
  const tokens = [];
  for (let index = 0; index < Number(connections); index += 1) {
    const grant = new provider.Grant({ clientId, accountId: 'ada' });
    grant.addOIDCScope('openid profile email');
    const grantId = await grant.save();
    const common = { accountId: 'ada', client: known, grantId, gty: 'authorization_code' };
    // User information belongs to OpenID Connect here, so this token has the scope openid. It is
    // made without an id_token.
    const withOpenId = { ...common, ...bound, scope: 'openid profile email' };
    const access = await new provider.AccessToken(withOpenId).save();
    const refresh = await new provider.RefreshToken({ ...common, scope }).save();
    tokens.push({ access, refresh });
  }
  return tokens;
}
const strong = {
  dpop: { proves: true, tokens: await tokensFor(client.clientId, { jkt }) },
  jwt: { hasKey: true, clientId: keyClientId, tokens: await tokensFor(keyClientId) },
};
const paths = {
  authorize: '/auth',
  token: '/token',
  me: '/me',
  introspect: '/token/introspection',
};
console.log(
  `ready ${JSON.stringify({ port, ...client, paths, tokens: await tokensFor(client.clientId), strong, authorizeParams: { scope }, meNeedsOwnToken: true })}`,
);
