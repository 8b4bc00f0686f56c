import { describe, expect, test } from 'vitest';
import { basic, credentials, me, readAnswer, refresh, tokensOf } from '../support/app.ts';
import { openServer } from '../support/open-server.ts';
import { newPerson } from '../support/person.ts';
import { newClient } from '../support/seed.ts';

const server = await openServer();
const person = await newPerson(server);
const client = await newClient();
const newCode = () => person.code({ client_id: client.id, response_type: 'code' });
const newRefreshToken = async () => (await tokensOf(server, person, client)).refresh_token;

type Pairs = [string, string | Blob][] | Record<string, string>;

function formOf(pairs: Pairs): FormData {
  const form = new FormData();
  for (const [name, value] of Array.isArray(pairs) ? pairs : Object.entries(pairs))
    form.append(name, value);
  return form;
}

const send = async (path: string, pairs: Pairs, headers: Record<string, string> = {}) =>
  readAnswer(await fetch(server.base + path, { method: 'POST', body: formOf(pairs), headers }));

/** Sends the bytes unchanged, with a boundary like curl's. */
const boundary = '------------------------d74496d66958873e';
const sendRaw = async (
  body: string | Uint8Array<ArrayBuffer>,
  type = `multipart/form-data; boundary=${boundary}`,
) =>
  readAnswer(
    await fetch(`${server.base}/oauth/token`, {
      method: 'POST',
      body,
      headers: { 'Content-Type': type },
    }),
  );
const part = (name: string, value: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

describe('multipart/form-data, which PHP programs send (section 4)', () => {
  test('the code grant, byte for byte as curl writes it', async () => {
    const fields = {
      grant_type: 'authorization_code',
      code: await newCode(),
      ...credentials(client),
      redirect_uri: client.redirectUri,
    };
    const parts = Object.entries(fields).map(([name, value]) => part(name, value));
    const { status, headers, body } = await sendRaw(`${parts.join('')}--${boundary}--\r\n`);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect((await me(server, String(body.access_token))).status).toBe(200);
  });

  test('the refresh grant, revocation, introspection and user information', async () => {
    const refresh_token = await newRefreshToken();
    const { status, body } = await send('/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token,
    });
    expect(status).toBe(200);
    const access_token = String(body.access_token);
    expect((await send('/oauth/me', { access_token })).body.username).toBe(person.user.username);
    const asked = { ...credentials(client), token: access_token };
    expect((await send('/oauth/introspect', asked)).body.active).toBe(true);
    expect((await send('/oauth/revoke', { token: access_token }, basic(client))).status).toBe(200);
    expect((await me(server, access_token)).status).toBe(401);
  });

  test('an empty value counts as omitted', async () => {
    const fields = {
      grant_type: 'refresh_token',
      refresh_token: await newRefreshToken(),
      scope: '',
    };
    expect((await send('/oauth/token', fields)).status).toBe(200);
  });

  const grant: [string, string][] = [['grant_type', 'refresh_token']];
  test.each<
    [string, (token: string) => Promise<{ status: number; body: Record<string, unknown> }>]
  >([
    [
      'a parameter sent twice',
      (token) =>
        send('/oauth/token', [...grant, ['refresh_token', token], ['refresh_token', token]]),
    ],
    [
      'a parameter in the query as well',
      (token) =>
        send('/oauth/token?grant_type=refresh_token', [...grant, ['refresh_token', token]]),
    ],
    ['a file', (token) => send('/oauth/token', [...grant, ['refresh_token', new Blob([token])]])],
    [
      'a file beside the parameters',
      (token) =>
        send('/oauth/token', [...grant, ['refresh_token', token], ['logo', new Blob(['x'])]]),
    ],
    [
      'a parameter of more than 8 KiB',
      (token) =>
        send('/oauth/token', [...grant, ['refresh_token', token], ['x', 'y'.repeat(8193)]]),
    ],
    [
      '65 parameters',
      (token) =>
        send('/oauth/token', [
          ...grant,
          ['refresh_token', token],
          ...Array.from({ length: 63 }, (_, index): [string, string] => [`p${index}`, '1']),
        ]),
    ],
    [
      'NUL',
      (token) =>
        sendRaw(
          `${part('grant_type', 'refresh_token')}${part('refresh_token', token)}${part('x', '\0')}--${boundary}--\r\n`,
        ),
    ],
    [
      'invalid UTF-8',
      (token) =>
        sendRaw(
          Uint8Array.from(
            Buffer.from(
              `${part('grant_type', 'refresh_token')}${part('refresh_token', token)}${part('x', '\xff\xfe')}--${boundary}--\r\n`,
              'latin1',
            ),
          ),
        ),
    ],
    [
      'no end',
      (token) => sendRaw(part('grant_type', 'refresh_token') + part('refresh_token', token)),
    ],
    [
      'another boundary',
      (token) =>
        sendRaw(
          `${part('refresh_token', token)}--${boundary}--`,
          'multipart/form-data; boundary=another-boundary-that-is-long-enough',
        ),
    ],
    [
      'no boundary',
      (token) => sendRaw(`${part('refresh_token', token)}--${boundary}--`, 'multipart/form-data'),
    ],
    ['no parts', () => sendRaw('grant_type=refresh_token')],
  ])('%s: invalid_request, and nothing is consumed', async (_, ask) => {
    const token = await newRefreshToken();
    const { status, body } = await ask(token);
    expect([status, body.error]).toEqual([400, 'invalid_request']);
    expect((await refresh(server, token)).status).toBe(200);
  });

  test('more than 64 KiB: 413', async () => {
    const answer = await send('/oauth/token', { grant_type: 'x'.repeat(66_000) });
    expect([answer.status, answer.body.error]).toEqual([413, 'invalid_request']);
  });

  test('is refused by the authorization endpoint (400)', async () => {
    const body = formOf({ client_id: client.id, response_type: 'code' });
    const response = await fetch(`${server.base}/oauth/authorize`, {
      method: 'POST',
      body,
      redirect: 'manual',
    });
    expect(response.status).toBe(400);
  });
});
