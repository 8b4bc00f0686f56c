import { actorAt } from '../../http/actor.ts';
import type { HttpRequest } from '../../http/message.ts';
import { eventBy } from '../../store/actor.ts';
import { auditing } from '../../store/audit.ts';
import { isTaken } from '../../store/engine/database.ts';
import { groupsWithIds, joiningAll } from '../../store/groups.ts';
import { givingIdentity } from '../../store/identities.ts';
import { findProvider, type Provider } from '../../store/providers.ts';
import { takeThrottledTry } from '../../store/throttles.ts';
import { storeUser, whyNameIsTaken } from '../../store/users.ts';
import { type AccountErrors, checkProfile, personName, takenError, username } from '../accounts.ts';
import { nameTries } from '../usernames.ts';
import type { Arrival } from './arrival.ts';

const mayRegister = ({ kind, cameAt }: Arrival, provider: Provider) =>
  kind === 'new' &&
  provider.enabled &&
  provider.maySignIn &&
  provider.mayRegister &&
  provider.updatedAt <= cameAt;

/**
 * Creates the account of a person who came from a provider that may register people. They have no
 * password; their address is the one the provider vouches for. 'dead': the provider may no longer
 * register people, an admin has changed the provider since they came (such as its domains or
 * groups), the address has an account by now, or the identity belongs to an account.
 */
export async function registerArrival(
  arrival: Arrival,
  input: { username: string; name: string },
  request: HttpRequest,
  now: Date,
): Promise<{ id: string } | { errors: AccountErrors } | 'dead'> {
  const { id, email, providerId, issuer, subject, label } = arrival;
  const provider = await findProvider(providerId);
  if (email === null || !provider || !mayRegister(arrival, provider)) return 'dead';
  // Counted first: the answer reveals which names are taken.
  if ((await takeThrottledTry(`register:${id}`, nameTries, now)) === 'refused')
    return { errors: { username: 'username.throttled' } };
  const errors = checkProfile({ ...input, email });
  if (Object.keys(errors).length > 0) return { errors };
  const name = username.parse(input.username);
  const taken = await whyNameIsTaken(name, null, now);
  if (taken) return { errors: takenError(taken) };
  const called = personName.parse(input.name) || null;
  const fixed = { passwordHash: null, isAdmin: false, emailVerified: true };
  const user = { username: name, email, name: called, ...fixed };
  const groups = await groupsWithIds(arrival.groupIds);
  const along = (userId: string) => {
    const by = actorAt(request, userId);
    const detail = { username: name, email, by: 'provider', provider: provider.name };
    return [
      givingIdentity({ issuer, subject, userId, providerId, label }, now),
      ...joiningAll(userId, groups, by, now),
      auditing(eventBy(by, 'user.registered', { userId, detail }), now),
    ];
  };
  try {
    const stored = await storeUser(user, now, along);
    if (!('taken' in stored)) return stored;
    return stored.taken === 'email' ? 'dead' : { errors: takenError(stored.taken) };
  } catch (error) {
    if (isTaken(error)) return 'dead';
    throw error;
  }
}
