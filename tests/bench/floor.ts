import { createServer, type IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import { digest, newId, newSecret } from '#lib/oauth/secrets.ts';
import { readAccessToken } from '#lib/store/access-tokens.ts';
import { findCode, redeemCode, storeCode } from '#lib/store/codes.ts';
import { findGrant } from '#lib/store/grants.ts';
import { prisma } from '#lib/store/prisma.ts';
import { findRefreshToken, rotateRefreshToken } from '#lib/store/tokens.ts';

/*
 * The floor: bare node:http and the store's own statements, with not one check and nothing held
 * in memory. It is what a server costs that does nothing but ask the database.
 */
const hour = 3600_000;
const [userId = '', clientId = ''] = process.argv.slice(2);
const epochs = { userEpoch: 0, clientEpoch: 0 };
await (await prisma()).grant.create({
  data: {
    id: 'floor',
    userId,
    clientId,
    scopes: 'profile email',
    remembered: 'profile email',
    createdAt: new Date(),
    updatedAt: new Date(),
  },
});

const server = createServer(async (request, response) => {
  const now = new Date();
  const path = (request.url ?? '').split('?', 1)[0];
  if (path === '/oauth/me') {
    const { token } = await readAccessToken(
      digest(request.headers.authorization?.slice(7) ?? ''),
      now,
    );
    const user = token?.user;
    return answer(JSON.stringify({ sub: user?.id, username: user?.username, email: user?.email }));
  }
  if (path === '/oauth/authorize') {
    const grant = await findGrant(userId, clientId);
    const code = newSecret('code');
    await storeCode(
      {
        ...blankCode,
        hash: digest(code),
        flowId: newId(now),
        grantId: grant?.id ?? '',
        authTime: now,
        expiresAt: later(now),
      },
      now,
    );
    response.writeHead(303, {
      Location: `https://app.example/cb?code=${code}`,
      'Content-Length': '0',
    });
    return response.end();
  }
  const fields = parse((await read(request)).toString());
  if (path === '/oauth/introspect') {
    const { token } = await readAccessToken(digest(String(fields.token)), now);
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

const blankCode = {
  consented: [],
  clientId,
  userId,
  sessionHash: null,
  scope: 'profile email',
  redirectUri: 'https://app.example/cb',
  redirectUriSent: true,
  stateHash: null,
  codeChallenge: null,
  nonce: null,
  claims: null,
  amr: 'pwd',
  ...epochs,
};

async function refresh(presented: string, now: Date) {
  const { token } = await findRefreshToken(digest(presented));
  if (!token) throw new Error('no such token');
  const [access, successor] = [newSecret('accessToken'), newSecret('refreshToken')];
  const accessToken = { hash: digest(access), scope: token.scope, expiresAt: later(now) };
  await rotateRefreshToken(
    {
      old: token,
      usedScope: null,
      replay: '',
      successor: { hash: digest(successor), expiresAt: later(now) },
      accessToken,
    },
    now,
  );
  return { access_token: access, refresh_token: successor };
}

async function redeem(presented: string, now: Date) {
  const { code } = await findCode(digest(presented));
  if (!code) throw new Error('no such code');
  const [access, successor] = [newSecret('accessToken'), newSecret('refreshToken')];
  const expiresAt = later(now);
  await redeemCode(
    {
      code,
      familyId: newId(now),
      familyExpiresAt: expiresAt,
      keepUntil: expiresAt,
      accessToken: { hash: digest(access), expiresAt },
      refreshToken: { hash: digest(successor), expiresAt },
    },
    now,
  );
  return { access_token: access, refresh_token: successor };
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
