import type { AuditEntry } from '../store/audit.ts';
import { readNoticesOff, storeNoticesOff } from '../store/notices.ts';
import { type NoticeKind, type NoticeValues, optionalNotices } from './letter.ts';
import { post } from './post.ts';

/**
 * Tells a person by mail what happened to their account. One row is written; whether they want it,
 * where it goes and what it says is found out when it is sent.
 * @param to an address instead of the person's, for one who has just lost theirs
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

export type NoticeChoice = { notice: (typeof optionalNotices)[number]; wanted: boolean };

/** What a person may choose, and has chosen. */
export async function noticeChoices(userId: string): Promise<NoticeChoice[]> {
  const off = await readNoticesOff(userId);
  return optionalNotices.map((notice) => ({ notice, wanted: !off.includes(notice) }));
}

/** Keeps which notices a person wants; those that are not optional are always sent. */
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
