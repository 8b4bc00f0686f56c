import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { frameWords } from '#lib/messages/admin/frame.ts';
import { newId } from '#lib/oauth/secrets.ts';
import { closeStore, read, write } from '#lib/store/database.ts';
import { recordTrace, writeTraces } from '#lib/store/traces.ts';
import { createDatabase, newLogFile } from './support/database.ts';
import type { House } from './support/house.ts';
import { Person } from './support/person.ts';
import { newClient, newUser } from './support/seed.ts';
import { type Server, sharedEnv, startServer } from './support/server.ts';

const build = (file: string) => JSON.parse(readFileSync(`.next/${file}`, 'utf8'));
const routes = Object.keys(build('app-path-routes-manifest.json') as Record<string, string>);
const actions = Object.entries((build('server/server-reference-manifest.json') as Actions).node);
const namedActions = actions.map(
  ([id, action]) => [action.exportedName ?? '', id, action] as const,
);
type Actions = {
  node: Record<
    string,
    { workers: Record<string, unknown>; exportedName?: string; filename?: string }
  >;
};

/** Pages that anybody may open. A new page is here, or refuses everybody who is not signed in. */
const openPages = [
  ...[
    '/page',
    '/login/page',
    '/logout/page',
    '/logout/done/page',
    '/setup/page',
    '/docs/page',
    '/docs/errors/[code]/page',
  ],
  ...['/_not-found/page', '/_global-error/page'],
  ...[
    '/recover/page',
    '/recover/sent/page',
    '/register/page',
    '/register/sent/page',
    '/account/email/done/page',
  ],
  // What a mailed link leads to: without its token they say that it no longer works.
  ...['/recover/reset/page', '/register/finish/page', '/account/email/confirm/page'],
];
/** Pages that belong to a sealed value in their address, and lead to a refusal without it. */
const sealedPages = ['/consent/page', '/expired/page'];
const isClosed = (route: string) =>
  route.endsWith('/page') && ![...openPages, ...sealedPages].includes(route);
const adminPages = routes.filter((route) => isClosed(route) && route.startsWith('/admin/'));
const personalPages = routes.filter((route) => isClosed(route) && !route.startsWith('/admin/'));

let server: Server;
let admin: Person;
/** An admin whose sign-in is an hour old. */
let stale: Person;
let member: Person;
let nobody: Person;
/** What the dashboard shows to admins and nobody else may see. */
let marker = '';
let segments: Record<string, string> = {};

beforeAll(async () => {
  const databaseUrl = await createDatabase('sqlite');
  server = await startServer({ mount: 'direct', databaseUrl, logFile: newLogFile('guards') });
  Object.assign(process.env, sharedEnv, {
    DATABASE_URL: databaseUrl,
    ISSUER: server.origin,
    LOG_LEVEL: 'silent',
  });
  const house = { base: `http://127.0.0.1:${server.port}`, issuer: server.origin } as House;
  const client = await newClient({ name: 'Marker client' });
  const [boss, other, late] = [
    await newUser({ isAdmin: true }),
    await newUser(),
    await newUser({ isAdmin: true }),
  ];
  marker = 'Marker client';
  const traceId = newId(new Date());
  recordTrace(
    {
      ...{ attempt: traceId, requestId: 'guards', step: 'authorize', outcome: 'sign-in' },
      ...{ clientId: client.id, userId: null, strange: false, refusal: null, detail: {} },
    },
    new Date(),
  );
  await writeTraces();
  segments = { clientId: client.id, name: 'profile', userId: other.id, traceId };
  [admin, member, nobody, stale] = [
    new Person(house, boss.username),
    new Person(house, other.username),
    new Person(house),
    new Person(house, late.username),
  ];
  await stale.signIn();
  staleUserId = late.id;
  await age(stale);
  await admin.signIn();
  await member.signIn();
  await nobody.open('/login');
});

afterAll(async () => {
  await server.stop();
  await closeStore();
});

let staleUserId = '';

/** As if it were an hour since this admin signed in. */
async function age(_: Person): Promise<void> {
  const hourAgo = new Date(Date.now() - 3_600_000);
  await write('UPDATE sessions SET auth_time = $2 WHERE user_id = $1', [staleUserId, hourAgo]);
}

/** An address of a route, its holes filled with things that exist. */
function addressOf(route: string): string {
  const path = route
    .replace(/\/page$/, '')
    .replace(/\[+(?:\.\.\.)?(\w+)\]+/g, (_, name: string) => {
      const value = segments[name];
      if (!value) throw new Error(`Say in this test what stands for [${name}] in ${route}.`);
      return value;
    });
  return path || '/';
}

