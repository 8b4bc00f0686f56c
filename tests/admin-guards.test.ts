import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { needToOpen, pages } from '#app/admin/pages.ts';
import { turnField } from '#app/admin/ui/forms/state.ts';
import { importActs } from '#lib/import/acts.ts';
import { actingAs, perform } from '#lib/management/act.ts';
import { type ApiRecord, createApi } from '#lib/management/api/apis.ts';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { batchActs } from '#lib/management/batch/acts.ts';
import { addContact, removeContact } from '#lib/management/client/contacts.ts';
import { createField } from '#lib/management/field/user-fields.ts';
import { createGroup, type Group } from '#lib/management/group/groups.ts';
import { createTerms } from '#lib/management/terms/terms.ts';
import { setRole } from '#lib/management/user/users.ts';
import { textIn } from '#lib/messages/text.ts';
import { newId } from '#lib/oauth/secrets.ts';
import { may, type Permission } from '#lib/people/roles.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { findProvider } from '#lib/store/providers.ts';
import { recordTrace, writeTraces } from '#lib/store/traces.ts';
import { inTurn } from './lanes.ts';
import { unescapeHtml } from './support/html.ts';
import { openOwnServer } from './support/open-server.ts';
import { Person } from './support/person.ts';
import { giveIdentity, newProvider } from './support/providers.ts';
import { newClient, newUser } from './support/seed.ts';
import { set } from './support/settings.ts';

const say = textIn('en');

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

/**
 * Pages that anyone may open. A new page has to be listed here, or refuse everyone who is not
 * signed in.
 */
const openPages = [
  '/page',
  '/login/page',
  '/login/code/page',
  '/logout/page',
  '/logout/done/page',
  '/setup/page',
  '/docs/page',
  '/docs/[...page]/page',
  '/docs/recipes/page',
  '/docs/recipes/[id]/page',
  '/docs/errors/[code]/page',
  '/_not-found/page',
  '/_global-error/page',
  '/recover/page',
  '/recover/sent/page',
  '/register/page',
  '/register/sent/page',
  '/account/email/done/page',
  '/recover/not-me/done/page',
  '/account/delete/done/page',
  '/device/allowed/page',
  '/device/denied/page',
  '/device/over/page',
  // Pages that a mailed link leads to. Without its token they say that the link no longer works.
  '/recover/reset/page',
  '/register/finish/page',
  '/account/email/confirm/page',
  '/recover/not-me/page',
];
/** Pages that need a sealed value in their address, and lead to a refusal without it. */
const sealedPages = [
  '/approval/page',
  '/consent/page',
  '/device/confirm/page',
  '/expired/page',
  '/no-access/page',
];
const isClosed = (route: string) =>
  route.endsWith('/page') && ![...openPages, ...sealedPages].includes(route);
const adminPages = routes.filter((route) => isClosed(route) && route.startsWith('/admin/'));
const personalPages = routes.filter((route) => isClosed(route) && !route.startsWith('/admin/'));

const server = await openOwnServer('sqlite');
let admin: Person;
/** An admin whose sign-in is an hour old. */
let stale: Person;
let member: Person;
/** One person for each role, and a developer of the app that is shown. */
let roles: Record<'support' | 'auditor' | 'developer', Person>;
let staleSupport: Person;
let nobody: Person;
/** Texts that the dashboard shows only to admins. */
let marker = '';
let nameOfBoss = '';
let segments: Record<string, string> = {};
let group: Group;
let api: ApiRecord;

