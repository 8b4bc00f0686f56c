import { once } from '../once.ts';
import { endingAccess } from './access.ts';
import { eventBy } from './actor.ts';
import { auditingAll } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { holdingPeople } from './changing-people.ts';
import { notingDisabled } from './directories.ts';
import { date, laterThan, type Moment, read, readOne, writeTogether } from './engine/database.ts';
import { inList } from './engine/parameters.ts';
import type { Statement } from './engine/statement.ts';
import { transactionHere } from './engine/transaction.ts';
import { touchingMember } from './groups.ts';
import { forgettingRememberedOf } from './remembered-devices.ts';
import { endingSessionsThat } from './session-endings.ts';
import { shownName } from './shown-name.ts';

/*
 * What ends by itself: accounts, memberships of groups, and people's places on the lists of apps. A
 * row is ended as an admin would end it, and the event says that the date did it. Whatever decides
 * by these rows first calls `endDue`, so nothing is good after its date, even if the job that looks
 * every few seconds is late (docs/decisions/0063-dates.md).
 */

/** The actor in the events of what ends by itself. */
export const dateActor = { id: 'date' };

/** An account, a membership or a place on a list, with the moment at which it ends. */
export type Ending = {
  userId: string;
  what: 'account' | 'group' | 'app';
  /** The group or the app, and its name; null for an account. */
  id: string | null;
  name: string | null;
  /** 'unused': the account has not been used for long. */
  reason: 'unused' | null;
  endsAt: Date;
};

/** Admins' accounts do not end: a server always has someone who can manage it. */
const goesOn = 'u.disabled_at IS NULL AND u.is_admin = FALSE';

/** SQL: everything that ends and fulfils a condition on `ends_at` and `end_told_at` of `x`. */
export const ending = (condition: string) => `
  SELECT x.id AS user_id, 'account' AS what, NULL AS id, NULL AS name, x.end_reason AS reason, x.ends_at
    FROM users x JOIN users u ON u.id = x.id WHERE ${condition} AND ${goesOn}
  UNION ALL SELECT x.user_id, 'group', g.id, g.name, NULL, x.ends_at
    FROM group_members x JOIN user_groups g ON g.id = x.group_id WHERE ${condition}
  UNION ALL SELECT x.user_id, 'app', c.id, ${shownName('c')}, NULL, x.ends_at
    FROM client_users x JOIN clients c ON c.id = x.client_id WHERE ${condition}`;

type EndingRow = Omit<Ending, 'endsAt'> & { endsAt: Moment };

/** What ends by `until`, the earliest first. */
async function endingBy(until: Date, most: number): Promise<Ending[]> {
  const sql = `SELECT e.user_id, e.what, e.id, e.name, e.reason, e.ends_at FROM (${ending('x.ends_at <= :until')}) AS e ORDER BY e.ends_at, e.user_id LIMIT ${most}`;
  const rows = await read<EndingRow>(sql, { until });
  return rows.map((row) => ({ ...row, endsAt: date(row.endsAt) }));
}

/** How many end in one transaction. */
const atOnce = 200;

/** Ends everything that is due, and returns how many. Of concurrent calls, one ends each. */
export async function endAllDue(now: Date): Promise<number> {
  let ended = 0;
  for (;;) {
    const due = await endingBy(now, atOnce);
    if (due.length === 0) return ended;
    // If none is ended, another process has ended some or an admin has changed a date: it looks again.
    if (await endThese(due, now)) ended += due.length;
  }
}

async function endThese(due: readonly Ending[], now: Date): Promise<boolean> {
  const stale = due.filter((one) => isStale(one, now));
  const ending = due.filter((one) => !stale.includes(one));
  const accounts = ending.filter(({ what }) => what === 'account').map(({ userId }) => userId);
  const [first, ...then] = [
    ...stale.map(forgetting),
    ...ending.map((one) => removing(one, now)),
    ...(accounts.length > 0 ? endingAllOf(accounts) : []),
    ...ending.flatMap((one) => following(one, now)),
    ...auditingAll(ending.map(eventOf), now),
  ];
  if (!first) return false;
  const people = [...new Set(due.map(({ userId }) => userId))];
  return (await writeTogether(first, then, [holdingPeople(people)])).length > 0;
}

