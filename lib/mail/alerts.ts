import { randomUUID } from 'node:crypto';
import { digest } from '../oauth/secrets.ts';
import { writeTogether } from '../store/engine/database.ts';
import { leasesHeld, takingLease } from '../store/engine/leases.ts';
import { adminsToTell } from '../store/notices.ts';
import type { AlertKind, AlertValues } from './letter.ts';
import { canSendMail, posting } from './post.ts';

const day = 24 * 3600_000;

/** Something that admins are told of by mail. */
type Alert<K extends AlertKind> = {
  kind: K;
  /** What it is about, such as ids of apps: of these nobody is told again within a day. */
  about: readonly [string, ...string[]];
  values: AlertValues[K];
  /** The admin it is about, who is not told. */
  but?: string;
};

/**
 * Tells the admins by mail, in one transaction with the note that they were told: of several
 * processes one does it.
 * @param life for how long it is not repeated, in milliseconds
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

/** Of these, what the admins were not told of within a day. */
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

/** The lease that says that admins were told. Of what is a digest: an id can be long. */
const noteOf = (kind: AlertKind, about: string) => `alert:${kind}:${digest(about)}`;