beforeAll(async () => {
  const client = await newClient({ name: 'Marker client', maxSignInAge: 3600, access: 'listed' });
  const boss = await newUser({ isAdmin: true });
  const other = await newUser();
  const late = await newUser({ isAdmin: true });
  marker = 'Marker client';
  nameOfBoss = boss.username;
  const traceId = newId(new Date());
  recordTrace(
    {
      attempt: traceId,
      requestId: 'guards',
      step: 'authorize',
      outcome: 'sign-in',
      clientId: client.id,
      userId: boss.id,
      behind: 'app',
      refusal: null,
    },
    new Date(),
  );
  await writeTraces();
  const field = { name: 'shirt-size', label: 'Shirt size', scope: 'profile' };
  await createField(field, { id: 'cli' }, new Date());
  group = await createGroup({ name: 'editors' }, { id: 'cli' }, new Date());
  const { id: groupId } = group;
  const identifier = 'https://mcp.example.org/mcp';
  api = await createApi({ identifier, name: 'Files' }, { id: 'cli' }, new Date());
  // Not in force, so that nobody is asked.
  const from = new Date(Date.now() + 1e9);
  const terms = { name: '2099-01', texts: { any: 'Be kind.' }, from };
  await createTerms(terms, { id: 'cli' }, new Date());
  segments = {
    place: 'mail-recovery',
    version: terms.name,
    clientId: client.id,
    name: 'profile',
    field: field.name,
    userId: other.id,
    traceId,
    groupId,
    apiId: api.id,
    providerId: await newProvider(),
    eventId: (await listAudit({ limit: 1 })).rows[0]?.id ?? '',
    operation: 'sign-out',
  };
  await giveIdentity(other.id, segments.providerId ?? '');
  [admin, member, nobody, stale] = [
    new Person(server, boss.username),
    new Person(server, other.username),
    new Person(server),
    new Person(server, late.username),
  ];
  const helper = await newUser({ role: 'support' });
  const tired = await newUser({ role: 'support' });
  const auditor = await newUser({ role: 'auditor' });
  const developer = await newUser();
  await addContact(client.id, developer.id, { id: 'cli' }, new Date());
  roles = {
    support: new Person(server, helper.username),
    auditor: new Person(server, auditor.username),
    developer: new Person(server, developer.username),
  };
  staleSupport = new Person(server, tired.username);
  const support = { ...actingAs('support', { id: helper.id }), now: new Date() };
  const said = { operation: 'sign-out' as const, ids: ['nobody'] };
  const begun = await perform(batchActs.start, said, { ...support, demandFresh: () => {} });
  segments.batchId = begun.id;
  await set('registration', 'invitation');
  const list = { list: 'ada@example.org' };
  const read = await perform(importActs.read, list, { ...support, demandFresh: () => {} });
  segments.listId = read.id;
  const file = { from: 'csv' as const, file: 'email\nmoved@example.org' };
  const boss0 = { ...actingAs('admin', { id: boss.id }), now: new Date(), demandFresh: () => {} };
  segments.fileId = (await perform(importActs.readFile, file, boss0)).id;
  adminId = boss.id;
  for (const person of [...Object.values(roles), staleSupport, stale]) await person.signIn();
  for (const { id } of [late, tired]) await age(id);
  await admin.signIn();
  await member.signIn();
  await nobody.open('/login');
});

let adminId = '';

/** Makes this person's sign-in an hour old. */
async function age(userId: string): Promise<void> {
  const hourAgo = new Date(Date.now() - 3_600_000);
  await write('UPDATE sessions SET auth_time = $2 WHERE user_id = $1', [userId, hourAgo]);
}

type Held = keyof typeof roles;
const held: Held[] = ['support', 'auditor', 'developer'];
/** The pages that support staff and auditors may open. A new page is listed here or refuses them. */
const forBoth = `
  /search /people /people/invite /people/batches /people/batches/[batchId] /people/[userId]`;
const onlyForSupport =
  '/people/import /people/import/[listId] /people/many/[operation] /people/batches/[batchId]/undo';
const onlyForAuditors = `
  /export /people/[userId]/leave /people/unused
  /clients /clients/[clientId] /clients/[clientId]/connect /clients/[clientId]/access
  /clients/[clientId]/activity /clients/[clientId]/preview /clients/[clientId]/settings
  /groups /groups/[groupId] /providers /providers/[providerId] /directories
  /scopes /scopes/[name] /scopes/[name]/edit /apis /apis/[apiId]
  /deleted /fields /fields/[field] /fields/[field]/edit /terms /terms/[version] /approvals /approvals/matrix
  /traces /traces/[traceId] /audit /audit/[eventId]
  /settings /settings/api /settings/general /settings/keys /settings/look /settings/new-apps
  /settings/look/words /settings/look/words/[place]
  /settings/permissions /settings/security /settings/sign-in`;