/**
 * Nobody could use an unused account while no server ran, or what a restored backup has forgotten.
 * So it is not ended long after its time: its person is warned again.
 */
const isStale = ({ reason, endsAt }: Ending, now: Date) =>
  reason !== null && +now - +endsAt > latest;
const latest = 24 * 3600_000;

function forgetting({ userId, endsAt }: Ending): Statement {
  const sql = `UPDATE users SET ends_at = NULL, end_told_at = NULL, end_reason = NULL
    WHERE id = :userId AND ends_at = :endsAt AND end_reason IS NOT NULL RETURNING id`;
  return { sql, params: { userId, endsAt }, must: true };
}

/** The statement that ends one; it gives no row if its date has changed or it has ended already. */
function removing({ what, userId, id }: Ending, now: Date): Statement {
  const params = { userId, id, now };
  const isDue = 'ends_at <= CAST(:now AS TIMESTAMPTZ)';
  const sql = {
    account: `UPDATE users AS u SET disabled_at = CAST(:now AS TIMESTAMPTZ), deletion_at = NULL, epoch = epoch + 1,
      updated_at = ${laterThan('updated_at', ':now')} WHERE u.id = :userId AND ${isDue} AND ${goesOn} RETURNING id`,
    group: `DELETE FROM group_members WHERE user_id = :userId AND group_id = :id AND ${isDue} RETURNING user_id`,
    app: `DELETE FROM client_users WHERE user_id = :userId AND client_id = :id AND ${isDue} RETURNING user_id`,
  };
  return { sql: sql[what], params, must: true };
}

function endingAllOf(accounts: readonly string[]): Statement[] {
  const { marks, params } = inList('id', accounts);
  return [
    ...endingSessionsThat(`s.user_id IN (${marks})`, params),
    forgettingRememberedOf(accounts),
    ...accounts.map((id) => notingDisabled(id, false)),
  ];
}

function following({ what, userId, id }: Ending, now: Date): Statement[] {
  if (what === 'account') return [];
  if (what === 'group') return [...endingAccess({ userId }, now), touchingMember(userId, now)];
  return endingAccess(id === null ? { userId } : { userId, clientId: id }, now);
}

function eventOf({ what, userId, id, name, reason, endsAt }: Ending): AuditEntry {
  if (what === 'account')
    return eventBy(dateActor, 'user.disabled', { userId, detail: { endsAt, reason } });
  if (what === 'group')
    return eventBy(dateActor, 'group.member-removed', { userId, detail: { id, name, endsAt } });
  const about = { userId, clientId: id, detail: { endsAt } };
  return eventBy(dateActor, 'client.user-disallowed', about);
}

/** Milliseconds for which a process knows what ends next. */
const known = 30_000;
/**
 * A date has to be this many milliseconds ahead when it is set. So it is later than anything that
 * another process still believes.
 */
export const soonestEnd = 2 * known;

type Next = { readAt: number; endsAt: number; ending: Promise<void> | null };
const next = () =>
  once('next-end', (): Next => ({ readAt: Number.NEGATIVE_INFINITY, endsAt: 0, ending: null }));

/**
 * Ends what is due, before something is decided that may depend on it. Costs a statement every half
 * a minute, and else nothing. Within a transaction it does nothing, since whoever began one was let
 * in before.
 */
export async function endDue(now: Date): Promise<void> {
  const state = next();
  const since = now.getTime() - state.readAt;
  if (since >= 0 && since < known && now.getTime() < state.endsAt) return;
  if (transactionHere()) return;
  state.ending ??= endAndLookAhead(state, now).finally(() => {
    state.ending = null;
  });
  await state.ending;
}

async function endAndLookAhead(state: Next, now: Date): Promise<void> {
  await endAllDue(now);
  const until = new Date(now.getTime() + soonestEnd);
  const sql = `SELECT MIN(e.ends_at) AS ends_at FROM (${ending('x.ends_at <= :until')}) AS e`;
  const row = await readOne<{ endsAt: Moment | null }>(sql, { until });
  const endsAt = row?.endsAt ? date(row.endsAt).getTime() : Number.POSITIVE_INFINITY;
  Object.assign(state, { readAt: now.getTime(), endsAt });
}
