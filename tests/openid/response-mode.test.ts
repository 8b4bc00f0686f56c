import { expect, test } from 'vitest';
import { redeem } from '../support/app.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, type Page, Person } from '../support/person.ts';
import { newClient, newUser } from '../support/seed.ts';
import { asking } from './sign-in.ts';

const server = await openServer();

test('response_mode=form_post answers with a page whose form posts the code', async () => {
  const user = await newUser();
  const client = await newClient();
  const person = new Person(server, user.username);
  const page = await person.authorize(
    asking(client, { response_mode: 'form_post', state: `"><script>` }),
  );
  expect(page.status).toBe(200);
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(page.headers.get('referrer-policy')).toBe('same-origin');
  expect(page.headers.get('content-security-policy')).toContain(
    `form-action 'self' ${new URL(client.redirectUri).origin}`,
  );
  expect(page.forms).toHaveLength(1);
  expect(page.forms[0]).toMatchObject({
    action: client.redirectUri,
    method: 'post',
    fields: { code: expect.any(String), state: `"><script>`, iss: server.issuer },
  });
  expect((await redeem(server, client, page.forms[0]?.fields.code ?? '')).status).toBe(200);
});

test('errors are returned in the response_mode of the request', async () => {
  const client = await newClient();
  const page = await new Person(server).open(
    authorizePath(asking(client, { response_mode: 'form_post', prompt: 'none' })),
  );
  expect(page.forms[0]?.fields).toMatchObject({ error: 'login_required', iss: server.issuer });
});

test('a repeated response_mode gives an error in the query', async () => {
  const asked = [...Object.entries(asking(await newClient(), { response_mode: 'form_post' }))];
  asked.push(['response_mode', 'form_post']);
  const page = await new Person(server).open(authorizePath(asked));
  expect(answerOf(page)).toMatchObject({ error: 'invalid_request', iss: server.issuer });
});

test('response_mode=fragment answers after the # only, with the code and with errors', async () => {
  const user = await newUser();
  const client = await newClient();
  const asked = asking(client, { response_mode: 'fragment', state: 'a b#&' });
  const person = new Person(server, user.username);
  const fragmentOf = async (opened: Promise<Page>) => {
    const { at } = await opened;
    const [address, fragment] = at.split('#', 2);
    expect(address).toBe(client.redirectUri);
    return Object.fromEntries(new URLSearchParams(fragment));
  };
  const silent = person.open(authorizePath({ ...asked, prompt: 'none' }));
  expect(await fragmentOf(silent)).toMatchObject({
    error: 'login_required',
    state: 'a b#&',
    iss: server.issuer,
  });
  const consent = await person.open(authorizePath(asked));
  expect(consent.at).toMatch(/^\/login/);
  const answer = await fragmentOf(person.authorize(asked));
  expect(answer).toMatchObject({ state: 'a b#&', iss: server.issuer });
  expect((await redeem(server, client, answer.code ?? '')).status).toBe(200);
});

test.each(['FRAGMENT', 'jwt', 'query.jwt', 'web_message'])(
  'response_mode=%s is refused, with the error in the query',
  async (response_mode) => {
    const page = await new Person(server).open(
      authorizePath(asking(await newClient(), { response_mode })),
    );
    expect(answerOf(page)).toMatchObject({ error: 'invalid_request', iss: server.issuer });
  },
);
