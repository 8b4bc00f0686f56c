import { endingAppPasswords } from './app-passwords.ts';
import { type Columns, read, writeTogether } from './engine/database.ts';
import { inList } from './engine/parameters.ts';
import type { Statement } from './engine/statement.ts';
import { forgettingRemembered } from './remembered-devices.ts';
import { endingSessionsThat } from './session-endings.ts';

/*
 * How people are changed. Each change and the event that reports it are one transaction
 * (`writeTogether`). A change that takes away someone who might be the last enabled admin only
 * happens while there is another one; the lock makes such changes run one after the other. Changes
 * to people who are not admins do not wait for them.
 *
 * first: the change itself, with a condition; if the condition is not met, nothing happens.
 * then: what follows from it.
 * hold, holding…: locks on the rows that the condition looks at (PostgreSQL).
 * mayGo: the part of a condition that says that an admin is left.
 */
export const holdingAdmins: readonly Statement[] = [
  {
    sql: 'SELECT id FROM users WHERE is_admin AND disabled_at IS NULL ORDER BY id FOR UPDATE',
    params: {},
  },
];
const isEnabledAdmin = '(users.is_admin = TRUE AND users.disabled_at IS NULL)';
const isNoAdmin = `NOT ${isEnabledAdmin}`;
export const anotherAdmin = `(${isNoAdmin} OR EXISTS (
  SELECT 1 FROM users AS other WHERE other.is_admin = TRUE AND other.disabled_at IS NULL AND other.id <> users.id))`;

/**
 * PostgreSQL: makes changes to these people, and changes to what they are given, run one after the
 * other.
 */
export function holdingPeople(ids: readonly string[]): Statement {
  const { marks, params } = inList('id', ids);
  return { sql: `SELECT id FROM users WHERE id IN (${marks}) ORDER BY id FOR UPDATE`, params };
}

/**
 * SQL: the user is not responsible for an agent, which would be left without anyone responsible.
 */
export const answersForNoAgent = `NOT EXISTS (SELECT 1 FROM client_contacts k JOIN clients a ON a.id = k.client_id
  WHERE k.user_id = users.id AND k.owner = TRUE AND a.agent = TRUE)`;

/** The statements that end a user's sessions, remembered devices and app passwords, for the same transaction as the reason. */
export const endingSessions = (id: string): Statement[] => [
  ...endingSessionsThat('s.user_id = :id', { id }),
  forgettingRemembered(id),
  endingAppPasswords({ userId: id }),
];

export type Outcome =
  | 'done'
  /** It was so already, or the row has changed since it was seen. */
  | 'unchanged'
  | 'missing'
  | 'last-admin'
  | 'answers-for-agent'
  | 'out-of-reach';

export type Standing = Columns<
  'users',
  'isAdmin' | 'role' | 'disabledAt' | 'updatedAt' | 'deletionAt'
>;

/** A change of a user with what follows from it, for one transaction (`writeTogether`). */
type Change<First> = { first: First; then: Statement[]; hold?: readonly Statement[] };

/** Runs a change. @param why what an unmet condition means, judging by the row */
export async function change<Why extends string>(
  id: string,
  { first, then, hold }: Change<Statement>,
  why: (row: Standing) => Why,
): Promise<'done' | 'missing' | Why> {
  if ((await writeTogether(first, then, hold)).length > 0) return 'done';
  const [row] = await read<Standing>(
    'SELECT is_admin, role, disabled_at, updated_at, deletion_at FROM users WHERE id = :id',
    { id },
  );
  return row ? why(row) : 'missing';
}

/**
 * Runs a change that takes a user away, who must not be the last enabled admin. Only a change to an
 * admin waits for others. Its condition has to include `mayGo`.
 * @param explains whether the row alone shows that there is nothing to do: `unchanged`
 * @returns `refused` if it does not: they are the last admin, or another part of the condition was
 * not met
 */
export async function takeAway(
  id: string,
  { first, then, hold = [holdingPeople([id])] }: Change<(mayGo: string) => Statement>,
  explains: (row: Standing) => boolean,
): Promise<'done' | 'missing' | 'unchanged' | 'refused'> {
  const why = (row: Standing) => (explains(row) ? 'unchanged' : 'refused');
  const outcome = await change(id, { first: first(isNoAdmin), then, hold }, why);
  if (outcome !== 'refused') return outcome;
  const held = [...holdingAdmins, ...hold];
  return change(id, { first: first(anotherAdmin), then, hold: held }, why);
}

/**
 * Runs a change that takes a user away who must neither be the last admin nor be responsible for an
 * agent.
 */
export async function takeAwayOwner(...said: Parameters<typeof takeAway>): Promise<Outcome> {
  const outcome = await takeAway(...said);
  if (outcome !== 'refused') return outcome;
  const [id] = said;
  const sql = `SELECT id FROM users WHERE id = :id AND NOT ${answersForNoAgent}`;
  return (await read(sql, { id })).length > 0 ? 'answers-for-agent' : 'last-admin';
}