const wordsOf = (paths: string) => paths.trim().split(/\s+/);
const opened: Record<Held, readonly string[]> = {
  support: ['', ...wordsOf(forBoth), ...wordsOf(onlyForSupport)],
  auditor: ['', ...wordsOf(forBoth), ...wordsOf(onlyForAuditors)],
  developer: [],
};
const pathOf = (route: string) => route.replace(/\/page$/, '');
const opens = (role: Held, route: string) =>
  opened[role].some((path) => `/admin${path}` === pathOf(route));

/** An address of a route, with existing things in its placeholders. */
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

/**
 * The ways in which Next.js answers a page: as HTML, or as data for its router, either whole, ahead
 * of time or in part.
 */
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

const ways = variants.slice(1);

type Fields = Record<string, string | string[]>;
/**
 * An act that an admin may do at any time, one that requires a fresh sign-in, or one that requires
 * it only for changes that loosen.
 */
type Guard = 'admin' | 'fresh' | Either;
type Either = { loosening: () => Fields; harmless: () => Fields };

const asksToSignIn = say('frame.signInNeeded').slice(0, 60);
const scopeFields = (more: Fields): Fields => ({ description: 'See photos', ...more });
const fieldFields = (more: Fields): Fields => ({
  label: 'Label',
  type: 'text',
  editor: 'admin',
  scope: 'profile',
  ...more,
});
const groupFields = (more: Fields): Fields => ({
  group: group.id,
  name: group.name,
  seen: String(group.updatedAt.getTime()),
  ...more,
});
const providerForm = (more: Fields): Fields => ({
  provider: segments.providerId ?? '',
  name: 'Example',
  client_id: 'gatehouse',
  issuer: 'https://idp.example.com',
  enabled: 'on',
  may_sign_in: 'on',
  position: '0',
  ...more,
});
const clientFields = (more: Fields): Fields => ({
  client: segments.clientId ?? '',
  name: marker,
  type: 'confidential',
  grants: ['authorization_code', 'refresh_token'],
  scopesMode: 'all',
  redirectUris: `https://${segments.clientId}.example/callback`,
  sendIss: 'on',
  idTokenAlg: 'RS256',
  subjectType: 'public',
  ...more,
});

const apiFields = (more: Fields): Fields => ({
  api: api.id,
  name: api.name,
  tokenFormat: 'opaque',
  access: 'admins',
  seen: String(api.updatedAt.getTime()),
  ...more,
});

const accessFields = (more: Fields): Fields => ({
  client: segments.clientId ?? '',
  access: 'listed',
  maxSignInAge: '1 hour',
  groupsClaim: 'groups',
  claimShape: 'standard',
  ...more,
});

/**
 * What roles other than admin may do; everything else needs an admin. A new action is either listed
 * here or refuses the other roles.
 */
const needs: Record<string, Permission> = {
  endPersonSession: 'help-people',
  unlinkPersonIdentity: 'help-people',
  endAppPassword: 'help-people',
  signPersonOut: 'help-people',
  letPersonTry: 'help-people',
  resetPersonPassword: 'help-people',
  removePersonFactors: 'help-people',
  invitePerson: 'help-people',
  takeBackInvitation: 'help-people',
  startForMany: 'help-people',
  stopForMany: 'help-people',
  undoForMany: 'help-people',
  readPeople: 'help-people',
  invitePeople: 'help-people',
  makeLinks: 'help-people',
  confirmExport: 'see-everything',
};

