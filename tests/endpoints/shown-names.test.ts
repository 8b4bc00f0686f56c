import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { importActs } from '#lib/import/acts.ts';
import { actingAs, perform } from '#lib/management/act.ts';
import { createApi } from '#lib/management/api/apis.ts';
import { approveApp } from '#lib/management/approval/new-apps.ts';
import { batchActs } from '#lib/management/batch/acts.ts';
import { disableClient } from '#lib/management/client/clients.ts';
import { addContact } from '#lib/management/client/contacts.ts';
import { createField } from '#lib/management/field/user-fields.ts';
import { createGroup } from '#lib/management/group/groups.ts';
import { createTerms, endTerms } from '#lib/management/terms/terms.ts';
import { findClient } from '#lib/store/clients.ts';
import { write } from '#lib/store/engine/database.ts';
import { raiseRevision } from '#lib/store/engine/revision.ts';
import { post } from '../support/app.ts';
import { unescapeHtml } from '../support/html.ts';
import { logOf } from '../support/log-lines.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, newPerson, type Page, Person } from '../support/person.ts';
import { newPkce } from '../support/pkce.ts';
import { newRegistered } from '../support/registering.ts';
import { newUser, type TestClient } from '../support/seed.ts';
import { set } from '../support/settings.ts';

const server = await openServer({});
const cli = { id: 'cli' };
await set('CLIENT_REGISTRATION', 'open');
await set('APPROVE_NEW_APPS', 'on');
const name = 'Payroll helper';
const host = 'apps.weather.example';
const callback = `https://${host}/callback`;
const pkce = newPkce();

/** The people in this story: a user of the app, an admin, and its developer. */
let user: Awaited<ReturnType<typeof newPerson>>;
let admin: Person;
let developer: Awaited<ReturnType<typeof newPerson>>;
let app: TestClient;
let segments: Record<string, string> = {};

const request = (more: Record<string, string> = {}) =>
  authorizePath({
    client_id: app.id,
    response_type: 'code',
    redirect_uri: callback,
    scope: 'profile',
    ...pkce.challenge,
    ...more,
  });

beforeAll(async () => {
  [user, developer, admin] = [
    await newPerson(server),
    await newPerson(server),
    new Person(server, (await newUser({ isAdmin: true })).username),
  ];
  await admin.signIn();
  app = await newRegistered(server, {
    client_name: name,
    redirect_uris: [callback],
    token_endpoint_auth_method: 'none',
    post_logout_redirect_uris: [`https://${host}/bye`],
    client_uri: `https://${host}/`,
  });
  // A user asks for the app, an admin approves it, and it is used. The pages on the way are checked
  // too.
  inOrder(await user.open(request()), 'approval');
  inOrder(await user.submit(await user.open(request()), '/approval/submit'), 'approval, asked');
  inOrder(await admin.open('/admin/clients'), 'the queue');
  await approveApp(app.id, cli, new Date());
  inOrder(await user.open(request()), 'consent');
  const { code = '' } = answerOf(await user.goThrough(await user.open(request())));
  const redeem = { grant_type: 'authorization_code', client_id: app.id, redirect_uri: callback };
  const { body } = await post(server, '/oauth/token', {
    ...redeem,
    code,
    code_verifier: pkce.verifier,
  });
  const { access_token, refresh_token } = body as Record<string, string>;
  expect(access_token).toBeTruthy();
  const refresh = {
    grant_type: 'refresh_token',
    client_id: app.id,
    refresh_token: refresh_token ?? '',
  };
  await post(server, '/oauth/token', refresh);
  const terms = { name: '2027-01', texts: { any: 'Be kind.' }, days: 0, clientId: app.id };
  await createTerms(terms, cli, new Date());
  inOrder(await user.open(request()), 'terms of use');
  await endTerms(terms.name, cli, new Date());
  await raiseRevision();
  await addContact(app.id, developer.user.id, cli, new Date());
  const field = { name: 'shirt-size', label: 'Shirt size', scope: 'profile' };
  await createField(field, cli, new Date());
  const api = await createApi(
    { identifier: 'https://mcp.example.org/mcp', name: 'Files' },
    cli,
    new Date(),
  );
  const { id: groupId } = await createGroup({ name: 'editors' }, cli, new Date());
  await user.open(request({ scope: 'nothing-known' }));
  const by = { ...actingAs('admin', cli), now: new Date(), demandFresh: () => {} };
  const batch = await perform(
    batchActs.start,
    { operation: 'sign-out', ids: [developer.user.id] },
    by,
  );
  await set('REGISTRATION', 'invitation');
  const { id: listId } = await perform(importActs.read, { list: 'kim@example.org' }, by);
  const file = { from: 'csv' as const, file: 'email\nmoved@example.org' };
  const { id: fileId } = await perform(importActs.readFile, file, by);
  segments = {
    batchId: batch.id,
    listId,
    fileId,
    operation: `disable?id=${user.user.id}`,
    clientId: encodeURIComponent(app.id),
    name: 'profile',
    place: 'sign-in',
    version: terms.name,
    field: field.name,
    groupId,
    userId: user.user.id,
    apiId: api.id,
    traceId: await traceOf(),
    eventId: await eventOf(),
  };
});

