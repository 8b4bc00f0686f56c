import { sentence } from '../../messages/sentence.ts';
import * as store from '../../store/access.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import type { AuditEntry } from '../../store/audit-entry.ts';
import type { Total } from '../../store/engine/page.ts';
import { checkEnd } from '../ends.ts';
import { showGroup } from '../group/groups.ts';
import { checkNotKept } from '../kept.ts';
import { quoted } from '../quoted.ts';
import { AdminRefusal, refuseAdmin } from '../refusal.ts';
import { findUserId } from '../user/users.ts';
import { showClient } from './clients.ts';

/** Groups by name or id, and people by username, email address or id. */
type Named = { groups?: readonly string[]; people?: readonly string[] };

type Group = { id: string; name: string };
export type Meant = { groups: Group[]; people: string[] };

/** Whom to list, and until when (null: for good; undefined: as it is, or for good). */
type Allowing = Meant & { endsAt?: Date | null | undefined };

/**
 * The groups and people that an app lists, and how many people that is in total.
 * @throws AdminRefusal
 */
export async function showAccess(
  clientId: string,
): Promise<{ groups: store.ListedGroup[]; people: store.ListedUser[]; total: Total }> {
  const { id } = await showClient(clientId);
  return { ...(await store.listedOf(id)), total: await store.countListed(id) };
}

/** Finds everyone named, before anything changes. @throws AdminRefusal at `group` or `person` */
export async function findNamed({ groups = [], people = [] }: Named): Promise<Meant> {
  const found: Meant = { groups: [], people: [] };
  for (const key of said(groups)) {
    const { id, name } = await showGroup(key);
    if (!found.groups.some((group) => group.id === id)) found.groups.push({ id, name });
  }
  for (const key of said(people)) {
    const id = await findUserId(key);
    if (id === null)
      refuseAdmin('person', sentence('refused.person.unknown', { names: quoted([key]) }));
    if (!found.people.includes(id)) found.people.push(id);
  }
  if (found.groups.length > mostListed.groups) refuseAdmin('group', tooMany.groups, 'full');
  if (found.people.length > mostListed.people) refuseAdmin('person', tooMany.people, 'full');
  return found;
}

/** Whether an app lists everyone who is named. @throws AdminRefusal if there is no such app */
export async function areListed(clientId: string, named: Named): Promise<boolean> {
  const { groups, people } = await showAccess(clientId);
  const meant = await findNamed(named).catch((error: unknown) => {
    if (error instanceof AdminRefusal) return null;
    throw error;
  });
  if (meant === null) return false;
  return (
    meant.groups.every(({ id }) => has(groups, id)) && meant.people.every((id) => has(people, id))
  );
}

const said = (keys: readonly string[]) => keys.map((key) => key.trim()).filter(Boolean);
const { mostListed } = store;
const tooMany = {
  groups: sentence('refused.client.tooManyGroups', { most: mostListed.groups }),
  people: sentence('refused.client.tooManyPeople', { most: mostListed.people }),
};

/**
 * Lets further groups and people use an app. People who are listed already get the end, if one is
 * given; a group's place has none.
 * @throws AdminRefusal
 */
export async function allow(
  clientId: string,
  { groups, people, endsAt }: Allowing,
  actor: Actor,
  now: Date,
): Promise<void> {
  const { id } = await showClient(clientId);
  await checkNotKept({ kind: 'client', key: id }, actor);
  checkEnd(endsAt, now);
  if (endsAt && groups.length > 0) refuseAdmin('ends_at', sentence('refused.end.group'));
  const listed = await store.listedOf(id);
  const dated = listed.people.filter(
    (one) =>
      endsAt !== undefined && people.includes(one.id) && +(one.endsAt ?? 0) !== +(endsAt ?? 0),
  );
  const added = {
    groups: groups.filter((group) => !has(listed.groups, group.id)),
    people: people.filter((person) => !has(listed.people, person)),
  };
  if (listed.groups.length + added.groups.length > mostListed.groups)
    refuseAdmin('group', tooMany.groups, 'full');
  if (listed.people.length + added.people.length > mostListed.people)
    refuseAdmin('person', tooMany.people, 'full');
  const detail = endsAt === undefined ? {} : { endsAt };
  const events = [
    ...eventsOf('allowed', id, added, actor).map((event) =>
      event.userId && endsAt ? { ...event, detail } : event,
    ),
    ...dated.map((one) =>
      eventBy(actor, 'client.user-end-changed', { clientId: id, userId: one.id, detail }),
    ),
  ];
  const listing = { groups: idsOf(added).groups, people, endsAt };
  await store.allow(id, listing, events, now);
}

/**
 * Takes groups and people off the list. People who may no longer use the app are signed out of it
 * immediately; their consent is kept.
 * @throws AdminRefusal
 */
export async function disallow(
  clientId: string,
  { groups, people }: Meant,
  actor: Actor,
  now: Date,
): Promise<void> {
  const { id } = await showClient(clientId);
  await checkNotKept({ kind: 'client', key: id }, actor);
  const listed = await store.listedOf(id);
  const gone = {
    groups: groups.filter((group) => has(listed.groups, group.id)),
    people: people.filter((person) => has(listed.people, person)),
  };
  await store.disallow(id, idsOf(gone), eventsOf('disallowed', id, gone, actor), now);
}

const has = (list: readonly { id: string }[], id: string) => list.some((each) => each.id === id);
const idsOf = ({ groups, people }: Meant) => ({ groups: groups.map(({ id }) => id), people });

function eventsOf(
  what: 'allowed' | 'disallowed',
  clientId: string,
  { groups, people }: Meant,
  actor: Actor,
): AuditEntry[] {
  return [
    ...groups.map(({ id, name }) =>
      eventBy(actor, `client.group-${what}`, { clientId, detail: { id, name } }),
    ),
    ...people.map((userId) => eventBy(actor, `client.user-${what}`, { clientId, userId })),
  ];
}
