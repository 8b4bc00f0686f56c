import { sentence } from '../../messages/sentence.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import type { Group } from '../../store/groups.ts';
import * as store from '../../store/groups.ts';
import { type Member, type MemberFilter, memberList } from '../../store/member-list.ts';
import { checkEnd } from '../ends.ts';
import { type Listed, pageOf } from '../page.ts';
import { quoted } from '../quoted.ts';
import { refuseAdmin } from '../refusal.ts';
import { findUserId, userWithId } from '../user/users.ts';
import { groupWithId } from './groups.ts';

export type { Member };

/** The maximum number of people who are added or removed at the same time. */
const mostAtOnce = 500;

/** The members of a group, and how many there are. @throws AdminRefusal */
export async function listMembers(
  groupId: string,
  sought: Omit<MemberFilter, 'groupId'> = {},
): Promise<Listed<Member>> {
  const filter = { ...sought, groupId };
  const [page, total] = await Promise.all([pageOf(memberList, filter), memberList.count(filter)]);
  return { ...page, total };
}

/** Ids of the people who were changed, and of those for whom there was nothing to change. */
type Changed = { done: string[]; already: string[] };

/** Whom to add, and when their membership ends (null: never). Undefined: as it is, or never. */
type Adding = { people: readonly string[]; endsAt?: Date | null | undefined };

/**
 * Adds people to the group with this id. Each is named by id, username or email address. No one is
 * added unless all of them are known.
 * @throws AdminRefusal
 */
export const addMembers = (
  groupId: string,
  people: readonly string[],
  actor: Actor,
  now: Date,
): Promise<Changed> => addMembersUntil(groupId, { people }, actor, now);

/**
 * The same, with an end that those who are in it already get, too. Nothing is said: they keep theirs.
 * @throws AdminRefusal
 */
export async function addMembersUntil(
  groupId: string,
  { people, endsAt }: Adding,
  actor: Actor,
  now: Date,
): Promise<Changed> {
  checkEnd(endsAt, now);
  const group = await groupWithId(groupId);
  const changed = await change(await namedPeople(people), (userId) =>
    add(group, { userId, endsAt: endsAt ?? null }, actor, now),
  );
  if (endsAt === undefined) return changed;
  for (const userId of changed.already) {
    const event = eventBy(actor, 'group.member-end-changed', {
      userId,
      detail: { ...naming(group), endsAt },
    });
    await store.setMemberEnd({ groupId: group.id, userId, endsAt }, event, now);
  }
  return changed;
}

/** Removes people from a group, named as in `addMembers`. @throws AdminRefusal */
export async function removeMembers(
  groupId: string,
  people: readonly string[],
  actor: Actor,
  now: Date,
): Promise<Changed> {
  const group = await groupWithId(groupId);
  return change(await namedPeople(people), (userId) =>
    store.removeMember(
      { groupId: group.id, userId },
      eventBy(actor, 'group.member-removed', { userId, detail: naming(group) }),
      now,
    ),
  );
}

async function add(
  group: Group,
  { userId, endsAt }: { userId: string; endsAt: Date | null },
  actor: Actor,
  now: Date,
): Promise<boolean> {
  const detail = { ...naming(group), ...(endsAt && { endsAt }) };
  const event = eventBy(actor, 'group.member-added', { userId, detail });
  const added = await store.storeMember({ groupId: group.id, userId, endsAt }, event, now);
  if (added === 'full') {
    const { username } = await userWithId(userId);
    const most = store.mostGroupsOfPerson;
    refuseAdmin('group', sentence('refused.group.personFull', { username, most }), 'full');
  }
  if (added === 'missing') {
    await groupWithId(group.id);
    await userWithId(userId);
  }
  return added === 'added';
}

const naming = ({ id, name }: Group) => ({ id, name });

async function change(
  ids: readonly string[],
  one: (userId: string) => Promise<boolean>,
): Promise<Changed> {
  const changed: Changed = { done: [], already: [] };
  for (const id of ids) changed[(await one(id)) ? 'done' : 'already'].push(id);
  return changed;
}

/**
 * Whether everyone named is in the group with this id.
 * @throws AdminRefusal if no one is named, or too many are
 */
export async function areMembers(groupId: string, people: readonly string[]): Promise<boolean> {
  const { ids, unknown } = await lookUp(people);
  return unknown.length === 0 && (await store.countMembersAmong(groupId, ids)) === ids.length;
}

/** The ids of the people named. @throws AdminRefusal naming those who are unknown */
async function namedPeople(keys: readonly string[]): Promise<string[]> {
  const { ids, unknown } = await lookUp(keys);
  if (unknown.length > 0)
    refuseAdmin('person', sentence('refused.person.unknown', { names: quoted(unknown) }));
  return ids;
}

/** @throws AdminRefusal if no one is named, or too many are */
async function lookUp(keys: readonly string[]): Promise<{ ids: string[]; unknown: string[] }> {
  const wanted = [...new Set(keys.map((key) => key.trim()).filter(Boolean))];
  if (wanted.length === 0) refuseAdmin('person', sentence('refused.group.nobody'));
  if (wanted.length > mostAtOnce)
    refuseAdmin('person', sentence('refused.group.tooManyAtOnce', { most: mostAtOnce }));
  const ids = new Set<string>();
  const unknown = [];
  for (const key of wanted) {
    const id = await findUserId(key);
    if (id === null) unknown.push(key);
    else ids.add(id);
  }
  return { ids: [...ids], unknown };
}
