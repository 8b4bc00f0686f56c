import { notify } from '../mail/notify.ts';
import type { MessageKey } from '../messages/keys.ts';
import type { AuditEntry } from '../store/audit-entry.ts';
import { readSettings } from '../store/settings.ts';
import { fillSortKeys } from '../store/sort-keys.ts';
import { takeThrottledTry } from '../store/throttles.ts';
import { judgeUsernames } from '../store/user-list.ts';
import { fillGlances } from '../store/usernames.ts';
import { renameUser } from '../store/users.ts';
import { username } from './accounts.ts';

/**
 * Completes what a migration left open: how each username looks (for comparing lookalikes), whether
 * the names it flagged are valid, and where people, groups and apps stand in lists by name. An
 * invalid name keeps working and stays flagged, which admins and its user can see. If it looks like
 * an email address, the user signs in with their email address instead.
 */
export async function completeUsernames(): Promise<void> {
  await fillGlances();
  await judgeUsernames(isFit);
  await fillSortKeys();
}

/** Whether a user may change their username. An invalid one can always be replaced. */
export async function mayRename(username: string): Promise<boolean> {
  return !isFit(username) || (await readSettings()).usernameChange === 'on';
}

const isFit = (name: string) => username.safeParse(name).success;

/** Attempts to choose a name: the answer reveals which names are taken, so they are limited. */
export const nameTries = 20;

/**
 * Changes a username by the rules for new accounts. If several users want the same name at the same
 * time, one gets it. Returns the fault, or null on success.
 */
export async function changeUsername(
  user: { id: string; username: string },
  typed: string,
  event: (detail: Record<string, unknown>) => AuditEntry,
  now: Date,
): Promise<MessageKey | null> {
  const parsed = username.safeParse(typed);
  if (!parsed.success) return 'setup.usernameBad';
  if (parsed.data === user.username) return 'username.same';
  if (!(await mayRename(user.username))) return 'username.off';
  if ((await takeThrottledTry(`username:${user.id}`, nameTries, now)) === 'refused')
    return 'username.throttled';
  const detail = { username: { before: user.username, after: parsed.data } };
  const outcome = await renameUser(user, parsed.data, event(detail), now);
  if (outcome === 'done') await notify(user.id, 'username-changed', { before: user.username }, now);
  return renameFaults[outcome];
}

const renameFaults = {
  done: null,
  taken: 'setup.usernameTaken',
  'look-alike': 'setup.usernameAlike',
  'changed-meanwhile': 'username.meanwhile',
} as const;
