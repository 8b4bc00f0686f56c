import { readFileSync } from 'node:fs';
import { createField } from '#lib/management/field/user-fields.ts';
import { createGroup } from '#lib/management/group/groups.ts';
import { addMembers } from '#lib/management/group/members.ts';
import { invite } from '#lib/management/invitation/invitations.ts';
import { newApi } from './apis.ts';
import { newProvider } from './providers.ts';
import { newClient, newUser, type TestUser } from './seed.ts';

const cli = { id: 'cli' };
const long = 'Rechtsschutzversicherungsgesellschaften-Selbstverwaltung';

/** The route of every page in the build. */
export const everyRoute = (): string[] =>
  Object.entries(
    JSON.parse(readFileSync('.next/app-path-routes-manifest.json', 'utf8')) as Record<
      string,
      string
    >,
  )
    .filter(([file, route]) => file.endsWith('/page') && !route.startsWith('/_'))
    .map(([, route]) => route);

/**
 * One thing of each kind that has a page in the dashboard, by the placeholder in its address, with
 * the longest possible names.
 */
export async function oneOfEach(admin: TestUser): Promise<Record<string, string>> {
  const now = new Date();
  const mark = admin.username.slice(-6);
  const person = await newUser({ name: `${long} ${'x'.repeat(60)}` });
  const app = await newClient({
    name: `${long} ${long}`,
    redirectUris: ['http://127.0.0.1/cb'],
    requireSecondFactor: true,
    maxSignInAge: 60,
    signInLife: 90_061,
    networks: ['198.51.100.0/24'],
  });
  const api = await newApi({
    tokenFormat: 'jwt',
    scopes: ['read', 'write'],
    servedBy: [app.id],
  });
  const label = { name: `pager_${mark}`, label: 'Pager', scope: 'phone' };
  return {
    '[clientId]': app.id,
    '[userId]': person.id,
    '[groupId]': await fullGroup(`${mark}-${long}`, [person.id, admin.id], now),
    '[apiId]': api.id,
    '[providerId]': await newProvider({ name: long.slice(0, 40) }),
    '[field]': (await createField(label, cli, now)).name,
    '[name]': 'profile',
  };
}

/** A group with members and with a person who is invited to it. */
async function fullGroup(name: string, members: string[], now: Date): Promise<string> {
  const group = await createGroup({ name, description: `${name} ${name}` }, cli, now);
  await addMembers(group.id, members, cli, now);
  await invite(`${name.slice(0, 6)}@example.org`, cli, now, [group.id]);
  return group.id;
}

/**
 * Pages of the dashboard that look different with a query: other forms, searches with results and
 * without.
 */
export const furtherLooks = [
  '/admin?period=7d',
  ...['kind=web', 'kind=public', 'kind=service', 'kind=oidc', 'q=nothing'].map(
    (query) => `/admin/clients/new?${query}`,
  ),
  ...['recipe=nextcloud', 'recipe=grafana'].map((query) => `/admin/clients/new?${query}`),
  '/admin/clients/[clientId]?recipe=grafana',
  '/admin/clients/[clientId]/settings#protocol',
  '/admin/clients/[clientId]/access#rules',
  ...['clients', 'people', 'groups'].flatMap((list) => [
    `/admin/${list}?q=nothing-at-all`,
    `/admin/${list}?q=Rechtsschutz`,
  ]),
  '/admin/search?q=Rechtsschutz',
  ...['find=person', `find=${'nobody-of-this-name'.repeat(6)}`, 'q=nobody'].map(
    (query) => `/admin/groups/[groupId]?${query}`,
  ),
];