/** The ways Next.js answers a page in: as HTML, as data for its router, whole or ahead of time or in part. */
const variants: { name: string; query: string; headers: Record<string, string> }[] = [
  { name: 'page', query: '', headers: {} },
  { name: 'RSC', query: '?_rsc=1abcd', headers: { RSC: '1' } },
  { name: 'RSC without its parameter', query: '', headers: { RSC: '1' } },
  { name: 'prefetch', query: '?_rsc=1abcd', headers: { RSC: '1', 'Next-Router-Prefetch': '1' } },
  {
    name: 'segment',
    query: '?_rsc=1abcd',
    headers: { RSC: '1', 'Next-Router-Prefetch': '1', 'Next-Router-Segment-Prefetch': '/_full' },
  },
  {
    name: 'RSC of the page alone',
    query: '?_rsc=1abcd',
    headers: {
      RSC: '1',
      'Next-Router-State-Tree': encodeURIComponent(
        JSON.stringify(['', { children: ['admin', { children: ['__PAGE__', {}] }] }]),
      ),
    },
  },
];

type Fields = Record<string, string | string[]>;
/** An act that an admin may do at any time, one that wants a fresh sign-in, or one that does so for what loosens. */
type Guard = 'admin' | 'fresh' | Either;
type Either = { loosening: () => Fields; harmless: () => Fields };

const asksToSignIn = frameWords.signInNeeded.slice(0, 60);
const scopeFields = (more: Fields): Fields => ({ description: 'See photos', ...more });
const clientFields = (more: Fields): Fields => ({
  client: segments.clientId ?? '',
  name: marker,
  type: 'confidential',
  grants: ['authorization_code', 'refresh_token'],
  scopesMode: 'all',
  redirectUris: `https://${segments.clientId}.example/callback`,
  sendIss: 'on',
  idTokenAlg: 'RS256',
  ...more,
});

/** What each action of the dashboard asks of an admin. */
const guards: Record<string, Guard> = {
  // Clients
  addClient: 'fresh',
  saveClient: {
    loosening: () => clientFields({ firstParty: 'on' }),
    harmless: () => clientFields({ description: 'Other words' }),
  },
  addSecret: 'fresh',
  deleteSecret: 'fresh',
  disableClient: 'admin',
  enableClient: 'fresh',
  deleteClient: 'fresh',
  saveLogo: 'admin',
  removeLogo: 'admin',
  // Approvals: those of one person, or those of everybody
  revokeApproval: {
    loosening: () => ({ client: segments.clientId ?? '' }),
    harmless: () => ({ client: segments.clientId ?? '', user: segments.userId ?? '' }),
  },
  // Sign-in attempts
  mendAttempt: 'fresh',
  // Scopes
  addScope: {
    loosening: () => scopeFields({ name: 'photos' }),
    harmless: () => scopeFields({ name: 'photos', sensitive: 'on' }),
  },
  saveScope: {
    loosening: () => scopeFields({ scope: 'phone', isDefault: 'on' }),
    harmless: () => scopeFields({ scope: 'phone', sensitive: 'on' }),
  },
  removeScope: 'fresh',
  // People
  addPerson: 'fresh',
  savePerson: 'fresh',
  endPersonSession: 'admin',
  signPersonOut: 'admin',
  letPersonTry: 'fresh',
  setPersonRole: 'fresh',
  resetPersonPassword: 'fresh',
  removePersonFactors: 'fresh',
  disablePerson: 'fresh',
  enablePerson: 'fresh',
  deletePerson: 'fresh',
  invitePerson: 'fresh',
  takeBackInvitation: 'admin',
  // The server
  saveSettings: 'fresh',
  resetSettings: 'fresh',
  saveBranding: 'fresh',
  saveBrandLogo: 'fresh',
  dropBrandLogo: 'fresh',
  makeNewKeys: 'fresh',
  revokeOneKey: 'fresh',
};

test('the build has pages and actions to look at', () => {
  expect(adminPages.length).toBeGreaterThan(3);
  expect(actions.length).toBeGreaterThan(1);
});

describe.each(adminPages)('%s', (route) => {
  test.each(variants)(
    'as $name shows an admin something, and others nothing',
    async ({ query, headers }) => {
      const path = addressOf(route) + query;
      const shown = await admin.request(path, { headers });
      const title = /<title>(.*?)<\/title>/.exec(await shown.text())?.[1];
      expect([200, 307]).toContain(shown.status);
      for (const person of [nobody, member]) {
        const response = await person.request(path, { headers });
        const text = await response.text();
        expect(text).not.toContain(marker);
        expect(text).not.toContain('id="content"');
        if (title) expect(text).not.toContain(title);
        // Next.js tells its router of a redirect or of a missing page within an answer of its own.
        if (!headers.RSC) expect(response.status).toBe(person === nobody ? 307 : 404);
        else if (response.status === 200)
          expect(text).toMatch(/NEXT_REDIRECT|NEXT_HTTP_ERROR_FALLBACK;404|"isPartial"/);
      }
      const { headers: answer } = await nobody.request(addressOf(route));
      expect(answer.get('location')).toMatch(/^\/login\?back=%2Fadmin/);
    },
  );
});

