import { alertAdmins, notTold } from '../../mail/alerts.ts';
import { hadPeopleBefore, newSince } from '../../store/overview.ts';
import { listTroubles } from '../overview.ts';
import { readSignIns } from '../sign-in-activity.ts';

const hour = 3600_000;
const week = 7 * 24 * hour;
/** A Monday at 07:00 UTC. */
const aMonday = Date.UTC(2026, 0, 5, 7);

/** Mails the admins a summary of the past week, once a week, from Monday morning on. */
export async function tellOfTheWeek(now: Date): Promise<void> {
  const monday = new Date(now.getTime() - ((now.getTime() - aMonday) % week));
  const id = monday.toISOString();
  // A new server has no past week.
  if (!(await hadPeopleBefore(monday))) return;
  if ((await notTold('weekly-digest', [{ id }], now)).length === 0) return;
  await alertAdmins(
    { kind: 'weekly-digest', about: [id], values: await valuesOfTheWeek(now) },
    now,
    2 * week,
  );
}

async function valuesOfTheWeek(now: Date) {
  const [signIns, made, { failing, waiting }] = await Promise.all([
    readSignIns('7d', 'UTC', now),
    newSince(new Date(now.getTime() - week)),
    listTroubles(now),
  ]);
  return {
    worked: signIns.worked,
    before: signIns.workedBefore,
    failed: signIns.failed,
    ...made,
    failing: failing.length,
    waiting: waiting.length,
  };
}