/** The id of the app's latest attempt. */
async function traceOf(): Promise<string> {
  for (;;) {
    const { html } = await admin.open(`/admin/traces?client=${encodeURIComponent(app.id)}`);
    const [, id] = /\/admin\/traces\/([\w-]+)/.exec(html) ?? [];
    if (id) return id;
  }
}

/** The id of the latest event about the app. */
async function eventOf(): Promise<string> {
  const { html } = await admin.open(`/admin/audit?client=${encodeURIComponent(app.id)}`);
  const [, id] = /\/admin\/audit\/([\w-]{20,})/.exec(html) ?? [];
  if (!id) throw new Error('There is an event about the app.');
  return id;
}

/** The words on a page, including its title and labels, but not the data of its scripts. */
function wordsOf(html: string): string {
  const plain = html
    .replace(/<(script|style|template)\b.*?<\/\1>/gs, ' ')
    .replace(/<[^>]*?\b(?:aria-label|title|alt|placeholder)="([^"]*)"[^>]*>/g, ' $1 ')
    .replace(/<[^>]*>/g, '\u0001');
  return unescapeHtml(plain)
    .replace(/\p{Cf}/gu, '')
    .replaceAll('\u0001', '');
}

/**
 * Fails if the name that an app gives itself appears unmarked, or without its proven host before
 * it.
 */
function inOrder({ html, at, status }: Page, where = at): void {
  expect([where, status]).toEqual([where, 200]);
  const text = wordsOf(html);
  for (const { index } of text.matchAll(new RegExp(name, 'g'))) {
    const around = `${where}: …${text.slice(Math.max(0, index - 120), index + name.length + 10)}…`;
    expect(text.slice(0, index).includes(host), `proved first: ${around}`).toBe(true);
    expect(text[index - 1], `in quotation marks: ${around}`).toBe('“');
  }
}

const routes = Object.keys(
  JSON.parse(readFileSync('.next/app-path-routes-manifest.json', 'utf8')) as object,
)
  .filter((route) => route.endsWith('/page'))
  .map((route) => route.replace(/\/page$/, '') || '/');

/**
 * Pages that show no app's name, or cannot show one of such apps, which cannot use device codes.
 */
const withoutApp = [
  '/',
  '/_not-found',
  '/_global-error',
  '/docs',
  '/docs/[...page]',
  '/docs/errors/[code]',
  '/docs/recipes',
  '/docs/recipes/[id]',
  '/recover/not-me',
  '/recover/not-me/done',
  '/setup',
  '/logout/done',
  '/recover',
  '/recover/sent',
  '/recover/reset',
  '/register/sent',
  '/device',
  '/device/allowed',
  '/device/denied',
  '/device/over',
  '/device/confirm',
  '/login/new-password',
  '/login/leaving',
  '/login/link',
  '/login/new',
  // Has the same head as `/login`.
  '/login/code',
];
/** Pages on the way to an app, which `steps` opens. */
const onTheWay = [
  '/login',
  '/login/factor',
  '/login/enrol',
  '/login/terms',
  '/register',
  '/register/finish',
  '/consent',
  '/approval',
  '/no-access',
  '/expired',
  '/logout',
  '/switch',
];
const isWalked = (route: string) => route.startsWith('/admin') || route.startsWith('/account');

