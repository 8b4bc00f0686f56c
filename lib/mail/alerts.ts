import { randomUUID } from 'node:crypto';
import { digest } from '../oauth/secrets.ts';
import { writeTogether } from '../store/engine/database.ts';
import { leasesHeld, leaseTakenAt, takingLease } from '../store/engine/leases.ts';
import { adminsToTell } from '../store/notices.ts';
import type { AlertKind, AlertValues } from './letter.ts';
import { canSendMail, posting } from './post.ts';

const day = 24 * 3600_000;

/** An event that admins are alerted to by mail. */
type Alert<K extends AlertKind> = {
  kind: K;
  /** Such as ids of apps. The admins get no second one about these within a day. */
  about: readonly [string, ...string[]];
  values: AlertValues[K];
  /** The admin it is about, who gets no mail. */
  but?: string;
};

/**
 * Mails the admins an alert, in one transaction with the note that they were told, so that only one
 * of several processes does it.
 * @param life milliseconds in which the alert is not repeated
 */
export async function alertAdmins<K extends AlertKind>(
  { kind, about, values, but }: Alert<K>,
  now: Date,
  life = day,
): Promise<void> {
  if (!canSendMail()) return;
  const admins = (await adminsToTell()).filter((userId) => userId !== but);
  const letters = await Promise.all(
    admins.map((userId) =>
      posting({ kind: 'alert', alert: kind, userId, values: { ...values } }, now),
    ),
  );
  const note = (each: string) => takingLease(noteOf(kind, each), randomUUID(), life, now);
  const [first, ...others] = about;
  await writeTogether(note(first), [...others.map(note), ...letters.flat()]);
}

/** Those the admins have not been alerted to within a day. */
export async function notTold<T extends { id: string }>(
  kind: AlertKind,
  about: readonly T[],
  now: Date,
): Promise<T[]> {
  const told = await leasesHeld(
    about.map(({ id }) => noteOf(kind, id)),
    now,
  );
  return about.filter(({ id }) => !told.has(noteOf(kind, id)));
}

/** When admins were last alerted to this, if an alert of it lasts a day; null: not for a month. */
export const lastTold = (kind: AlertKind, about: string): Promise<Date | null> =>
  leaseTakenAt(noteOf(kind, about), day);

/** The lease that records an alert. It has a digest of the subject, because ids can be long. */
const noteOf = (kind: AlertKind, about: string) => `alert:${kind}:${digest(about)}`;
