import { eventBy, type Someone } from '../../store/actor.ts';
import { groupsOf } from '../../store/group-list.ts';
import { groupsWithIds, removeMember, storeMember } from '../../store/groups.ts';
import type { Provider } from '../../store/providers.ts';
import type { Said } from './ask.ts';
import type { Claims } from './provider-kinds.ts';
import { claimAt, hasMoreThanSaid, listOf } from './said-claims.ts';

/**
 * The ids of the groups that the provider's claim puts a person in; none if it sends no such claim.
 * Null, so that nothing changes, if no claim is mapped, or the provider says that it has left the
 * groups out because they are too many.
 */
export function groupsSaid(
  { groupsClaim, groups }: Pick<Provider, 'groupsClaim' | 'groups'>,
  claims: Claims,
): string[] | null {
  if (groupsClaim === null || hasMoreThanSaid(groupsClaim, claims)) return null;
  const values = new Set(listOf(claimAt(claims, groupsClaim)));
  return [...new Set(groups.filter(({ value }) => values.has(value)).map((each) => each.groupId))];
}

/** Makes membership of the provider's mapped groups what the provider lists. */
export async function followGroups(
  userId: string,
  { provider, said: { claims } }: { provider: Provider; said: Pick<Said, 'claims'> },
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
