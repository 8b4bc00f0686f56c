import { notify } from '../mail/notify.ts';
import type { MessageKey } from '../messages/text.ts';
import type { AuditEntry } from '../store/audit.ts';
import { readSettings } from '../store/settings.ts';
import { takeThrottledTry } from '../store/throttles.ts';
import { judgeUsernames } from '../store/user-list.ts';
import { renameUser } from '../store/users.ts';
import { username } from './accounts.ts';

/**
 * Judges the names that a migration has marked. Who has one that breaks the rules keeps it and the
 * mark, which admins and the person are shown, and signs in with it; with the e-mail address where
 * the name looks like one.
 */
export function judgeMarkedUsernames(): Promise<void> {
  return judgeUsernames(isFit);
}

/** Whether somebody may choose another name themselves; one that breaks the rules may always go. */
export async function mayRename(username: string): Promise<boolean> {
  return !isFit(username) || (await readSettings()).usernameChange === 'on';
}

const isFit = (name: string) => username.safeParse(name).success;

/** It tells which names are taken, so it cannot be asked without end. */
const tries = 20;

/**
 * Gives a person another user name, by the rules of new accounts. Of several who want a name at
 * once, one gets it. Gives what is wrong with it, or null when it is theirs now.
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
  if ((await takeThrottledTry(`username:${user.id}`, tries, now)) === 'refused')
    return 'username.throttled';
  const detail = { username: { before: user.username, after: parsed.data } };
  const outcome = await renameUser(user, parsed.data, event(detail), now);
  if (outcome === 'done') await notify(user.id, 'username-changed', { before: user.username }, now);
  return outcome === 'done'
    ? null
    : outcome === 'taken'
      ? 'setup.usernameTaken'
      : 'username.meanwhile';
}
