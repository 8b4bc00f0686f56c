import { describe, expect, test } from 'vitest';
import { deviceGrant } from '#lib/oauth/grant-types.ts';
import { digest } from '#lib/oauth/secrets.ts';
import { write } from '#lib/store/engine/database.ts';
import { raiseRevision } from '#lib/store/engine/revision.ts';
import { inTurn } from '../lanes.ts';
import { newApi } from '../support/apis.ts';
import { post, readAnswer, redeem } from '../support/app.ts';
import { accessTokenType, newServed } from '../support/exchange.ts';
import { openServer } from '../support/open-server.ts';
import { newPerson } from '../support/person.ts';
import { newClient } from '../support/seed.ts';
import { set } from '../support/settings.ts';
import { codeFor, named } from '../support/target.ts';
import { attemptOf } from '../support/traces.ts';
import { filesThatUse, linesWith } from '../world/doors.ts';
import { plain, type Row, rows, type Sent } from '../world/token-bodies.ts';

const server = await openServer({});
const person = await newPerson(server);
/** A secret that form encoding changes, and that cannot be read as if it were encoded. */
const secretOf = (app: number) => `${app}Kf+7/a%b 50%off=`;
const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';
const api = await newServed();
let apps = 0;
async function newApp() {
  apps += 1;
  const secret = secretOf(apps);
  const client = await newClient({
    grants: [
      'authorization_code',
      'refresh_token',
      'client_credentials',
      deviceGrant,
      exchangeGrant,
    ],
    exchangeFor: [api.identifier],
  });
  await write('UPDATE client_secrets SET hash = :hash WHERE client_id = :id', {
    id: client.id,
    hash: digest(secret),
  });
  const own = await newApi({ servedBy: [client.id] });
  await raiseRevision();
  return { client, own, secret };
}
let { client, own, secret } = await newApp();

const scope = 'openid email';
const codeOf = () => person.code({ client_id: client.id, response_type: 'code', scope });
const tokens = async (code?: string, more: Record<string, string> = {}) =>
  (await redeem(server, { ...client, secret }, code ?? (await codeOf()), more)).body as Record<
    string,
    string
  >;
/** A token that the API itself exchanges for one of another API. */
const tokenOfOwn = async () => {
  const both = named(own.identifier, api.identifier);
  const code = await codeFor(person, client, [['scope', scope], ...both]);
  return (await tokens(code, { resource: own.identifier })).access_token ?? '';
};
const accessToken = async () => (await tokens()).access_token ?? '';

/** The requests that programs send, each with what it needs. */
const doors: Record<string, { path: string; params: () => Promise<Record<string, string>> }> = {
  code: {
    path: '/oauth/token',
    params: async () => ({ grant_type: 'authorization_code', code: await codeOf() }),
  },
  refresh: {
    path: '/oauth/token',
    params: async () => ({
      grant_type: 'refresh_token',
      refresh_token: (await tokens()).refresh_token ?? '',
      scope,
    }),
  },
  machine: { path: '/oauth/token', params: async () => ({ grant_type: 'client_credentials' }) },
  exchange: {
    path: '/oauth/token',
    params: async () => ({
      grant_type: exchangeGrant,
      subject_token: await tokenOfOwn(),
      subject_token_type: accessTokenType,
      audience: api.identifier,
    }),
  },
  device: { path: '/oauth/device_authorization', params: async () => ({ scope }) },
  push: { path: '/oauth/par', params: async () => ({ response_type: 'code', scope }) },
  introspect: {
    path: '/oauth/introspect',
    params: async () => ({ token: await accessToken() }),
  },
  revoke: { path: '/oauth/revoke', params: async () => ({ token: await accessToken() }) },
};

/** The names of what each door's request has. */
const namesOf: Record<string, string[]> = {};
for (const [name, { params }] of Object.entries(doors)) namesOf[name] = Object.keys(await params());

