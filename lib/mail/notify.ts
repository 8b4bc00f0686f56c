import { eventBy, type Someone } from '../store/actor.ts';
import type { Statement } from '../store/engine/statement.ts';
import { readNoticesOff, storeNoticesOff } from '../store/notices.ts';
import type { User } from '../store/users.ts';
import { adminNotices, type NoticeKind, type NoticeValues, optionalNotices } from './letter.ts';
import { post, posting } from './post.ts';

/**
 * Notifies a user by mail of an account event. Only queues a row; preference, recipient and text
 * are decided when it is sent.
 * @param whom the user; `to` instead of their address, when they have just lost theirs
 */
export async function notify<K extends NoticeKind>(
  whom: string | { userId: string; to: string },
  notice: K,
  values: NoticeValues[K],
  now: Date,
): Promise<void> {
  const who = typeof whom === 'string' ? { userId: whom } : whom;
  await post({ kind: 'notice', notice, ...who, values: { ...values }, at: now.getTime() }, now);
}

/** Like `notify`, but as statements for the transaction that makes the change. */
export function postingNotice<K extends NoticeKind>(
  userId: string,
  notice: K,
  values: NoticeValues[K],
  now: Date,
): Promise<Statement[]> {
  return posting({ kind: 'notice', notice, userId, values: { ...values }, at: now.getTime() }, now);
}

/** An optional mail, and whether the user wants it. */
export type NoticeChoice = { notice: ChosenNotice; wanted: boolean; isOfAdmin: boolean };
type ChosenNotice = (typeof optionalNotices)[number] | (typeof adminNotices)[number];

/** The optional mails and the user's choices; admins get some more. */
export async function noticeChoices(user: Pick<User, 'id' | 'isAdmin'>): Promise<NoticeChoice[]> {
  const off = await readNoticesOff(user.id);
  return offeredTo(user).map((notice) => ({
    notice,
    wanted: !off.includes(notice),
    isOfAdmin: adminNotices.some((each) => each === notice),
  }));
}

const offeredTo = ({ isAdmin }: Pick<User, 'isAdmin'>): readonly ChosenNotice[] =>
  isAdmin ? [...optionalNotices, ...adminNotices] : optionalNotices;

/** Stores which of the optional mails a user wants. Mails about security are always sent. */
export async function chooseNotices(
  user: Pick<User, 'id' | 'isAdmin'>,
  named: readonly string[],
  by: Someone,
  now: Date,
): Promise<void> {
  const offered = offeredTo(user);
  const wanted = offered.filter((notice) => named.includes(notice));
  const off = offered.filter((notice) => !wanted.includes(notice));
  const event = eventBy(by, 'notices.changed', { userId: user.id, detail: { wanted } });
  await storeNoticesOff(user.id, off, event, now);
}
