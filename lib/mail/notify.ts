import type { AuditEntry } from '../store/audit-entry.ts';
import type { Statement } from '../store/engine/statement.ts';
import { readNoticesOff, storeNoticesOff } from '../store/notices.ts';
import { type NoticeKind, type NoticeValues, optionalNotices } from './letter.ts';
import { post, posting } from './post.ts';

/**
 * Notifies a user by mail of an account event. Only queues a row; preference, recipient and text
 * are decided when it is sent.
 * @param to used instead of the user's address, when they have just lost theirs
 */
export async function notify<K extends NoticeKind>(
  userId: string,
  notice: K,
  values: NoticeValues[K],
  now: Date,
  to?: string,
): Promise<void> {
  await post({ kind: 'notice', notice, userId, values: { ...values }, at: now.getTime(), to }, now);
}

/** As `notify`, as statements for the same transaction as what it tells of. */
export function postingNotice<K extends NoticeKind>(
  userId: string,
  notice: K,
  values: NoticeValues[K],
  now: Date,
): Promise<Statement[]> {
  return posting({ kind: 'notice', notice, userId, values: { ...values }, at: now.getTime() }, now);
}

export type NoticeChoice = { notice: (typeof optionalNotices)[number]; wanted: boolean };

/** The optional notices and the user's choices. */
export async function noticeChoices(userId: string): Promise<NoticeChoice[]> {
  const off = await readNoticesOff(userId);
  return optionalNotices.map((notice) => ({ notice, wanted: !off.includes(notice) }));
}

/** Stores which notices a user wants. Mandatory ones are always sent. */
export async function chooseNotices(
  userId: string,
  wanted: readonly string[],
  event: AuditEntry,
  now: Date,
): Promise<void> {
  await storeNoticesOff(
    userId,
    optionalNotices.filter((notice) => !wanted.includes(notice)),
    event,
    now,
  );
}
