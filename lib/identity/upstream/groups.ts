import { eventBy, type Someone } from '../../store/actor.ts';
import { groupsOf } from '../../store/group-list.ts';
import { groupsWithIds, removeMember, storeMember } from '../../store/groups.ts';
import type { Provider } from '../../store/providers.ts';
import type { Claims } from './provider-kinds.ts';

/**
 * The ids of the groups that the provider's claim puts a person in; null if it sends no such claim,
 * so nothing changes (Entra omits the claim if it would make the token too long).
 */
export function groupsSaid(
  { groupsClaim, groups }: Pick<Provider, 'groupsClaim' | 'groups'>,
  claims: Claims,
): string[] | null {
  const said = groupsClaim === null ? undefined : claims[groupsClaim];
  if (said === undefined || said === null) return null;
  const values = new Set(Array.isArray(said) ? said : [said]);
  return [...new Set(groups.filter(({ value }) => values.has(value)).map((each) => each.groupId))];
}

/**
 * Adds a user to the groups that their provider lists, and removes them from its other mapped
 * groups.
 */
export async function followGroups(
  provider: Provider,
  claims: Claims,
  userId: string,
  by: Someone,
  now: Date,
): Promise<void> {
  const said = groupsSaid(provider, claims);
  if (said === null) return;
  const mapped = [...new Set(provider.groups.map(({ groupId }) => groupId))];
  const has = new Set((await groupsOf(userId)).map(({ id }) => id));
  const differing = mapped.filter((id) => has.has(id) !== said.includes(id));
  for (const { id, name } of await groupsWithIds(differing)) {
    const joins = said.includes(id);
    const detail = { id, name, provider: provider.name };
    const type = joins ? 'group.member-added' : 'group.member-removed';
    const event = eventBy(by, type, { userId, detail });
    await (joins ? storeMember : removeMember)({ groupId: id, userId }, event, now);
  }
}