/** What each action of the dashboard requires of an admin. */
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
  // Apps that registered themselves
  approveNewApp: 'fresh',
  refuseNewApp: 'admin',
  blockOneHost: 'admin',
  unblockOneHost: 'fresh',
  removeHostApps: 'fresh',
  // Approvals, of one person or of everybody
  revokeApproval: {
    loosening: () => ({ client: segments.clientId ?? '' }),
    harmless: () => ({ client: segments.clientId ?? '', user: segments.userId ?? '' }),
  },
  saveAccess: {
    loosening: () => accessFields({ access: 'everybody' }),
    harmless: () => accessFields({ maxSignInAge: '30 minutes' }),
  },
  allowOnClient: 'fresh',
  disallowOnClient: 'admin',
  addClientContact: 'fresh',
  removeClientContact: 'admin',
  setClientOwner: {
    loosening: () => ({ client: segments.clientId ?? '', user: segments.userId ?? '' }),
    harmless: () => ({ client: segments.clientId ?? '', user: '' }),
  },
  // Trying an app
  continueTrial: 'fresh',
  checkSites: 'admin',
  // Sign-in attempts
  fixAttempt: 'fresh',
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
  // APIs
  addApi: 'fresh',
  saveApi: {
    loosening: () => apiFields({ access: 'anyone' }),
    harmless: () => apiFields({ description: 'Other words' }),
  },
  removeApi: 'fresh',
  addApiClient: 'fresh',
  removeApiClient: 'admin',
  // Fields of people
  addField: {
    loosening: () => fieldFields({ name: 'plan', editor: 'person' }),
    harmless: () => fieldFields({ name: 'plan' }),
  },
  saveField: {
    loosening: () => fieldFields({ field: 'shirt-size', scope: 'email' }),
    harmless: () => fieldFields({ field: 'shirt-size', label: 'Size' }),
  },
  removeField: 'fresh',
  addTerms: 'fresh',
  stopAsking: 'fresh',
  // Groups
  addGroup: 'admin',
  saveGroup: {
    loosening: () => groupFields({ name: 'admins' }),
    harmless: () => groupFields({ description: 'Other words' }),
  },
  removeGroup: 'fresh',
  addGroupMembers: 'fresh',
  removeGroupMember: 'admin',
  addPersonToGroup: 'fresh',
  removePersonFromGroup: 'admin',
  // Providers
  addProvider: 'fresh',
  saveProvider: {
    loosening: () => providerForm({ may_register: 'on' }),
    harmless: () => providerForm({ button_words: 'Go on with it' }),
  },
  removeProvider: 'fresh',
  // Directories
  syncDirectoryNow: 'fresh',
  linkToDirectory: 'fresh',
  unlinkFromDirectory: 'fresh',
  // People
  addPerson: 'fresh',
  savePerson: 'fresh',
  endPersonSession: 'admin',
  unlinkPersonIdentity: 'fresh',
  endAppPassword: 'admin',
  makeAppPassword: 'fresh',
  signPersonOut: 'admin',
  letPersonTry: 'fresh',
  setPersonRole: 'fresh',
  setPersonEnd: 'fresh',
  warnUnused: 'fresh',
  resetPersonPassword: 'fresh',
  removePersonFactors: 'fresh',
  requirePersonSteps: 'fresh',
  disablePerson: 'fresh',
  enablePerson: 'fresh',
  keepPerson: 'fresh',
  deletePerson: 'fresh',
  leaveForGood: 'fresh',
  invitePerson: 'fresh',
  startForMany: 'fresh',
  stopForMany: 'admin',
  undoForMany: 'fresh',
  putBack: 'fresh',
  deleteForGood: 'fresh',
  readPeople: 'admin',
  invitePeople: 'fresh',
  makeLinks: 'fresh',
  confirmExport: 'fresh',
  readProgramFile: 'admin',
  bringPeople: 'fresh',
  takeBackInvitation: 'admin',
  // The server
  saveSettings: 'fresh',
  sendTestMail: 'admin',
  examineServer: 'admin',
  saveServerStep: 'fresh',
  resetSettings: 'fresh',
  addApiKey: 'fresh',
  endApiKey: 'admin',
  addRegistrationToken: 'fresh',
  deleteRegistrationToken: 'admin',
  saveBranding: 'fresh',
  saveBrandLogo: 'fresh',
  dropBrandLogo: 'fresh',
  saveDarkLogo: 'fresh',
  dropDarkLogo: 'fresh',
  saveIcon: 'fresh',
  dropIcon: 'fresh',
  saveWords: 'fresh',
  resetWords: 'fresh',
  makeNewKeys: 'fresh',
  revokeOneKey: 'fresh',
};

test('the build has dashboard pages and actions to test', () => {
  expect(adminPages.length).toBeGreaterThan(3);
  expect(actions.length).toBeGreaterThan(1);
});