test('the host of a self-registered app: every page of the server is checked by a test, or shows no app', () => {
  const known = [...withoutApp, ...onTheWay];
  expect(routes.filter((route) => !isWalked(route) && !known.includes(route))).toEqual([]);
  expect(known.filter((route) => !routes.includes(route))).toEqual([]);
});

const fill = (route: string) =>
  route.replace(/\[+(?:\.\.\.)?(\w+)\]+/g, (_, segment: string) => {
    const value = segments[segment];
    if (!value) throw new Error(`Say in this test what stands for [${segment}] in ${route}.`);
    return value;
  });

/** The pages about providers show no app. */
const ofProviders = (route: string) => route.startsWith('/admin/providers');

test.each(routes.filter((route) => route.startsWith('/admin') && !ofProviders(route)))(
  'the proven host stands before a self-registered app’s name on the page %s',
  async (route) => {
    inOrder(await admin.open(fill(route)), route);
  },
);

test.each(routes.filter((route) => route.startsWith('/account')))(
  'a self-registered app’s name follows its proven host on the account page %s',
  async (route) => {
    const who = route.startsWith('/account/developer') ? developer : user;
    inOrder(await who.open(fill(route)), route);
  },
);

test.each([
  ['a search for its name', () => '/admin/search?q=Payroll'],
  ['a list of apps that was searched', () => '/admin/clients?search=Payroll'],
  ['its attempts', () => `/admin/traces?client=${encodeURIComponent(app.id)}`],
  ['its events', () => `/admin/audit?client=${encodeURIComponent(app.id)}`],
  ['a confirmation of its removal', () => `/admin/clients/${segments.clientId}/settings`],
])('%s shows the proven host of a self-registered app before its name', async (_, path) => {
  const page = await admin.open(path());
  expect(page.status).toBe(200);
  expect(wordsOf(page.html)).toContain(host);
  inOrder(page);
});

/** Every page on a person's way to the app, by its route. */
const steps: [string, () => Promise<Page>][] = [
  ['/login', () => new Person(server).open(request())],
  [
    '/register',
    async () => {
      await set('REGISTRATION', 'open');
      const fresh = new Person(server);
      const { at } = await fresh.open(request());
      return fresh.open(`/register?${at.split('?')[1]}`);
    },
  ],
  ['/consent', async () => (await newPerson(server)).open(request())],
  ['/switch', async () => (await newPerson(server)).open(request({ prompt: 'select_account' }))],
  ['/logout', () => user.open(`/oauth/logout?client_id=${encodeURIComponent(app.id)}`)],
  [
    '/expired',
    async () => {
      const { at } = await new Person(server).open(request());
      return new Person(server).open(`/expired?${at.split('?')[1]}`);
    },
  ],
  [
    '/no-access',
    async () => {
      await write("UPDATE clients SET access = 'listed' WHERE id = $1", [app.id]);
      await raiseRevision();
      const page = await user.open(request());
      await write("UPDATE clients SET access = 'everybody' WHERE id = $1", [app.id]);
      await raiseRevision();
      return page;
    },
  ],
  [
    '/login/enrol',
    async () => {
      await write('UPDATE clients SET require_second_factor = TRUE WHERE id = $1', [app.id]);
      await raiseRevision();
      const person = new Person(server, user.username);
      const page = await person.signInAt(await person.open(request()));
      await write('UPDATE clients SET require_second_factor = FALSE WHERE id = $1', [app.id]);
      await raiseRevision();
      return page;
    },
  ],
];

test.each(steps)(
  '%s on the way to a self-registered app shows its proven host before its name',
  async (route, open) => {
    const page = await open();
    expect(page.at.split('?')[0]).toBe(route);
    inOrder(page);
  },
);

test('the server’s log has a self-registered app’s host before its name', async () => {
  await disableClient(app.id, cli, new Date());
  const output = await logOf(server);
  const lines = output.split('\n').filter((line) => line.includes(name));
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(line.slice(0, line.indexOf(name)), line).toContain(host);
  expect(await findClient(app.id)).toMatchObject({ disabled: true });
});
