import { beforeAll, describe, expect, test } from 'vitest';
import { createRegistrationToken } from '#lib/management/registration-token/registration-tokens.ts';
import { readClientDocument } from '#lib/oauth/client-document.ts';
import { openServer } from '../support/open-server.ts';
import { authorizePath, Person } from '../support/person.ts';
import { newAddress, register } from '../support/registering.ts';
import { set } from '../support/settings.ts';
import { refusedRegistrations, registrations } from '../world/registrations.ts';

const server = await openServer({});
beforeAll(() => set('CLIENT_REGISTRATION', 'open'));

describe('a program registers itself with the body that it sends, and is told what was kept (RFC 7591 section 3.2.1)', () => {
  test.each(registrations)('$program', async ({ body: sent, kept, told }) => {
    const { status, body } = await register(server, sent, newAddress());
    expect([status, body.redirect_uris]).toEqual([201, kept ?? sent.redirect_uris]);
    expect(Object.values(body)).not.toContain(null);
    expect(body.scope ?? '').toBe(sent.scope ?? '');
    expect(body.token_endpoint_auth_method).toBe(
      sent.token_endpoint_auth_method || 'client_secret_basic',
    );
    if (told) expect(body).toMatchObject(told);
    const [redirect_uri = ''] = kept ?? sent.redirect_uris;
    const page = await new Person(server).open(
      authorizePath({
        client_id: String(body.client_id),
        redirect_uri,
        response_type: 'code',
        code_challenge: 'a'.repeat(43),
        code_challenge_method: 'S256',
      }),
    );
    expect(page.at).toMatch(/^\/login\?flow=/);
  });

  test.each(registrations)('$program, with a token: all addresses are kept', async ({ body }) => {
    const { token } = await createRegistrationToken(
      { name: 'Test', life: '1 day' },
      { id: 'cli' },
      new Date(),
    );
    const headers = { ...newAddress(), Authorization: `Bearer ${token}` };
    const answer = await register(server, body, headers);
    expect([answer.status, answer.body.redirect_uris]).toEqual([201, [body.redirect_uris].flat()]);
  });

  test.each(refusedRegistrations)(
    '$program: the real reason is told (section 3.2.2)',
    async ({ body, error, reason }) => {
      const answer = await register(server, body, newAddress());
      expect([answer.status, answer.body.error]).toEqual([400, error]);
      expect(answer.body.error_description).toBe(reason);
    },
  );
});

test('an address of a place that was left out is not followed', async () => {
  const [cursor] = registrations;
  const { body } = await register(server, cursor?.body, newAddress());
  const page = await new Person(server).open(
    authorizePath({
      client_id: String(body.client_id),
      redirect_uri: 'https://www.cursor.com/agents/mcp/oauth/callback',
      response_type: 'code',
    }),
  );
  expect(page.status).toBe(400);
});

test('two hosts without a scheme are still refused', async () => {
  const redirect_uris = ['https://claude.ai/cb', 'https://evil.example/cb'];
  expect((await register(server, { redirect_uris }, newAddress())).status).toBe(400);
});

describe('a metadata document may have null where something is absent', () => {
  const id = 'https://app.example.org/client';
  test.each(registrations.filter(({ kept }) => !kept))('$program', ({ body }) => {
    const { token_endpoint_auth_method: _, ...rest } = body;
    const read = readClientDocument(id, JSON.stringify({ client_id: id, ...rest, jwks: null }));
    expect(read).toHaveProperty('content');
  });
});
