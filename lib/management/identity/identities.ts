import { logouts } from '../../identity/back-channel.ts';
import { sentence } from '../../messages/sentence.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import {
  type LinkedIdentity,
  listIdentities,
  onlyWayOf,
  removeIdentity,
} from '../../store/identities.ts';
import { refuseAdmin } from '../refusal.ts';
import { userInReach, userWithId } from '../user/users.ts';

export { type LinkedIdentity, listIdentities, onlyWayOf };

/**
 * Unlinks an identity of a user, and ends everything the user has open, because it may have been
 * opened with this identity. Returns the identity.
 * @throws AdminRefusal
 */
export async function unlinkIdentityOf(
  userId: string,
  id: string,
  actor: Actor,
  now: Date,
): Promise<LinkedIdentity> {
  const user = await userInReach((await userWithId(userId)).id, actor);
  const found = (await listIdentities(user.id)).find((each) => each.id === id);
  const detail = { provider: found?.provider.name ?? '', label: found?.label ?? null };
  const event = eventBy(actor, 'identity.unlinked', { userId: user.id, detail });
  if (!found || !(await removeIdentity({ userId: user.id, id }, event, now, actor.reach))) {
    // They may have just got a role.
    await userInReach(user.id, actor);
    return refuseAdmin('id', sentence('refused.identity.gone'), 'missing');
  }
  logouts.soon();
  return found;
}