async function send(path: string, params: Record<string, string>, row: Row) {
  const asked: Sent = { ...plain, params };
  const sent = { ...asked, ...row.sends(asked) };
  const pair = sent.basic?.(client.id, secret);
  const own: Record<string, string> = sent.basic
    ? {}
    : { client_id: client.id, client_secret: secret };
  const { type, text } = sent.body({ ...sent.params, ...own });
  return readAnswer(
    await fetch(`${server.base}${path}${sent.query && `?${sent.query}`}`, {
      method: 'POST',
      headers: {
        'Content-Type': type,
        ...sent.headers,
        ...(pair && { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` }),
      },
      body: text,
    }),
  );
}

async function expectAnswer(
  answer: Awaited<ReturnType<typeof send>>,
  { answer: due, noted }: Pick<Row, 'answer' | 'noted'>,
) {
  if (due === 'taken') expect(answer.body).not.toHaveProperty('error');
  else
    expect(answer.body).toMatchObject({
      error: due.error,
      error_description: expect.stringContaining(due.says ?? ''),
    });
  if (due === 'taken' && !noted) return;
  const { step } = await attemptOf(answer);
  if (due !== 'taken') expect(step).toMatchObject({ outcome: 'refused', rule: due.rule });
  if (noted) expect(step.notes.map(({ rule }) => rule)).toContain(noted);
}

/** One function reads them all, as a test below says: for a change, each row knocks at one door. */
const cases = rows.flatMap((row, index) => {
  const fits = ([name]: [string, unknown]) =>
    row.not !== name && (!row.needs || namesOf[name]?.includes(row.needs));
  const ways = inTurn(index, Object.entries(doors).filter(fits));
  return ways.map(([name, door]) => ({ ...row, name, door }));
});

describe('endpoints take what clients send', () => {
  let latest = '';
  test.each(cases)('$name: $what ($from)', async ({ door, ...row }) => {
    // Each row has an app of its own: of one app, only a few new attempts a second are kept.
    if (row.what !== latest) ({ client, own, secret } = await newApp());
    latest = row.what;
    await expectAnswer(await send(door.path, await door.params(), row), row);
  });
});

describe.each(['strict', 'fapi'])('in profile %s', (profile) => {
  test.each(rows.filter(({ strictly }) => strictly))('$what is refused', async (row) => {
    const params = await doors.device?.params();
    await set('SECURITY_PROFILE', profile);
    try {
      const answer = await send('/oauth/device_authorization', params ?? {}, row);
      await expectAnswer(answer, { answer: row.strictly ?? 'taken' });
      const { step } = await attemptOf(answer);
      if (row.noted?.startsWith('client-auth'))
        expect(step.notes.map(({ rule }) => rule)).toContain(row.noted);
    } finally {
      await set('SECURITY_PROFILE', null);
    }
  });
});

test('scope is folded at the authorization endpoint as well', async () => {
  const code = await person.code({
    client_id: client.id,
    response_type: 'code',
    scope: ' openid  email ',
  });
  const { body } = await redeem(server, { ...client, secret }, code);
  expect(body.scope).toBe(scope);
});

test('a refusal names the client and what came in the URL', async () => {
  const row = { sends: () => ({ query: 'code=gh_code_x&client-request-id=1' }) } as unknown as Row;
  const { trace, step } = await attemptOf(await send('/oauth/revoke', {}, row));
  expect([trace.clientId, step.received]).toEqual([client.id, 'code']);
});

test('a wrong secret that has white space around the right one is told so', async () => {
  const { step } = await attemptOf(
    await post(server, '/oauth/revoke', { client_id: client.id, client_secret: ` ${secret}\n` }),
  );
  expect(step.expected).toEqual(['the same without the white space around it']);
});

test('every endpoint that reads a form from a program reads it by one function', () => {
  expect(filesThatUse('readProgramParams', 'lib/endpoints/program-params.ts')).toEqual([
    'lib/endpoints/device-authorization.ts',
    'lib/endpoints/introspect.ts',
    'lib/endpoints/pushed-request.ts',
    'lib/endpoints/revoke.ts',
    'lib/endpoints/token.ts',
  ]);
  expect(filesThatUse('readClientCredentials', 'lib/oauth/client-auth.ts')).toEqual([
    'lib/endpoints/client-authentication.ts',
  ]);
  const readers = linesWith(/\breadBodyParams\(/).map((line) => line.split(':')[0]);
  expect([...new Set(readers)]).toEqual([
    'lib/endpoints/logout.ts',
    'lib/endpoints/program-params.ts',
    'lib/endpoints/userinfo.ts',
    'lib/http/body.ts',
  ]);
});
