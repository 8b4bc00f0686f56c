import { type Actor, eventBy } from '../../store/actor.ts';
import {
  countGroups,
  countOfGroup,
  factsOfGroups,
  type GroupFacts,
  type GroupFilter,
  groupsOf,
  listGroups as listStored,
} from '../../store/group-list.ts';
import * as store from '../../store/groups.ts';
import { normalKey } from '../../store/users.ts';
import { difference } from '../difference.ts';
import type { Editing } from '../editing.ts';
import { checkNotKept } from '../kept.ts';
import { type Listed, pageOf } from '../page.ts';
import { type Faults, refuseAdmin, refuseConflict, refuseFaults } from '../refusal.ts';
import { type GroupField, type GroupSaid, groupFieldNames } from './fields.ts';

export type { GroupFilter };
export { countOfGroup, groupsOf };
export type Group = store.Group;
export type ListedGroup = Group & { facts: GroupFacts };

/** Groups by name, with what a decision about them needs, and how many there are. @throws AdminRefusal */
export async function listGroups(filter: GroupFilter = {}): Promise<Listed<ListedGroup>> {
  const [page, total] = await Promise.all([pageOf(listStored, filter), countGroups(filter)]);
  const facts = await factsOfGroups(page.rows.map(({ id }) => id));
  const rows = page.rows.map((group) => ({ ...group, facts: facts.get(group.id) ?? nothing }));
  return { ...page, rows, total };
}

/** Of a group that was deleted meanwhile. */
const nothing: GroupFacts = { members: { count: 0, more: false }, apps: 0 };

/** The group with this name or id. @throws AdminRefusal */
export async function showGroup(key: string): Promise<Group> {
  const said = key.trim().slice(0, 80);
  const found = await store.findGroup(key);
  if (found === 'several')
    refuseAdmin(
      'group',
      `"${said}" is the id of one group and the name of another. Rename that one first.`,
    );
  return found ?? refuseAdmin('group', `There is no group "${said}".`, 'missing');
}

/** The group with exactly this id. @throws AdminRefusal */
export async function groupWithId(id: string): Promise<Group> {
  return (
    (await store.findGroupById(id)) ??
    refuseAdmin('group', 'This group no longer exists.', 'missing')
  );
}

/** The groups with these names or ids, each once. @throws AdminRefusal naming those that are not there */
export async function namedGroups(keys: readonly string[]): Promise<Group[]> {
  const wanted = [...new Set(keys.map((key) => key.trim()).filter(Boolean))];
  if (wanted.length > store.mostGroupsOfPerson) refuseAdmin('groups', tooMany, 'full');
  const found: Group[] = [];
  const unknown: string[] = [];
  for (const key of wanted) {
    const group = (await store.findGroup(key)) && (await showGroup(key));
    if (group) found.push(group);
    else unknown.push(`“${key.slice(0, 80)}”`);
  }
  if (unknown.length > 0)
    refuseAdmin('groups', `There is no group ${unknown.slice(0, 5).join(', ')}.`);
  return [...new Map(found.map((group) => [group.id, group])).values()];
}

const tooMany = `A person is in at most ${store.mostGroupsOfPerson.toLocaleString('en')} groups.`;

/** Creates a group. @throws AdminRefusal */
export async function createGroup(said: GroupSaid, actor: Actor, now: Date): Promise<Group> {
  const group = keptOf(said);
  refuseFaults(faultsOf(group));
  const eventOf = (id: string) => eventBy(actor, 'group.created', { detail: { id, ...group } });
  const stored = await store.storeGroup(group, eventOf, now);
  if (stored === 'taken') refuseTaken(group.name);
  if (stored === 'full')
    refuseAdmin(
      null,
      `There are ${store.mostGroups.toLocaleString('en')} groups, the most there can be. Delete one first.`,
      'full',
    );
  return stored;
}

/** What is said of a group, as it is kept. */
const keptOf = ({ name, description }: GroupSaid): Pick<Group, GroupField> => ({
  name,
  description: description?.trim() || null,
});

/**
 * Renames or describes the group with this id. With `seen` (`updatedAt` of the edited record) a
 * concurrent change is refused. If it gets another name, which apps may trust, `onLoosening` is
 * called first and may throw.
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
  checkSeen(before, seen);
  if (Object.keys(changes).length === 0) return before;
  if (name !== before.name) onLoosening?.();
  const renamed = name !== before.name && { formerName: before.name };
  const detail = { id, ...changes, name, ...renamed };
  const event = eventBy(actor, 'group.updated', { detail });
  const outcome = await store.changeGroup(id, after, before.updatedAt, event, now);
  if (outcome === 'taken') refuseTaken(name);
  if (outcome === 'changed-meanwhile') refuseConflict('group');
  return groupWithId(id);
}

/** @throws AdminRefusal if somebody changed it since it was seen */
function checkSeen({ updatedAt }: Group, seen?: Date): void {
  if (seen && seen.getTime() !== updatedAt.getTime()) refuseConflict('group');
}

function refuseTaken(name: string): never {
  return refuseAdmin(
    'name',
    `There is already a group "${name}". Capital letters make no difference.`,
    'conflict',
  );
}

/**
 * Deletes the group with this id: its members are no longer in it, and apps that it allowed are
 * closed to those who are allowed by nothing else. Gives what it had. `seen` as in `updateGroup`.
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
  checkSeen(group, seen);
  const count = await countOfGroup(id);
  const event = eventBy(actor, 'group.deleted', { detail: { id, name: group.name, ...count } });
  if (!(await store.removeGroup(id, event, now, seen))) {
    await groupWithId(id);
    refuseConflict('group');
  }
  return { ...group, ...count };
}

function faultsOf({ name, description }: Pick<Group, GroupField>): Faults {
  const fault = nameFault(name);
  return {
    ...(fault && { name: fault }),
    ...(description !== null && !isDescription(description) && { description: descriptionFault }),
  };
}

const isDescription = (text: string) => /^(?:[^\p{Cc}\p{Cs}]|[\t\r\n]){1,500}$/u.test(text);
const descriptionFault = 'Use up to 500 characters in the description, without control characters.';

/** What apps are told has to reach them as one name. */
function nameFault(name: string): string | null {
  if (!/^\P{C}{1,100}$/u.test(name) || normalKey(name).length > 300)
    return 'Use 1 to 100 characters in the name of a group, without control characters.';
  if (name.includes(','))
    return 'Leave out the comma: many apps read the list of groups at its commas, and would take this for two groups.';
  if (name !== name.trim() || normalKey(name) === '')
    return 'Leave out the space at the beginning or end: many apps cut it off, and would take this for another group.';
  return null;
}
