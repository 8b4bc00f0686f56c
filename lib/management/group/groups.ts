import { type Sentence, sentence } from '../../messages/sentence.ts';
import { foldName, isSoundName, isSoundText } from '../../oauth/name.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import type { Numbered } from '../../store/engine/listing.ts';
import {
  countOfGroup,
  factsOfGroups,
  type GroupFacts,
  type GroupFilter,
  type GroupSort,
  groupList,
  groupsOf,
} from '../../store/group-list.ts';
import * as store from '../../store/groups.ts';
import { normalKey } from '../../store/users.ts';
import { keeping } from '../deletion/keeping.ts';
import { difference } from '../difference.ts';
import type { Editing } from '../editing.ts';
import { checkNotKept } from '../kept.ts';
import { type Listed, type NumberedPage, numberedPage, pageOf } from '../page.ts';
import { quoted } from '../quoted.ts';
import {
  checkSeen,
  type Faults,
  faultsIn,
  refuseAdmin,
  refuseConflict,
  refuseFaults,
} from '../refusal.ts';
import { type GroupField, type GroupSaid, groupFieldNames } from './fields.ts';

export type { GroupFilter };
export { countOfGroup, groupsOf };
export type Group = store.Group;
export type ListedGroup = Group & { facts: GroupFacts };

/**
 * Groups by name, with the facts that a decision about them needs, and how many there are.
 * @throws AdminRefusal
 */
export async function listGroups(filter: GroupFilter = {}): Promise<Listed<ListedGroup>> {
  const [page, total] = await Promise.all([pageOf(groupList, filter), groupList.count(filter)]);
  return { ...page, rows: await withFacts(page.rows), total };
}

/** A numbered page of groups, with the same facts. */
export async function listGroupsBy(
  filter: GroupFilter,
  wanted: Numbered<GroupSort>,
): Promise<NumberedPage<ListedGroup>> {
  const listed = await numberedPage(groupList, filter, wanted);
  return { ...listed, rows: await withFacts(listed.rows) };
}

async function withFacts(groups: readonly Group[]): Promise<ListedGroup[]> {
  const facts = await factsOfGroups(groups.map(({ id }) => id));
  return groups.map((group) => ({ ...group, facts: facts.get(group.id) ?? nothing }));
}

/** For a group that was deleted meanwhile. */
const nothing: GroupFacts = { members: { count: 0, more: false }, apps: 0 };

/** The group with this name or id. @throws AdminRefusal */
export async function showGroup(key: string): Promise<Group> {
  const said = key.trim().slice(0, 80);
  const found = await store.findGroup(key);
  if (found === 'several')
    refuseAdmin('group', sentence('refused.group.ambiguous', { name: said }));
  return (
    found ?? refuseAdmin('group', sentence('refused.group.missing', { name: said }), 'missing')
  );
}

/** The group with exactly this id. @throws AdminRefusal */
export async function groupWithId(id: string): Promise<Group> {
  return (
    (await store.findGroupById(id)) ??
    refuseAdmin('group', sentence('refused.group.gone'), 'missing')
  );
}

/** The groups with these names or ids, each once. @throws AdminRefusal naming those not found */
export async function namedGroups(keys: readonly string[]): Promise<Group[]> {
  const wanted = [...new Set(keys.map((key) => key.trim()).filter(Boolean))];
  const most = store.mostGroupsOfPerson;
  if (wanted.length > most)
    refuseAdmin('groups', sentence('refused.group.tooManyOfPerson', { most }), 'full');
  const found: Group[] = [];
  const unknown: string[] = [];
  for (const key of wanted) {
    const group = (await store.findGroup(key)) && (await showGroup(key));
    if (group) found.push(group);
    else unknown.push(key);
  }
  if (unknown.length > 0)
    refuseAdmin('groups', sentence('refused.group.unknown', { names: quoted(unknown) }));
  return [...new Map(found.map((group) => [group.id, group])).values()];
}

