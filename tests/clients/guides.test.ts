// Every sample of the guides, as the page shows it, against a running server.
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { sign } from '#lib/identity/signing.ts';
import { createApi } from '#lib/management/api/apis.ts';
import { readRevision } from '#lib/store/engine/revision.ts';
import { actor, unique } from '../management/people.ts';
import { join } from '../openid/memberships.ts';
import { signIn } from '../openid/sign-in.ts';
import { credentials, me, post, refresh } from '../support/app.ts';
import { newDpopKey, proofOf } from '../support/dpop.ts';
import { freePort } from '../support/free-port.ts';
import { openServer } from '../support/open-server.ts';
import { newClient } from '../support/seed.ts';
import {
  type Around,
  canRun,
  converse,
  notRun,
  output,
  programOf,
  samplesIn,
} from './guide-samples.ts';
import { listening, start } from './recipe-app.ts';
import { allowAt, denyAt, newPerson, openAt } from './visit.ts';

const server = await openServer({ BACKCHANNEL_TO_PRIVATE_ADDRESSES: 'on' });
const { issuer } = server;
const scope = 'openid profile email groups';

/** The first run in Go compiles its libraries. */
const slow = { timeout: 480_000 };
const each = (...languages: string[]) => languages.filter(canRun);

describe('docs/guides/sign-in.md', () => {
  test.each(each('sh', 'js', 'python', 'go'))(
    'a user signs in and their claims are read, in %s',
    slow,
    async (language) => {
      const { user, person } = await newPerson(server);
      const client = await newClient();
      const samples = samplesIn('docs/guides/sign-in.md', language);
      const printed = await converse(samples, { issuer, client }, (to) => allowAt(person, to));
      const last = printed.at(-1) ?? '';
      expect(last).toContain(user.id);
      expect(last).toContain(user.username);
    },
  );

  test('a response with another state is rejected by the sample', async () => {
    const { person } = await newPerson(server);
    const client = await newClient();
    const samples = samplesIn('docs/guides/sign-in.md', 'sh');
    const foreign = async (address: string) => {
      const back = await allowAt(person, address);
      back.searchParams.set('state', 'another');
      return back;
    };
    await expect(converse(samples, { issuer, client }, foreign)).rejects.toThrow('ended with 1');
  });
});

describe('docs/guides/sign-out.md', () => {
  const home = 'https://app.example/';

  test.each(each('sh', 'js', 'python'))('RP-initiated logout, in %s', async (language) => {
    const { person, client, tokens } = await signIn(server, { postLogoutRedirectUris: [home] });
    const env = { ID_TOKEN: tokens.id_token };
    const around = { issuer, client, postLogoutRedirectUris: [home], env };
    const address = output(samplesIn('docs/guides/sign-out.md', language, 0), around);
    expect((await openAt(person, address)).at).toBe(home);
    expect((await person.open('/account')).at).toMatch(/^\/login/);
    // As the page says, signing out leaves the tokens valid.
    expect((await me(server, tokens.access_token)).status).toBe(200);
    expect((await refresh(server, tokens.refresh_token)).status).toBe(200);
  });

  test.each(each('js', 'python'))('back-channel logout, in %s', async (language) => {
    const port = await freePort();
    const { person, client, tokens } = await signIn(server, {
      backchannelLogoutUri: `http://127.0.0.1:${port}/`,
    });
    const samples = samplesIn('docs/guides/sign-out.md', language, 1);
    const { command, args, folder, env } = programOf(samples, { issuer, client });
    const flask = ['-m', 'flask', '--app', 'sample', 'run', '--port', String(port)];
    const child = start(folder, command, language === 'python' ? flask : args, {
      ...(env as Record<string, string>),
      PORT: String(port),
    });
    await listening(port, child);
    const lines = createInterface(child.stdout as Readable)[Symbol.asyncIterator]();
    const heard = async (): Promise<string> => {
      const { value = '', done } = await lines.next();
      return done || value.startsWith('ended') ? value : heard();
    };
    for (const logout_token of [tokens.id_token, tokens.access_token, 'x'])
      expect((await fetch(`http://127.0.0.1:${port}/`, form({ logout_token }))).status).toBe(400);
    const { sid } = JSON.parse(atob(tokens.id_token.split('.')[1] ?? ''));
    await person.open(`/oauth/logout?id_token_hint=${tokens.id_token}`);
    expect(await heard()).toBe(`ended ${sid}`);
  });

  test('revoking a refresh token ends its access token', async () => {
    const { client, tokens } = await signIn(server);
    const env = { REFRESH_TOKEN: tokens.refresh_token };
    output(samplesIn('docs/guides/sign-out.md', 'sh', 1), { issuer, client, env });
    expect((await me(server, tokens.access_token)).status).toBe(401);
  });
});

const form = (fields: Record<string, string>) => ({
  method: 'POST',
  body: new URLSearchParams(fields),
});