test.each(personalPages)('%s wants somebody to be signed in', async (route) => {
  const response = await nobody.request(addressOf(route));
  expect(response.status).toBe(307);
  expect(response.headers.get('location')).toMatch(/^\/login/);
});

describe.each(namedActions)('action %s', (exportedName, id, { workers }) => {
  const page = Object.keys(workers)[0]?.replace(/^app/, '') ?? '';
  const body = (fields: Fields) => {
    const form = new FormData();
    for (const [field, values] of Object.entries(fields))
      for (const value of [values].flat()) form.append(`_1_${field}`, value);
    form.set('0', '[{"serial":0,"faults":{}},"$K1"]');
    return form;
  };
  const call = (
    person: Person,
    headers: Record<string, string> = {},
    fields: Fields = { id: segments.clientId ?? '' },
  ) =>
    fetch(person.house.base + addressOf(page), {
      method: 'POST',
      body: body(fields),
      redirect: 'manual',
      headers: {
        'Next-Action': id,
        Accept: 'text/x-component',
        // Next.js wants the very host that was asked.
        Origin: person.house.base,
        Cookie: [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...headers,
      },
    });
  const events = async () =>
    Number((await read('SELECT count(*) AS n FROM audit_events', []))[0]?.n);

  test('is one that the server knows', async () => {
    expect((await call(admin)).headers.get('x-nextjs-action-not-found')).toBeNull();
  });

  test('does nothing for who is no admin, nor from a foreign origin', async () => {
    const before = await events();
    for (const person of [nobody, member]) {
      const response = await call(person);
      if (person === member) expect(response.status).toBe(404);
      else expect(response.headers.get('x-action-redirect')).toMatch(/^\/login\?back=/);
      expect(await response.text()).not.toContain(marker);
    }
    for (const origin of ['https://evil.example', 'null', `${server.origin}.evil.example`]) {
      const response = await call(admin, { Origin: origin });
      expect(response.status).toBe(403);
      expect(await response.text()).not.toContain(marker);
    }
    expect((await call(admin, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect(await events()).toBe(before);
  });

  const guard = guards[exportedName];
  test.skipIf(guard !== 'fresh')('does nothing after an old sign-in', async () => {
    await expectRefusedAsStale(() => call(stale));
  });

  test.skipIf(guard !== 'admin')('asks for no new sign-in', async () => {
    expect(await (await call(stale)).text()).not.toContain(asksToSignIn);
  });

  test.skipIf(typeof guard !== 'object')('wants a new sign-in for what loosens', async () => {
    const { loosening, harmless } = guard as Either;
    await expectRefusedAsStale(() => call(stale, {}, loosening()));
    const allowed = await (await call(stale, {}, harmless())).text();
    expect(allowed).not.toContain(asksToSignIn);
  });

  async function expectRefusedAsStale(work: () => Promise<Response>): Promise<void> {
    const before = await events();
    const response = await work();
    expect(response.status).toBe(200);
    expect(await response.text()).toContain(asksToSignIn);
    expect(await events()).toBe(before);
  }
});

test('each action has its guard in this test', () => {
  const names = namedActions.map(([name]) => name);
  expect(names.sort()).toEqual(Object.keys(guards).sort());
});

test('the export of the audit log wants a fresh sign-in, and comes back to the same search', async () => {
  const search = '?type=client&format=csv';
  const late = await stale.request(`/admin/audit/export${search}`);
  expect(late.status).toBe(303);
  expect(late.headers.get('location')).toBe(
    `/login?back=${encodeURIComponent(`/admin/audit${search}`)}`,
  );
  expect(await late.text()).toBe('');
  expect((await member.request('/admin/audit/export')).status).toBe(404);
  expect((await admin.request(`/admin/audit/export${search}`)).status).toBe(200);
});

test('without scripts, a form that waits for a new sign-in keeps what was typed', async () => {
  const path = '/admin/new-client?kind=web';
  expect((await stale.request(path)).headers.get('location')).toMatch(/^\/login\?back=/);
  const form = (await admin.open(path)).forms.find(({ fields }) => 'kind' in fields);
  const filled = new FormData();
  for (const [name, value] of Object.entries(form?.fields ?? {})) filled.set(name, value);
  filled.set('name', 'Typed with care');
  const response = await fetch(stale.house.base + path, {
    method: 'POST',
    body: filled,
    redirect: 'manual',
    headers: {
      Origin: stale.house.base,
      Cookie: [...stale.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    },
  });
  expect(response.status).toBe(200);
  const html = await response.text();
  expect(html).toContain(asksToSignIn);
  expect(html).toContain('value="Typed with care"');
});
