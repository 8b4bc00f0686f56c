import type { Given, State } from './batches.ts';
import { isDisabledByDirectory, notingDisabled } from './directories.ts';
import {
  type Columns,
  type Joined,
  locking,
  read,
  write,
  writeTogether,
} from './engine/database.ts';
import { inList } from './engine/parameters.ts';

/*
 * What bulk acts change about people: read before and after an act, compared before it is undone,
 * and put back to the letter where the act that undoes it would leave something out.
 */

type StateSource = {
  /** The state of each of these people who has an account. */
  read(ids: readonly string[], given: Given): Promise<Map<string, State>>;
  /** What the act changes of a state: only where it did, it can be undone. */
  isOn(state: State): State[string] | undefined;
  /** Completes what the act that undoes it has put back. */
  complete?(id: string, before: State, given: Given): Promise<void>;
};

/** Within a transaction: nobody else changes these people, or their groups, until it ends. */
export async function holdPeople(ids: readonly string[]): Promise<void> {
  const { marks, params } = inList('id', ids);
  const sql = `SELECT id FROM users WHERE id IN (${marks}) ORDER BY id ${locking('FOR UPDATE')}`;
  await read(sql, params);
}

const atOnce = 1000;

/** Reads the states of many people, some at a time. */
async function statesIn<R extends { id: string }>(
  ids: readonly string[],
  sqlOf: (marks: string) => string,
  params: Given,
  stateOf: (row: R) => State,
): Promise<Map<string, State>> {
  const states = new Map<string, State>();
  for (let from = 0; from < ids.length; from += atOnce) {
    const list = inList('id', ids.slice(from, from + atOnce));
    const rows = await read<R>(sqlOf(list.marks), { ...params, ...list.params });
    for (const row of rows) states.set(row.id, stateOf(row));
  }
  return states;
}

const millis = (at: Date | null) => at?.getTime() ?? null;
const moment = (kept: State[string] | undefined) =>
  typeof kept === 'number' ? new Date(kept) : null;

type Account = Columns<'users', 'id' | 'disabledAt' | 'endsAt' | 'endReason' | 'deletionAt'>;

/** Whether an account is disabled, by whom, and when it ends. */
export const accountState: StateSource = {
  read: (ids) =>
    statesIn<Account & { byDirectory: unknown }>(
      ids,
      (marks) => `SELECT id, disabled_at, ends_at, end_reason, deletion_at,
        ${isDisabledByDirectory('users.id')} AS by_directory FROM users WHERE id IN (${marks})`,
      {},
      ({ disabledAt, endsAt, endReason, deletionAt, byDirectory }) => ({
        disabledAt: millis(disabledAt),
        endsAt: millis(endsAt),
        endReason,
        deletionAt: millis(deletionAt),
        byDirectory: Boolean(byDirectory),
      }),
    ),
  isOn: ({ disabledAt }) => disabledAt !== null,
  async complete(id, before) {
    // Admins' accounts do not end.
    const sql = `UPDATE users SET disabled_at = CAST(:disabledAt AS TIMESTAMPTZ), deletion_at = CAST(:deletionAt AS TIMESTAMPTZ),
        ends_at = CASE WHEN is_admin THEN NULL ELSE CAST(:endsAt AS TIMESTAMPTZ) END, end_reason = :endReason
      WHERE id = :id RETURNING id`;
    const params = {
      id,
      disabledAt: moment(before.disabledAt),
      deletionAt: moment(before.deletionAt),
      endsAt: moment(before.endsAt),
      endReason: before.endReason === null ? null : String(before.endReason),
    };
    await writeTogether({ sql, params }, [notingDisabled(id, before.byDirectory === true)]);
  },
};

/** When an account ends by itself, and why. */
export const endState: StateSource = {
  read: (ids) =>
    statesIn<Columns<'users', 'id' | 'endsAt' | 'endReason'>>(
      ids,
      (marks) => `SELECT id, ends_at, end_reason FROM users WHERE id IN (${marks})`,
      {},
      ({ endsAt, endReason }) => ({ endsAt: millis(endsAt), endReason }),
    ),
  isOn: ({ endsAt }) => endsAt,
  async complete(id, { endReason }) {
    const sql = 'UPDATE users SET end_reason = :endReason WHERE id = :id AND ends_at IS NOT NULL';
    await write(sql, { id, endReason: endReason === null ? null : String(endReason) });
  },
};

type Place = Columns<'users', 'id'> &
  Joined<Columns<'group_members', 'createdAt' | 'endsAt' | 'endToldAt'>>;

/** Since when someone is in the given group, and until when. */
export const memberState: StateSource = {
  read: (ids, { group = '' }) =>
    statesIn<Place>(
      ids,
      (marks) => `SELECT u.id, m.created_at, m.ends_at, m.end_told_at FROM users u
        LEFT JOIN group_members m ON m.user_id = u.id AND m.group_id = :group WHERE u.id IN (${marks})`,
      { group },
      ({ createdAt, endsAt, endToldAt }) => ({
        since: millis(createdAt),
        endsAt: millis(endsAt),
        endToldAt: millis(endToldAt),
      }),
    ),
  isOn: ({ since }) => since !== null,
  async complete(id, { since, endToldAt }, { group = '' }) {
    const sql = `UPDATE group_members SET created_at = COALESCE(CAST(:since AS TIMESTAMPTZ), created_at), end_told_at = CAST(:toldAt AS TIMESTAMPTZ)
      WHERE group_id = :group AND user_id = :id`;
    await write(sql, { id, group, since: moment(since), toldAt: moment(endToldAt) });
  },
};

/** Whether an admin requires two steps of someone. */
export const factorState: StateSource = {
  read: (ids) =>
    statesIn<Columns<'users', 'id' | 'requireSecondFactor'>>(
      ids,
      (marks) => `SELECT id, require_second_factor FROM users WHERE id IN (${marks})`,
      {},
      ({ requireSecondFactor }) => ({ required: requireSecondFactor }),
    ),
  isOn: ({ required }) => required === true,
};

/** Whether someone is deleted, and by which deletion. */
export const deletedState: StateSource = {
  read: (ids) =>
    statesIn<Columns<'deletions', 'id'> & { deletion: string | null }>(
      ids,
      (marks) => `SELECT id, NULL AS deletion FROM users WHERE id IN (${marks})
        UNION ALL SELECT subject, max(id) FROM deletions WHERE kind = 'user' AND subject IN (${marks}) GROUP BY subject`,
      {},
      ({ deletion }) => ({ deletion }),
    ),
  isOn: ({ deletion }) => deletion !== null,
};

export type { StateSource };
