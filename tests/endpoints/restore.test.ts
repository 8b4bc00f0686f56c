import { expect, test } from 'vitest';
import { disableClient, enableClient, updateClient } from '#lib/management/client/clients.ts';
import { type Answer, credentials, me, post, redeem, refresh, tokensOf } from '../support/app.ts';
import { takeBackup } from '../support/backup.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { authorizePath, newPerson, Person } from '../support/person.ts';
import { newClient, type TestClient } from '../support/seed.ts';
import { set } from '../support/settings.ts';

const server = await openServer({});
const servers = [server, await server.secondProcess()];
const admin = { id: 'cli' };
const now = () => new Date();

/** A person with an app that every process has seen, holding everything an app can hold. */
async function settled() {
  const person = await newPerson(server);
  const client = await newClient({ redirectUris: [uri] });
  const tokens = await tokensOf(server, person, client);
  const codes = await Promise.all(
    servers.map(() => person.code({ client_id: client.id, response_type: 'code' })),
  );
  const had = { person, client, tokens, codes };
  await look(had);
  return had;
}
type Settled = Awaited<ReturnType<typeof settled>>;
const uri = 'https://restored.example/callback';

const introspect = (at: typeof server, client: TestClient, token: string): Promise<Answer> =>
  post(at, '/oauth/introspect', { ...credentials(client), token });

/** The same browser, at another process. */
function browserAt(at: typeof server, person: Person): Person {
  const browser = new Person(at, person.username);
  for (const [name, value] of person.cookies) browser.cookies.set(name, value);
  return browser;
}

/** What each process answers about an app, including everything that a cache decides. */
function look({ person, client, tokens }: Settled) {
  return Promise.all(
    servers.map(async (at) => {
      const page = await browserAt(at, person).open(
        authorizePath({ client_id: client.id, response_type: 'code' }),
      );
      return {
        authorize: page.at.startsWith(uri) ? 'code' : page.status,
        me: (await me(at, tokens.access_token)).status,
        introspect: (await introspect(at, client, tokens.access_token)).body.active,
      };
    }),
  );
}
/** The page shown for a request without a redirect URI where one is required. */
const withoutAddress = expect.stringContaining('redirect_uri');
const served = { authorize: 'code', me: 200, introspect: true };
const refused = { authorize: 400, me: 401, introspect: undefined };

/**
 * Makes enough changes that a counter, once set back, repeats every number that a process has seen.
 */
async function changeMuch({ client }: Settled): Promise<void> {
  for (const description of ['one', 'two', 'three'])
    await updateClient(client.id, { description }, { actor: admin, now: now() });
  await set('CODE_TTL', '40');
}

test('a backup restored under running servers: a client disabled afterwards is refused by every server immediately', async () => {
  const had = await settled();
  const restore = await takeBackup(server.databaseUrl);
  await changeMuch(had);
  expect(await look(had)).toEqual([served, served]);
  await restore();
  await disableClient(had.client.id, admin, now());
  expect(await look(had)).toEqual([refused, refused]);
  for (const [index, at] of servers.entries()) {
    expect((await refresh(at, had.tokens.refresh_token)).status).toBe(401);
    expect((await redeem(at, had.client, had.codes[index] ?? '')).body.error).toBe(
      'invalid_client',
    );
  }
});

test('a backup restored under running servers: a client that is disabled in it is refused immediately', async () => {
  const had = await settled();
  await disableClient(had.client.id, admin, now());
  const restore = await takeBackup(server.databaseUrl);
  await enableClient(had.client.id, admin, now());
  const again = { ...had, tokens: await tokensOf(server, had.person, had.client) };
  expect(await look(again)).toEqual([served, served]);
  await restore();
  expect(await look(again)).toEqual([refused, refused]);
});

test('a backup restored under running servers: its settings count, and later changes take effect immediately', async () => {
  const had = await settled();
  const ask = () =>
    Promise.all(
      servers.map(async (at) => {
        const asked = { client_id: had.client.id, response_type: 'code' };
        const { at: led, html } = await browserAt(at, had.person).open(authorizePath(asked));
        return led.startsWith(uri) ? 'code' : textOf(html);
      }),
    );
  const restore = await takeBackup(server.databaseUrl);
  await set('ENFORCE_REDIRECT_URI', 'on');
  await set('CODE_TTL', '50');
  expect(await ask()).toEqual([withoutAddress, withoutAddress]);
  await restore();
  expect(await ask()).toEqual(['code', 'code']);
  await set('CODE_TTL', '20');
  await set('ENFORCE_REDIRECT_URI', 'on');
  expect(await ask()).toEqual([withoutAddress, withoutAddress]);
  await set('ENFORCE_REDIRECT_URI', 'off');
});

test('a backup restored under running servers: later sessions and tokens are gone, earlier ones work', async () => {
  const had = await settled();
  const restore = await takeBackup(server.databaseUrl);
  const late = await settled();
  await restore();
  for (const at of servers) {
    expect((await me(at, late.tokens.access_token)).status).toBe(401);
    expect((await me(at, had.tokens.access_token)).status).toBe(200);
  }
  expect((await late.person.open('/account')).at).toMatch(/^\/login/);
  expect((await had.person.open('/account')).at).toBe('/account');
});

test('restore --end-sign-ins ends tokens of client_credentials, too, from before and after the backup', async () => {
  const client = await newClient({ grants: ['client_credentials'], redirectUris: [] });
  const ask = async () => {
    const grant = { ...credentials(client), grant_type: 'client_credentials' };
    return String((await post(server, '/oauth/token', grant)).body.access_token);
  };
  const before = await ask();
  const restore = await takeBackup(server.databaseUrl, true);
  await disableClient(client.id, admin, now());
  await enableClient(client.id, admin, now());
  const after = await ask();
  const states = async (tokens: readonly string[]) =>
    Promise.all(
      tokens.flatMap((token) =>
        servers.map(async (at) => (await introspect(at, client, token)).body.active),
      ),
    );
  expect(await states([before, after])).toEqual([false, false, true, true]);
  await restore();
  expect(await states([before, after])).toEqual([false, false, false, false]);
  expect(await states([await ask()])).toEqual([true, true]);
});