describe('docs/guides/refresh.md', () => {
  test.each(each('sh', 'js', 'python', 'go'))('refreshes, in %s', slow, async (language) => {
    const { client, tokens } = await signIn(server);
    const samples = samplesIn('docs/guides/refresh.md', language);
    const run = (REFRESH_TOKEN: string) =>
      output(samples, { issuer, client, env: { REFRESH_TOKEN } });
    const renewed = JSON.parse(run(tokens.refresh_token));
    expect(renewed.refresh_token).not.toBe(tokens.refresh_token);
    expect((await me(server, renewed.access_token)).status).toBe(200);
    if (language !== 'sh') expect(run('gone')).toBe('Sign in again');
    // Immediately repeating the request returns the same tokens, as the page says.
    const repeat = await refresh(server, tokens.refresh_token, credentials(client));
    expect(repeat.body.refresh_token).toBe(renewed.refresh_token);
  });
});

describe('docs/guides/claims.md', () => {
  test.each(each('sh', 'js', 'python'))('reads the user information, in %s', async (language) => {
    const { client, tokens, user } = await signIn(server, {}, { scope: 'openid profile' });
    const env = { ACCESS_TOKEN: tokens.access_token };
    const said = output(samplesIn('docs/guides/claims.md', language), { issuer, client, env });
    expect(JSON.parse(said)).toMatchObject({ sub: user.id, name: 'Ada Lovelace' });
  });
});

describe('docs/guides/roles.md', () => {
  const drivers: Record<string, string> = {
    js: `import { permissionsOf } from './sample.mjs';
console.log([...permissionsOf(JSON.parse(process.env.CLAIMS))].sort().join(' '));
`,
    python: `import json, os
from sample import permissions_of
print(" ".join(sorted(permissions_of(json.loads(os.environ["CLAIMS"])))))
`,
    go: `package main

import ("encoding/json"; "fmt"; "os"; "slices"; "strings")

func main() {
	var claims struct{ Groups []string }
	json.Unmarshal([]byte(os.Getenv("CLAIMS")), &claims)
	var may []string
	for permission := range PermissionsOf(claims.Groups) { may = append(may, permission) }
	slices.Sort(may)
	fmt.Println(strings.Join(may, " "))
}
`,
  };

  test.each(each('js', 'python', 'go'))(
    'groups become permissions, in %s',
    slow,
    async (language) => {
      const { client, tokens, user } = await signIn(server, {}, { scope });
      const claims = async () => JSON.stringify((await me(server, tokens.access_token)).body);
      const samples = samplesIn('docs/guides/roles.md', language);
      const run = async () => {
        const driver = drivers[language] ?? '';
        return output(samples, { issuer, client, env: { CLAIMS: await claims() }, driver });
      };
      expect(await run()).toBe('');
      await join(user.id, 'editors', 'somewhere else');
      expect(await run()).toBe('read write');
    },
  );
});

describe('docs/guides/errors.md', () => {
  const drivers: Record<string, string> = {
    js: `import { trouble } from './sample.mjs';
console.log(JSON.stringify(JSON.parse(process.env.ADDRESSES).map(trouble)));
`,
    python: `import json, os
from sample import trouble
print(json.dumps([trouble(each) for each in json.loads(os.environ["ADDRESSES"])]))
`,
  };

  test.each(each('js', 'python'))('the message after an error, in %s', async (language) => {
    const { person } = await newPerson(server);
    const client = await newClient();
    const asked = (more: string) =>
      `${issuer}/oauth/authorize?response_type=code&client_id=${client.id}&state=s&${more}`;
    const silent = (await openAt(person, asked('prompt=none&scope=openid'))).at;
    const denied = await denyAt(person, asked('scope=openid'));
    const wrong = (await openAt(person, asked('scope=nothing'))).at;
    const allowed = await allowAt(person, asked('scope=openid'));
    const around: Around = {
      issuer,
      client,
      env: { ADDRESSES: JSON.stringify([silent, denied, wrong, allowed]) },
      driver: drivers[language] ?? '',
    };
    const said = JSON.parse(output(samplesIn('docs/guides/errors.md', language), around));
    expect(said).toEqual([
      'Sign in',
      'You said no. Try again?',
      'The sign-in failed. Try again later.',
      null,
    ]);
  });
});

