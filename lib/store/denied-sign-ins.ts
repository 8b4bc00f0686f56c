import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { endingSessions, holdingPeople, takeAway } from './changing-people.ts';
import { notingDisabled } from './directories.ts';
import { laterThan, writeTogether } from './engine/database.ts';
import type { Statement } from './engine/statement.ts';
import { takingIdentities } from './identities.ts';
import type { Basis, MailedLink } from './links.ts';
import { clearingFirstFactorThrottles } from './user-changes.ts';

/** A sign-in that the owner of the account says was not theirs. */
type DeniedSignIn = {
  link: Pick<MailedLink, 'hash'>;
  account: Pick<Basis, 'userId' | 'epoch'>;
  /** From then on, the person who signed in could have added a second step. */
  since: Date;
};

/**
 * What became of the account. `ended`: everything open was ended, and the password removed.
 * `disabled`: the account was disabled as well, because a second step had been added. `cleared`: it
 * is the last admin's, so the new second step was removed instead.
 */
export type Denied = 'ended' | 'disabled' | 'cleared';

/** SQL on `users`: they have a second step that was added since. */
const hasNewFactor = `(EXISTS (SELECT 1 FROM passkeys k WHERE k.user_id = users.id AND k.created_at >= :since)
  OR EXISTS (SELECT 1 FROM totp_secrets t WHERE t.user_id = users.id AND t.created_at >= :since))`;

const linkIsLive = `EXISTS (SELECT 1 FROM mailed_links l
  WHERE l.hash = :hash AND l.purpose = 'not-me' AND l.used_at IS NULL AND l.expires_at > :now)`;

/**
 * Ends everything a user has, with their password and their identities elsewhere, because they say
 * that someone else signed in. Any other change since the mail, whoever made it, does not matter.
 * But a second step added since would open the account without the password, and lock its owner
 * out.
 */
export async function denySignIn(
  denied: DeniedSignIn,
  eventOf: (what: Denied) => AuditEntry,
  now: Date,
): Promise<Denied | 'dead'> {
  const id = denied.account.userId;
  const hold = [holdingPeople([id])];
  const thenFor = (what: Denied) => [...endingAll(id, now), auditing(eventOf(what), now)];
  const ends = ending(denied, `NOT ${hasNewFactor}`, now);
  if ((await writeTogether(ends, thenFor('ended'), hold)).length > 0) return 'ended';
  const first = (mayGo: string) =>
    ending(denied, `${hasNewFactor} AND ${mayGo}`, now, ', disabled_at = :now, deletion_at = NULL');
  const then = [...thenFor('disabled'), notingDisabled(id, false)];
  const isSo = ({ disabledAt }: { disabledAt: Date | null }) => disabledAt !== null;
  if ((await takeAway(id, { first, then }, isSo)) === 'done') return 'disabled';
  const clears = ending(denied, hasNewFactor, now);
  const clearing = [...removingFactors(id, denied.since), ...thenFor('cleared')];
  return (await writeTogether(clears, clearing, hold)).length > 0 ? 'cleared' : 'dead';
}

/** The change of the account, with a condition on `users`. */
function ending(
  { link, account, since }: DeniedSignIn,
  condition: string,
  now: Date,
  more = '',
): Statement {
  const { userId: id, epoch } = account;
  const sql = `UPDATE users SET password_hash = NULL, must_change_password = FALSE, epoch = epoch + 1,
      updated_at = ${laterThan('updated_at', ':now')}${more}
    WHERE id = :id AND disabled_at IS NULL AND epoch = :epoch AND ${linkIsLive} AND ${condition} RETURNING id`;
  return { sql, params: { id, epoch, hash: link.hash, since, now } };
}

const endingAll = (id: string, now: Date): Statement[] => [
  {
    sql: `UPDATE mailed_links SET used_at = :now WHERE user_id = :id AND purpose = 'not-me' AND used_at IS NULL`,
    params: { id, now },
  },
  ...endingSessions(id),
  takingIdentities(id),
  clearingFirstFactorThrottles(id),
];

/**
 * Removes the factors added since, and every recovery code, because whoever added them has seen the
 * codes.
 */
const removingFactors = (id: string, since: Date): Statement[] => [
  ...['passkeys', 'totp_secrets'].map((table) => ({
    sql: `DELETE FROM ${table} WHERE user_id = :id AND created_at >= :since`,
    params: { id, since },
  })),
  { sql: 'DELETE FROM recovery_codes WHERE user_id = :id', params: { id } },
];
