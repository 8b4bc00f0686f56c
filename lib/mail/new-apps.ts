import { randomUUID } from 'node:crypto';
import { hasWaitingSince } from '../store/client-requests.ts';
import { leaseTakenAt, takeLease } from '../store/engine/leases.ts';
import { adminsToTell } from '../store/notices.ts';
import { canSendMail, post } from './post.ts';

const name = 'new-apps-mail';
const every = 3600_000;

/** Mails the admins about waiting apps: at most once an hour, and then about all of them. */
export async function tellOfWaitingApps(now: Date): Promise<void> {
  if (!canSendMail()) return;
  const last = await leaseTakenAt(name, every);
  if (!(await hasWaitingSince(last ?? new Date(0)))) return;
  if (!(await takeLease(name, randomUUID(), every, now))) return;
  for (const userId of await adminsToTell()) await post({ kind: 'new-apps', userId }, now);
}
