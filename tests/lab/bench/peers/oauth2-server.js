import { randomBytes } from 'node:crypto';
import OAuth2Server from '@node-oauth/oauth2-server';
import Database from 'better-sqlite3';
import express from 'express';

/** @node-oauth/oauth2-server on express, with a model in SQLite with full durability. */
const [, databaseUrl = '', connections = '32'] = process.argv.slice(2);
const db = new Database(databaseUrl.slice('file:'.length));
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.exec(`CREATE TABLE o_clients (id TEXT PRIMARY KEY, secret TEXT, uri TEXT);
  CREATE TABLE o_sessions (id TEXT PRIMARY KEY, user_id TEXT);
  CREATE TABLE o_codes (code TEXT PRIMARY KEY, client_id TEXT, user_id TEXT, uri TEXT, scope TEXT, expires_at INTEGER);
  CREATE TABLE o_access (token TEXT PRIMARY KEY, client_id TEXT, user_id TEXT, scope TEXT, expires_at INTEGER);
  CREATE TABLE o_refresh (token TEXT PRIMARY KEY, client_id TEXT, user_id TEXT, scope TEXT, expires_at INTEGER);`);
const client = {
  clientId: 'bench',
  clientSecret: 'a-secret-of-the-benchmark',
  redirectUri: 'https://app.example/cb',
};
db.prepare('INSERT INTO o_clients VALUES (?, ?, ?)').run(
  client.clientId,
  client.clientSecret,
  client.redirectUri,
);
db.prepare("INSERT INTO o_sessions VALUES ('bench-session', 'ada')").run();

const sql = {
  client: db.prepare('SELECT * FROM o_clients WHERE id = ?'),
  session: db.prepare('SELECT user_id FROM o_sessions WHERE id = ?'),
  code: db.prepare('SELECT * FROM o_codes WHERE code = ?'),
  putCode: db.prepare('INSERT INTO o_codes VALUES (?, ?, ?, ?, ?, ?)'),
  dropCode: db.prepare('DELETE FROM o_codes WHERE code = ?'),
  access: db.prepare('SELECT * FROM o_access WHERE token = ?'),
  putAccess: db.prepare('INSERT INTO o_access VALUES (?, ?, ?, ?, ?)'),
  refresh: db.prepare('SELECT * FROM o_refresh WHERE token = ?'),
  putRefresh: db.prepare('INSERT INTO o_refresh VALUES (?, ?, ?, ?, ?)'),
  dropRefresh: db.prepare('DELETE FROM o_refresh WHERE token = ?'),
};
const found = (row) =>
  row && { id: row.id, grants: ['authorization_code', 'refresh_token'], redirectUris: [row.uri] };
const common = (row) => ({
  client: found(sql.client.get(row.client_id)),
  user: { id: row.user_id },
  scope: row.scope.split(' '),
});
const putTokens = db.transaction((token, known, user, scope) => {
  sql.putAccess.run(token.accessToken, known.id, user.id, scope, +token.accessTokenExpiresAt);
  sql.putRefresh.run(token.refreshToken, known.id, user.id, scope, +token.refreshTokenExpiresAt);
});

const model = {
  getClient: async (id, secret) => {
    const row = sql.client.get(id);
    return row && (secret === null || row.secret === secret) ? found(row) : false;
  },
  saveAuthorizationCode: async (code, known, user) => {
    sql.putCode.run(
      code.authorizationCode,
      known.id,
      user.id,
      code.redirectUri,
      'profile email',
      +code.expiresAt,
    );
    return { ...code, client: known, user };
  },
  getAuthorizationCode: async (code) => {
    const row = sql.code.get(code);
    return (
      row && {
        code,
        authorizationCode: code,
        expiresAt: new Date(row.expires_at),
        redirectUri: row.uri,
        ...common(row),
      }
    );
  },
  revokeAuthorizationCode: async (code) => sql.dropCode.run(code.authorizationCode).changes === 1,
  saveToken: async (token, known, user) => {
    putTokens(token, known, user, 'profile email');
    return { ...token, client: known, user };
  },
  getAccessToken: async (token) => {
    const row = sql.access.get(token);
    return (
      row && { accessToken: token, accessTokenExpiresAt: new Date(row.expires_at), ...common(row) }
    );
  },
  getRefreshToken: async (token) => {
    const row = sql.refresh.get(token);
    return (
      row && {
        refreshToken: token,
        refreshTokenExpiresAt: new Date(row.expires_at),
        ...common(row),
      }
    );
  },
  revokeToken: async (token) => sql.dropRefresh.run(token.refreshToken).changes === 1,
  validateScope: async () => ['profile', 'email'],
  verifyScope: async () => true,
};
const oauth = new OAuth2Server({ model, allowEmptyState: true });
const { Request, Response } = OAuth2Server;

const app = express();
app.disable('x-powered-by');
app.use(express.urlencoded({ extended: false }));
const mount = (work) => async (request, response) => {
  const answer = new Response(response);
  try {
    await work(new Request(request), answer, request, response);
    if (!response.headersSent) response.status(answer.status).set(answer.headers).send(answer.body);
  } catch (error) {
    response.status(error.code ?? 500).json({ error: error.name });
  }
};
const signedIn = {
  handle: (request) => ({
    id: sql.session.get(/session=([^;]+)/.exec(request.get('cookie') ?? '')?.[1] ?? '')?.user_id,
  }),
};
app.get(
  '/oauth/authorize',
  mount(async (request, answer) => {
    await oauth.authorize(request, answer, { authenticateHandler: signedIn });
  }),
);
app.post(
  '/oauth/token',
  mount((request, answer) => oauth.token(request, answer)),
);
app.get(
  '/oauth/me',
  mount(async (request, answer, _plain, response) => {
    const { user } = await oauth.authenticate(request, answer);
    response.json({ sub: user.id, username: user.id, email: `${user.id}@example.com` });
  }),
);

const tokens = Array.from({ length: Number(connections) }, () => {
  const [access, refresh] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
  const later = new Date(Date.now() + 3600_000);
  putTokens(
    {
      accessToken: access,
      refreshToken: refresh,
      accessTokenExpiresAt: later,
      refreshTokenExpiresAt: later,
    },
    { id: client.clientId },
    { id: 'ada' },
    'profile email',
  );
  return { access, refresh };
});
const paths = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  me: '/oauth/me',
  introspect: '',
};
const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  console.log(
    `ready ${JSON.stringify({ port, ...client, paths, tokens, authorizeParams: { state: 'x' }, cookies: ['session=bench-session'] })}`,
  );
});
