import { createServer, type IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import { ensureSigningKeys, signerFor } from '#lib/identity/signing.ts';
import { keyInUse, knownTokenKeys } from '#lib/identity/token-keys.ts';
import { openToken } from '#lib/identity/tokens.ts';
import { newId } from '#lib/oauth/secrets.ts';
import { makeToken, type Token } from '#lib/oauth/tokens.ts';
import { readAccessToken } from '#lib/store/access-tokens.ts';
import {
  redeemCode,
  rotateRefreshToken,
  storeAuthorization,
  type Taken,
} from '#lib/store/authorizations.ts';
import { readRevision } from '#lib/store/engine/revision.ts';
import { findGrant } from '#lib/store/grants.ts';
import { prisma } from '../../support/prisma.ts';

/*
 * The floor: bare node:http and the store's own statements, without any check except the MAC. It
 * shows the cost of a server that does nothing but query the database and sign ID tokens.
 */
const hour = 3600_000;
const scope = 'openid profile email';
const [userId = '', clientId = ''] = process.argv.slice(2);
const client = { id: clientId, epoch: 0, access: 'everybody', origin: 'admin' } as const;
await (await prisma()).grant.create({
  data: {
    id: 'floor',
    userId,
    clientId,
    scopes: scope,
    remembered: scope,
    createdAt: new Date(),
    updatedAt: new Date(),
  },
});
await ensureSigningKeys(new Date());
const key = keyInUse(await knownTokenKeys(), new Date());
const revision = await readRevision();
const judged = { client, revision, exchanged: false };

const server = createServer(async (request, response) => {
  const now = new Date();
  const path = (request.url ?? '').split('?', 1)[0];
  if (path === '/oauth/me') {
    const user = (await live(request.headers.authorization?.slice(7), now))?.user;
    return answer(JSON.stringify({ sub: user?.id, username: user?.username, email: user?.email }));
  }
  if (path === '/oauth/authorize') {
    const grant = await findGrant(userId, clientId);
    const id = newId(now);
    const codeExpiresAt = later(now);
    const own = { id, grantId: grant?.id ?? '', authTime: now, codeExpiresAt };
    await storeAuthorization({ ...blank, ...own }, now);
    const code = make('code', id, 0, now);
    response.writeHead(303, {
      Location: `https://app.example/cb?code=${code}`,
      'Content-Length': '0',
    });
    return response.end();
  }
  const fields = parse((await read(request)).toString());
  if (path === '/oauth/introspect') {
    const token = await live(String(fields.token), now);
    return answer(
      JSON.stringify({
        active: true,
        scope: token?.scope,
        client_id: token?.clientId,
        sub: token?.user?.id,
      }),
    );
  }
  return answer(
    JSON.stringify(
      fields.grant_type === 'refresh_token'
        ? await refresh(String(fields.refresh_token), now)
        : await redeem(String(fields.code), now),
    ),
  );

  function answer(body: string) {
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    });
    response.end(body);
  }
});

const blank = {
  consented: [],
  clientId,
  userId,
  sessionHash: null,
  scope,
  resources: [],
  redirectUri: 'https://app.example/cb',
  stateHash: null,
  codeChallenge: null,
  nonce: null,
  claims: null,
  amr: 'pwd',
  userEpoch: 0,
  clientEpoch: 0,
};

async function live(text = '', now: Date) {
  return (await readAccessToken(text, await opened(text, 'accessToken'), now)).token;
}

async function refresh(presented: string, now: Date) {
  const { id, counter } = await opened(presented, 'refreshToken');
  const next = { counter, scope: null, idleUntil: later(now) };
  const taken = await rotateRefreshToken({ ...judged, id }, next, now);
  return tokens(taken, { id, counter: counter + 1 }, now);
}

async function redeem(presented: string, now: Date) {
  const { id } = await opened(presented, 'code');
  const ends = { idleUntil: later(now), endsAt: later(now), keepUntil: later(now) };
  const bound = { redirectUri: null, stateHash: null, codeChallenge: null };
  return tokens(await redeemCode({ ...judged, id }, bound, ends, now), { id, counter: 0 }, now);
}

async function opened(text: string, kind: Token['kind']): Promise<Token> {
  const token = await openToken(text, kind);
  if (!token) throw new Error('none of ours');
  return token;
}

const make = (kind: Token['kind'], id: string, counter: number, now: Date) =>
  makeToken({ kind, id, counter, expiresAt: later(now), life: 3600, detail: '', jkt: null }, key);

async function tokens(
  taken: Taken | null,
  { id, counter }: Pick<Token, 'id' | 'counter'>,
  now: Date,
) {
  const { user, authTime } = taken?.signedIn ?? {};
  if (!user) throw new Error('no such code or token');
  const iat = Math.floor(now.getTime() / 1000);
  const claims = { iss: 'http://localhost', sub: user.id, aud: clientId, iat, exp: iat + 3600 };
  const sign = await signerFor('ES256', revision, now);
  return {
    access_token: make('accessToken', id, counter, now),
    refresh_token: make('refreshToken', id, counter, now),
    id_token: await sign({ ...claims, auth_time: authTime, email: user.email }, 'JWT'),
  };
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function later(now: Date): Date {
  return new Date(now.getTime() + hour);
}

server.listen(0, '127.0.0.1', () =>
  console.log(`ready ${(server.address() as { port: number }).port}`),
);
process.once('SIGTERM', () => process.exit(0));