describe('docs/guides/api-tokens.md', () => {
  const drivers: Record<string, string> = {
    js: `import { check } from './sample.mjs';
const said = [];
for (const [token, scope] of JSON.parse(process.env.CASES))
  said.push(await check(token, scope).then(({ sub }) => sub, () => 'no'));
console.log(JSON.stringify(said));
`,
    python: `import json, os
from sample import check

def said(token, scope):
    try:
        return check(token, scope)["sub"]
    except Exception:
        return "no"

print(json.dumps([said(*each) for each in json.loads(os.environ["CASES"])]))
`,
    go: `package main

import ("context"; "encoding/json"; "os")

func main() {
	var cases [][]string
	json.Unmarshal([]byte(os.Getenv("CASES")), &cases)
	said := []string{}
	for _, each := range cases {
		sub, err := Check(context.Background(), each[0], each[1])
		if err != nil { sub = "no" }
		said = append(said, sub)
	}
	json.NewEncoder(os.Stdout).Encode(said)
}
`,
  };

  /** An API, its app, and an app that asks for tokens for it. */
  async function newApi(tokenFormat: 'jwt' | 'opaque', orders = unique('orders')) {
    const server = await newClient({ grants: ['client_credentials'] });
    const client = await newClient({ grants: ['client_credentials'] });
    const identifier = `https://${unique('api')}.example`;
    const invoices = unique('invoices');
    const scopes = [orders, invoices].map((name) => ({ name, description: 'Do it' }));
    const input = { identifier, name: 'API', tokenFormat, scopes, servedBy: [server.id] };
    await createApi(input, actor, new Date());
    const env = { API_CLIENT_ID: server.id, API_CLIENT_SECRET: server.secret };
    const named = { 'https://api.example.org': identifier, 'orders:read': orders };
    return { client, env, named, orders, invoices };
  }

  type Api = Awaited<ReturnType<typeof newApi>>;
  const guide = 'docs/guides/api-tokens.md';

  /** The token that the page's service gets with the page's request. */
  const tokenFor = ({ client, named, env }: Api): string =>
    JSON.parse(output(samplesIn(guide, 'sh', 1), { issuer, client, named, env })).access_token;

  /** The same, bound to a key. */
  async function boundFor({ client, named, orders }: Api): Promise<string> {
    const DPoP = await proofOf(await newDpopKey(), { url: `${issuer}/oauth/token` });
    const resource = named['https://api.example.org'];
    const grant = { grant_type: 'client_credentials', resource, scope: orders };
    const { body } = await post(
      server,
      '/oauth/token',
      { ...credentials(client), ...grant },
      { DPoP },
    );
    expect(body.token_type).toBe('DPoP');
    return String(body.access_token);
  }

  /** A token as this server could have signed it, with a key of its own. */
  async function signed(
    { client, named, orders }: Api,
    alg: 'RS256' | 'ES256',
    more: Record<string, unknown> = {},
  ): Promise<string> {
    const at = Math.floor(Date.now() / 1000);
    const whose = { iss: issuer, aud: named['https://api.example.org'], sub: client.id };
    const says = { client_id: client.id, scope: orders, iat: at, exp: at + 300 };
    const claims = { ...whose, ...says, jti: unique('jti'), ...more };
    return sign(claims, { alg, typ: 'at+jwt' }, await readRevision(), new Date());
  }

  test.for([
    ['jwt', 'js', 0],
    ['jwt', 'python', 0],
    ['jwt', 'go', 0],
    ['opaque', 'js', 1],
    ['opaque', 'python', 1],
  ] as const)(
    '%s tokens are checked, in %s',
    slow,
    async ([format, language, number], { skip }) => {
      skip(!canRun(language), 'This machine lacks the language.');
      const api = await newApi(format);
      const { client, orders, invoices, named } = api;
      // The same scope at another API, signed with the same key.
      const other = await newApi(format, orders);
      const { tokens } = await signIn(server);
      const good = tokenFor(api);
      const cases = [
        [good, orders],
        [good, invoices],
        [tokenFor(other), orders],
        [tokens.id_token, orders],
        [tokens.access_token, orders],
        [`${good.slice(0, -2)}AA`, orders],
        ['', orders],
        [await boundFor(api), orders],
        ...(format === 'jwt'
          ? [
              [await signed(api, 'ES256', { cnf: { jkt: 'x' } }), orders],
              [await signed(api, 'ES256'), orders],
            ]
          : []),
      ];
      const env = { ...api.env, CASES: JSON.stringify(cases) };
      const driver = drivers[language] ?? '';
      const around = { issuer, client, named, env, driver };
      const said = JSON.parse(output(samplesIn(guide, language, number), around));
      // ES256 signs the tokens of strong apps. Those are also bound to a key, and only the binding
      // makes this API refuse them.
      const byES256 = format === 'jwt' ? ['no', client.id] : [];
      expect(said).toEqual([client.id, ...Array.from({ length: 7 }, () => 'no'), ...byES256]);
    },
  );

  test('introspection of an opaque token by its API, and inactive for others', async () => {
    const api = await newApi('opaque');
    const env = { ...api.env, ACCESS_TOKEN: tokenFor(api) };
    const { client, orders } = api;
    const said = JSON.parse(output(samplesIn(guide, 'sh', 0), { issuer, client, env }));
    expect(said).toMatchObject({ active: true, client_id: client.id, scope: orders });
    const { body } = await post(server, '/oauth/introspect', {
      ...credentials(await newClient()),
      token: env.ACCESS_TOKEN,
    });
    expect(body).toEqual({ active: false });
  });
});

test('every sample in docs that names guides.test.ts is run', () => {
  expect(notRun('tests/clients/guides.test.ts')).toEqual([]);
});
