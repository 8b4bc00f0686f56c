import { logouts } from '../../identity/back-channel.ts';
import { postingNotice } from '../../mail/notify.ts';
import { posting } from '../../mail/post.ts';
import { sentence } from '../../messages/sentence.ts';
import {
  type DueDeletion,
  keepAccount,
  listDueDeletions,
  requestDeletion,
} from '../../store/account-deletion.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import { auditing } from '../../store/audit.ts';
import type { Outcome } from '../../store/changing-people.ts';
import type { Session } from '../../store/sessions.ts';
import { readSettings } from '../../store/settings.ts';
import { deleteDueUser } from '../../store/user-changes.ts';
import type { UserRecord } from '../../store/user-list.ts';
import { findLanguageOf } from '../../store/users.ts';
import { refuseAdmin } from '../refusal.ts';
import { userWithId } from './users.ts';

const day = 24 * 3600_000;

/** The result of a person's request to delete their account. */
export type Requested =
  | 'deleted'
  | 'waits'
  | 'last-admin'
  | 'answers-for-agent'
  | 'off'
  | 'unchanged';

/**
 * Records that a person wants their account deleted after the number of days in the setting, and
 * ends everything except the session they ask in. With 0 days, the account is deleted immediately.
 */
export async function askForDeletion(
  { user, hash }: Session,
  actor: Actor,
  now: Date,
): Promise<Requested> {
  const { accountDeletion } = await readSettings();
  if (accountDeletion === 'off') return 'off';
  const due = new Date(now.getTime() + accountDeletion * day);
  const event = eventBy(actor, 'user.deletion-requested', {
    userId: user.id,
    detail: { at: due.toISOString() },
  });
  const told = { due: due.toISOString() };
  const waits = accountDeletion > 0;
  const mail = waits ? await postingNotice(user.id, 'deletion-requested', told, now) : [];
  const along = [auditing(event, now), ...mail];
  const outcome = await requestDeletion({ id: user.id, keepHash: hash }, due, along, now);
  if (outcome !== 'done') return isKept(outcome) ? outcome : 'unchanged';
  logouts.soon();
  if (waits) return 'waits';
  return (await deleteOne(user, actor, now)) === 'done' ? 'deleted' : 'waits';
}

/** Keeps an account whose deletion was requested. @throws AdminRefusal if none was requested */
export async function cancelDeletion(id: string, actor: Actor, now: Date): Promise<UserRecord> {
  const event = eventBy(actor, 'user.deletion-canceled', { userId: id });
  const mail = await postingNotice(id, 'deletion-canceled', {}, now);
  if ((await keepAccount(id, event, mail, now)) !== 'done') {
    const { username } = await userWithId(id);
    refuseAdmin('user', sentence('refused.person.notLeaving', { username }));
  }
  return userWithId(id);
}

/**
 * Deletes the accounts whose waiting time is over, and returns how many. Several processes may do
 * this at the same time: each account is deleted by one of them, together with queueing the mail
 * about it.
 */
export async function deleteDueAccounts(now: Date): Promise<number> {
  let deleted = 0;
  for (const user of await listDueDeletions(now)) {
    const outcome = await deleteOne(user, { id: 'system' }, now);
    if (outcome === 'done') deleted += 1;
    if (isKept(outcome)) await keepNeeded(user.id, outcome, now);
  }
  if (deleted > 0) logouts.soon();
  return deleted;
}

async function deleteOne({ id, username, email }: DueDeletion, actor: Actor, now: Date) {
  const detail = { username, email, asked: true };
  const event = eventBy(actor, 'user.deleted', { userId: id, detail });
  const locale = await findLanguageOf(id);
  const mail = await posting({ kind: 'account-deleted', email, username, locale }, now);
  return deleteDueUser(id, event, now, mail);
}

/** Whether an account has to stay: no one else can manage the server, or answer for an agent. */
const isKept = (outcome: Outcome): outcome is 'last-admin' | 'answers-for-agent' =>
  outcome === 'last-admin' || outcome === 'answers-for-agent';

/** The person has become indispensable since they asked. */
async function keepNeeded(id: string, reason: Outcome, now: Date): Promise<void> {
  const detail = { reason };
  const event = eventBy({ id: 'system' }, 'user.deletion-canceled', { userId: id, detail });
  await keepAccount(id, event, await postingNotice(id, 'deletion-canceled', {}, now), now);
}