/** Creates a group. @throws AdminRefusal */
export async function createGroup(said: GroupSaid, actor: Actor, now: Date): Promise<Group> {
  const group = keptOf(said);
  refuseFaults(faultsOf(group));
  const eventOf = (id: string) => eventBy(actor, 'group.created', { detail: { id, ...group } });
  const stored = await store.storeGroup(group, eventOf, now);
  if (stored === 'taken') refuseTaken(group.name);
  if (stored === 'full')
    refuseAdmin(null, sentence('refused.group.full', { most: store.mostGroups }), 'full');
  return stored;
}

const keptOf = ({ name, description }: GroupSaid): Pick<Group, GroupField> => ({
  name,
  description: description?.trim() || null,
});

/**
 * Renames or describes the group with this id. With `seen` (`updatedAt` of the edited record) a
 * concurrent change is refused. Apps may trust its name, so before a new one, `onLoosening` is
 * called and may throw.
 * @throws AdminRefusal
 */
export async function updateGroup(
  id: string,
  change: Partial<GroupSaid>,
  { actor, now, seen, onLoosening }: Editing,
): Promise<Group> {
  const before = await groupWithId(id);
  await checkNotKept({ kind: 'group', key: id }, actor);
  const given = Object.entries(change).filter(([, said]) => said !== undefined);
  const after = { ...before, ...keptOf({ ...before, ...Object.fromEntries(given) }) };
  const { name } = after;
  refuseFaults(faultsOf(after));
  const changes = difference(before, after, groupFieldNames);
  checkSeen('group', before.updatedAt, seen);
  if (Object.keys(changes).length === 0) return before;
  if (name !== before.name) onLoosening?.();
  const renamed = name !== before.name && { formerName: before.name };
  const detail = { id, ...changes, name, ...renamed };
  const event = eventBy(actor, 'group.updated', { detail });
  const outcome = await store.changeGroup(before, after, event, now);
  if (outcome === 'taken') refuseTaken(name);
  if (outcome === 'changed-meanwhile') refuseConflict('group');
  return groupWithId(id);
}

function refuseTaken(name: string): never {
  return refuseAdmin('name', sentence('refused.group.taken', { name }), 'conflict');
}

/**
 * Deletes the group with this id. Its members can no longer use apps that nothing else lets them
 * use. Returns what the group had. `seen` as in `updateGroup`.
 * @throws AdminRefusal
 */
export async function deleteGroup(
  id: string,
  actor: Actor,
  now: Date,
  seen?: Date,
): Promise<Group & { members: number; apps: number }> {
  const group = await groupWithId(id);
  await checkNotKept({ kind: 'group', key: id }, actor);
  checkSeen('group', group.updatedAt, seen);
  const count = await countOfGroup(id);
  const event = eventBy(actor, 'group.deleted', { detail: { id, name: group.name, ...count } });
  const kept = await keeping('group', group, actor, now);
  if (!(await store.removeGroup(id, { event, seen, keeping: kept }, now))) {
    await groupWithId(id);
    refuseConflict('group');
  }
  return { ...group, ...count };
}

/** What is wrong with a group. A field without a rule does not compile. */
function faultsOf({ name, description }: Pick<Group, GroupField>): Faults {
  const isSound = description === null || isSoundText(description, 500);
  const judged: Record<GroupField, Sentence | null> = {
    name: groupNameFault(name),
    description: isSound ? null : sentence('refused.group.description'),
  };
  return faultsIn(judged);
}

/** What is wrong with the name of a group. Apps must be able to read it as one name. */
export function groupNameFault(name: string): Sentence | null {
  if (name !== '' && foldName(name) === '') return sentence('refused.group.space');
  if (!isSoundName(name, 100) || normalKey(name).length > 300)
    return sentence('refused.group.name');
  if (name.includes(',')) return sentence('refused.group.comma');
  if (name !== name.trim()) return sentence('refused.group.space');
  return null;
}