describe.each(adminPages)('the dashboard page %s', (route) => {
  const refused = held.filter((role) => !opens(role, route));
  let title: string | undefined;

  test('is shown to an admin, and redirects an anonymous request to the sign-in page', async () => {
    const shown = await admin.request(addressOf(route));
    expect([200, 307]).toContain(shown.status);
    title = /<title>(.*?)<\/title>/.exec(await shown.text())?.[1];
    // For a change, only one of the other ways is tested per page, in turn. Refusals are tested in
    // all of them.
    for (const { query, headers } of inTurn(adminPages.indexOf(route), ways))
      expect([200, 307]).toContain(
        (await admin.request(addressOf(route) + query, { headers })).status,
      );
    const { headers } = await nobody.request(addressOf(route));
    expect(headers.get('location')).toMatch(/^\/login\?back=%2Fadmin/);
  });

  test.each(variants)('requested as $name shows nothing to anyone else', async (variant) => {
    const { query, headers } = variant;
    const path = addressOf(route) + query;
    // Who is refused does not depend on the way. So all roles are tested with the page as HTML, and
    // one role in turn with each other way.
    const among = variant === variants[0] ? refused : inTurn(variants.indexOf(variant), refused);
    for (const person of [nobody, member, ...among.map((role) => roles[role])]) {
      const response = await person.request(path, { headers });
      const text = await response.text();
      expect(text).not.toContain(marker);
      expect(text).not.toContain('id="content"');
      if (title) expect(text).not.toContain(title);
      // Next.js reports a redirect or a missing page to its router inside an ordinary answer.
      if (!headers.RSC) expect(response.status).toBe(person === nobody ? 307 : 404);
      else if (response.status === 200)
        expect(text).toMatch(/NEXT_REDIRECT|NEXT_HTTP_ERROR_FALLBACK;404|"isPartial"/);
    }
  });

  test('shows each role only the forms that it may send and the links that it may follow', async () => {
    for (const role of held.filter((each) => opens(each, route))) {
      const response = await roles[role].request(addressOf(route));
      if (response.status === 307) continue;
      const text = await response.text();
      expect([response.status, text.includes('id="content"')], role).toEqual([200, true]);
      if (role === 'auditor') expect(text).not.toMatch(/\$ACTION_|<form[^>]*method="post"/i);
      for (const [, href = ''] of text.matchAll(/href="(\/admin[^"]*)"/g))
        expect(may(role, needToOpen(unescapeHtml(href))), `${role}: ${href}`).toBe(true);
    }
  });
});

test('each dashboard page has its row in the table of pages, and each row its page', () => {
  const exports = [
    'approvals',
    'approvals/matrix',
    'audit',
    'clients',
    'people',
    'terms',
    'traces',
  ].map((list) => `/admin/${list}/export`);
  const all = [...adminPages.map(pathOf), ...exports, '/admin/find'];
  expect(Object.keys(pages).sort()).toEqual(all.sort());
});

test.each(['support', 'auditor', 'developer'] as const)(
  'links of a %s lead to the pages that this role may open',
  (role) => {
    const led = adminPages.map(pathOf).filter((path) => may(role, needToOpen(path)));
    expect(led.sort()).toEqual(opened[role].map((path) => `/admin${path}`).sort());
  },
);

