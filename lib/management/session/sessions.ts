import { logouts } from '../../identity/back-channel.ts';
import { sentence } from '../../messages/sentence.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import {
  listSessionsOf,
  type SessionRecord,
  endSessionOfUser as store,
} from '../../store/sessions.ts';
import { clearFailures, endEverything } from '../../store/user-changes.ts';
import { refuseAdmin } from '../refusal.ts';
import { refuseMissingUser, refuseReach, type UserRecord, userInReach } from '../user/users.ts';

export type { SessionRecord };

/** A user's sessions, most recently active first. */
export function listSessions(userId: string, now: Date): Promise<SessionRecord[]> {
  return listSessionsOf(userId, now);
}

/** Ends one session of a user. @throws AdminRefusal */
export async function endSession(
  key: string,
  hash: string,
  actor: Actor,
  now: Date,
): Promise<void> {
  const { id } = await userInReach(key, actor);
  const event = eventBy(actor, 'session.ended', { userId: id });
  if (!(await store(id, hash, event, now, actor.reach))) {
    // They may have just got a role.
    await userInReach(id, actor);
    refuseAdmin(null, sentence('refused.session.gone'), 'missing');
  }
  logouts.soon();
}

/** Ends all sessions of a user and revokes their tokens; grants stay. @throws AdminRefusal */
export async function signOutEverywhere(key: string, actor: Actor, now: Date): Promise<UserRecord> {
  const user = await userInReach(key, actor);
  const { id, username } = user;
  const event = eventBy(actor, 'session.ended', { userId: id, detail: { everywhere: true } });
  const outcome = await endEverything(id, event, now, actor.reach);
  if (outcome === 'missing') refuseMissingUser(username);
  if (outcome === 'out-of-reach') refuseReach(user);
  logouts.soon();
  return user;
}

/** Lifts the sign-in pause of a user after failed attempts. @throws AdminRefusal */
export async function unlockUser(key: string, actor: Actor, now: Date): Promise<UserRecord> {
  const user = await userInReach(key, actor);
  const { id } = user;
  const event = eventBy(actor, 'user.failures-forgotten', { userId: id });
  if ((await clearFailures(id, event, now, actor.reach)) === 'out-of-reach') refuseReach(user);
  return user;
}