describe('the pages for developer contacts of an app', () => {
  const pages = () => {
    const app = `/account/developer/${segments.clientId}`;
    return [app, `${app}/${segments.traceId}`, `${app}?request=guards`];
  };

  test.each(variants)(
    'requested as $name show nothing to a user who is not a contact',
    async ({ query, headers }) => {
      const { traceId = '' } = segments;
      for (const page of pages()) {
        const joined = query && page.includes('?') ? `&${query.slice(1)}` : query;
        for (const person of [nobody, member]) {
          const text = await (await person.request(page + joined, { headers })).text();
          expect(text).not.toContain(marker);
          // A page may repeat an attempt's id that was in its address.
          if (!page.includes(traceId)) expect(text).not.toContain(traceId);
        }
        expect((await member.request(page)).status).toBe(404);
        expect((await nobody.request(page)).headers.get('location')).toMatch(/^\/login\?back=/);
      }
    },
  );

  test('show a contact only this app, without names, secrets and buttons, until the contact is removed', async () => {
    const other = await newClient({ name: 'Another client' });
    await addContact(segments.clientId ?? '', segments.userId ?? '', { id: 'cli' }, new Date());
    const list = await (await member.request('/account/developer')).text();
    expect(list).toContain(marker);
    expect(list).not.toContain('Another client');
    for (const page of pages()) {
      const response = await member.request(page);
      const text = await response.text();
      expect(response.status).toBe(200);
      expect(text).toContain(marker);
      expect(text).not.toContain('method="post"');
      expect(text).not.toContain('/admin/');
      expect(text).not.toContain(nameOfBoss);
    }
    expect(await (await member.request(`${pages()[0]}?request=guards`)).text()).toContain(
      segments.traceId,
    );
    const foreign = `/account/developer/${other.id}`;
    for (const page of [foreign, `${foreign}/${segments.traceId}`, `${foreign}?request=guards`])
      expect((await member.request(page)).status).toBe(404);
    for (const page of adminPages)
      expect((await member.request(addressOf(page))).status, page).toBe(404);
    await removeContact(segments.clientId ?? '', segments.userId ?? '', { id: 'cli' }, new Date());
    for (const page of pages()) expect((await member.request(page)).status).toBe(404);
  });
});

test.each(personalPages)('the page %s requires a signed-in user', async (route) => {
  const response = await nobody.request(addressOf(route));
  expect(response.status).toBe(307);
  expect(response.headers.get('location')).toMatch(/^\/login/);
});

describe.each(namedActions)('the server action %s', (exportedName, id, { workers }) => {
  const page = Object.keys(workers)[0]?.replace(/^app/, '') ?? '';
  const body = (person: Person, fields: Fields) => {
    const form = new FormData();
    // As the forms that this person is shown.
    form.append(`_1_${turnField}`, person.cookies.get('gh_turn') ?? '');
    for (const [field, values] of Object.entries(fields))
      for (const value of [values].flat()) form.append(`_1_${field}`, value);
    form.set('0', '[{"serial":0,"faults":{}},"$K1"]');
    return form;
  };
  const call = (
    person: Person,
    headers: Record<string, string> = {},
    // With the address of a list, for the action that goes on to its export.
    fields: Fields = { id: segments.clientId ?? '', href: '/admin/audit/export' },
  ) =>
    fetch(person.server.base + addressOf(page), {
      method: 'POST',
      body: body(person, fields),
      redirect: 'manual',
      headers: {
        'Next-Action': id,
        Accept: 'text/x-component',
        // Next.js wants exactly the host that was requested.
        Origin: person.server.base,
        Cookie: [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...headers,
      },
    });
  const events = async () =>
    Number((await read('SELECT count(*) AS n FROM audit_events', []))[0]?.n);

  test('does nothing for users who are not admins, nor from a foreign origin', async () => {
    const before = await events();
    for (const person of [nobody, member, roles.developer]) {
      const response = await call(person);
      if (person !== nobody) expect(response.status).toBe(404);
      else expect(response.headers.get('x-action-redirect')).toMatch(/^\/login\?back=/);
      expect(await response.text()).not.toContain(marker);
    }
    for (const origin of ['https://evil.example', 'null', `${server.issuer}.evil.example`]) {
      const response = await call(admin, { Origin: origin });
      expect(response.status).toBe(403);
      expect(await response.text()).not.toContain(marker);
    }
    expect((await call(admin, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect(await events()).toBe(before);
  });

  const need = needs[exportedName] ?? 'admin';
  test('exists, and refuses a role that may not use it', async () => {
    const before = await events();
    for (const role of ['support', 'auditor'] as const) {
      const response = await call(roles[role]);
      const text = await response.text();
      expect(response.status).toBe(200);
      expect(response.headers.get('x-nextjs-action-not-found')).toBeNull();
      expect(text.includes(say('frame.notAllowed')), role).toBe(!may(role, need));
      expect(text).not.toContain(marker);
    }
    expect(await events()).toBe(before);
  });

  test.runIf(need === 'help-people')('does nothing to a user who has a role', async () => {
    const before = await events();
    const text = await (await call(roles.support, {}, { id: adminId })).text();
    expect(text).not.toContain(say('frame.notAllowed'));
    if (/Person/.test(exportedName) && exportedName !== 'invitePerson')
      expect(text).toContain('has a role in this dashboard');
    expect(await events()).toBe(before);
  });

  test.runIf(need === 'help-people' && guards[exportedName] === 'fresh')(
    'does nothing for the support role after an old sign-in',
    async () => {
      await expectRefusedAsStale(() => call(staleSupport, {}, { id: segments.userId ?? '' }));
    },
  );

  const guard = guards[exportedName];
  test.skipIf(guard !== 'fresh')('does nothing after an old sign-in', async () => {
    await expectRefusedAsStale(() => call(stale));
  });

  test.skipIf(guard !== 'admin')('does not ask for a new sign-in', async () => {
    expect(await (await call(stale)).text()).not.toContain(asksToSignIn);
  });

  test.skipIf(typeof guard !== 'object')(
    'requires a new sign-in only for a change that loosens',
    async () => {
      const { loosening, harmless } = guard as Either;
      await expectRefusedAsStale(() => call(stale, {}, loosening()));
      const allowed = await (await call(stale, {}, harmless())).text();
      expect(allowed).not.toContain(asksToSignIn);
    },
  );

  async function expectRefusedAsStale(work: () => Promise<Response>): Promise<void> {
    const before = await events();
    const response = await work();
    expect(response.status).toBe(200);
    expect(await response.text()).toContain(asksToSignIn);
    expect(await events()).toBe(before);
  }
});

test('each server action has its guard in this test', () => {
  const names = namedActions.map(([name]) => name);
  expect(names.sort()).toEqual(Object.keys(guards).sort());
});

test('each declared permission belongs to a server action', () => {
  const names = namedActions.map(([name]) => name);
  expect(Object.keys(needs).filter((name) => !names.includes(name))).toEqual([]);
});

test('an open dashboard page can no longer be used once the role is taken away', async () => {
  const { id, username } = await newUser({ role: 'support' });
  const person = new Person(roles.support.server, username);
  await person.signIn();
  const page = `/admin/people/${(await newUser()).id}`;
  // The form for signing out everywhere: the first one that names only the person.
  const form = (await person.open(page)).forms.find(
    ({ fields }) => 'id' in fields && !('session' in fields),
  );
  const filled = new FormData();
  for (const [name, value] of Object.entries(form?.fields ?? {})) filled.set(name, value);
  const send = () =>
    fetch(person.server.base + page, {
      method: 'POST',
      body: filled,
      redirect: 'manual',
      headers: {
        Origin: person.server.base,
        Cookie: [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
    });
  const events = async () =>
    Number(
      (await read("SELECT count(*) AS n FROM audit_events WHERE type = 'session.ended'", []))[0]?.n,
    );
  const before = await events();
  await setRole(id, 'auditor', { id: 'cli' }, new Date());
  expect(await (await send()).text()).toContain(say('frame.notAllowed'));
  await setRole(id, 'none', { id: 'cli' }, new Date());
  expect((await send()).status).toBe(404);
  expect(await events()).toBe(before);
  // Getting a role requires a new sign-in, because the browser might belong to someone who reset
  // the person's password.
  await setRole(id, 'support', { id: 'cli' }, new Date());
  expect((await send()).headers.get('location')).toMatch(/^\/login/);
  expect(await events()).toBe(before);
});

test('the stream of sign-in attempts is only for roles that see every app', async () => {
  const path = `/admin/listen?client=${segments.clientId}`;
  for (const person of [member, roles.support, roles.developer])
    expect((await person.request(path)).status).toBe(404);
  expect((await nobody.request(path)).status).toBe(401);
  const heard = await roles.auditor.request(path);
  expect(heard.status).toBe(200);
  await heard.body?.cancel();
});

test('the command palette finds what a role may open, and refuses cross-site requests', async () => {
  const foundBy = async (person: Person, q: string) => {
    const response = await person.request(`/admin/find?q=${encodeURIComponent(q)}`);
    if (response.status !== 200) return response.status;
    const { groups } = (await response.json()) as { groups: { lines: { href: string }[] }[] };
    return groups.flatMap(({ lines }) => lines.map(({ href }) => href));
  };
  expect(await foundBy(nobody, '')).toBe(401);
  for (const person of [member, roles.developer]) expect(await foundBy(person, '')).toBe(404);
  expect(await foundBy(roles.support, '')).toEqual([
    '/admin',
    '/admin/people',
    ...['quiet=days90', 'state=disabled', 'step=without'].map((view) => `/admin/people?${view}`),
    '/admin/people/batches',
    '/admin/people/invite',
    '/admin/people/import',
  ]);
  const seen = await foundBy(roles.auditor, '');
  expect(seen).toContain('/admin/settings/look');
  expect(seen).not.toContain('/admin/clients/new');
  const name = segments.clientId ?? '';
  const ofSupport = (await foundBy(roles.support, name)) as string[];
  expect(ofSupport.filter((href) => !href.startsWith('/docs/'))).toEqual([]);
  expect(await foundBy(roles.auditor, name)).toContain(`/admin/clients/${name}`);
  const headers = { 'sec-fetch-site': 'cross-site' };
  expect((await roles.auditor.request('/admin/find?q=a', { headers })).status).toBe(403);
});

test('only admins can try an app', async () => {
  for (const person of [member, ...Object.values(roles)]) {
    const form = { client: segments.clientId ?? '' };
    const response = await person.request('/admin/try/submit', {
      method: 'POST',
      body: new URLSearchParams(form).toString(),
      headers: { Origin: person.server.base },
    });
    expect(response.headers.get('location') ?? '').not.toContain('/oauth/authorize');
  }
});

test('only admins with a fresh sign-in can try an identity provider', async () => {
  const provider = await findProvider(segments.providerId ?? '');
  const address = `/login/with/${provider?.slug}?for=try`;
  for (const person of [member, ...Object.values(roles)])
    expect((await person.request(address)).status).toBe(404);
  const late = await stale.request(address);
  expect(late.headers.get('location')).toMatch(/^\/login\?back=/);
});

test.each([
  ['the audit log', '/admin/audit', '?type=client&format=csv'],
  ['people', '/admin/people', '?state=enabled&all=on'],
  ['apps', '/admin/clients', '?state=enabled'],
  ['attempts', '/admin/traces', '?result=failed'],
])(
  'the export of %s requires a fresh sign-in, and asks for the password on a page that goes on',
  async (_, list, search) => {
    const late = await stale.request(`${list}/export${search}`);
    expect(late.status).toBe(303);
    const again = `/admin/export?list=${list.slice('/admin/'.length)}&${search.slice(1)}`;
    expect(late.headers.get('location')).toBe(again);
    const asks = await (await stale.request(again)).text();
    expect(asks).toContain('name="confirm_password"');
    expect(asks).not.toContain('http-equiv="refresh"');
    const anonymous = await nobody.request(`${list}/export${search}`);
    expect(anonymous.headers.get('location')).toBe(`/login?back=${encodeURIComponent(again)}`);
    expect(await late.text()).toBe('');
    for (const person of [member, roles.support, roles.developer])
      expect((await person.request(`${list}/export`)).status).toBe(404);
    expect((await roles.auditor.request(`${list}/export${search}`)).status).toBe(200);
    expect((await admin.request(`${list}/export${search}`)).status).toBe(200);
  },
);

test('a form that requires a new sign-in keeps its input, without scripts', async () => {
  const path = '/admin/clients/new?kind=web';
  const form = (await stale.open(path)).forms.find(({ fields }) => 'kind' in fields);
  const filled = new FormData();
  for (const [name, value] of Object.entries(form?.fields ?? {})) filled.set(name, value);
  filled.set('name', 'Typed with care');
  const response = await fetch(stale.server.base + path, {
    method: 'POST',
    body: filled,
    redirect: 'manual',
    headers: {
      Origin: stale.server.base,
      Cookie: [...stale.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    },
  });
  expect(response.status).toBe(200);
  const html = await response.text();
  expect(html).toContain(asksToSignIn);
  expect(html).toContain('value="Typed with care"');
});
