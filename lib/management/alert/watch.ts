import { backupState } from '../../backup/schedule.ts';
import { config } from '../../config.ts';
import { alertAdmins, notTold } from '../../mail/alerts.ts';
import { canSendMail } from '../../mail/post.ts';
import { listWaiting } from '../../store/client-requests.ts';
import { countsSince } from '../../store/overview.ts';
import { log } from '../../telemetry/log.ts';
import { listTroubles } from '../overview.ts';
import { tellOfTheWeek } from './digest.ts';
import { certificateEnd, freeSpaces, littleSpace, megabyte, renewed } from './upkeep.ts';

const hour = 3600_000;
const day = 24 * hour;

/** What admins are told by mail. A check that fails is tried again next time. */
export async function watch(now: Date): Promise<void> {
  if (!canSendMail()) return;
  for (const look of looks) await attempt(look, now);
}

/** The same for checks that ask other machines, and whose results change only by the day. */
export async function watchOutside(now: Date): Promise<void> {
  if (canSendMail()) await attempt(lookAtCertificate, now);
}

async function attempt(look: (now: Date) => Promise<void>, now: Date): Promise<void> {
  try {
    await look(now);
  } catch (error) {
    log().warn({ err: error, look: look.name }, 'what admins are told of could not be looked at');
  }
}

/** Apps that are refused because of their own configuration. */
async function lookAtApps(now: Date): Promise<void> {
  const { failing } = await listTroubles(now);
  const fresh = await notTold('app-failing', failing, now);
  const [first, ...others] = fresh.map(({ id }) => id);
  if (first === undefined) return;
  const apps = fresh.map(({ name }) => name).join(', ');
  await alertAdmins({ kind: 'app-failing', about: [first, ...others], values: { apps } }, now);
}

/** The maximum number of hosts named in a mail. */
const mostNamed = 10;

/** Apps that have waited a day for a decision. The mail names only their proven hosts. */
async function lookAtWaiting(now: Date): Promise<void> {
  const long = (await listWaiting()).filter(
    ({ askedAt }) => now.getTime() - askedAt.getTime() >= day,
  );
  const about = long.map(({ clientId, host }) => ({ id: clientId, host }));
  const fresh = await notTold('still-waiting', about, now);
  const [first, ...others] = fresh.map(({ id }) => id);
  if (first === undefined) return;
  const hosts = [...new Set(fresh.map(({ host }) => host))];
  const said = hosts.length > mostNamed ? [...hosts.slice(0, mostNamed), '…'] : hosts;
  const values = { count: fresh.length, hosts: said.join(', ') };
  await alertAdmins({ kind: 'still-waiting', about: [first, ...others], values }, now);
}

/** Within two hours; worth a mail if also `timesMore` times the usual number. */
const manyFailed = 50;
const timesMore = 5;

async function lookAtPasswords(now: Date): Promise<void> {
  const since = new Date(now.getTime() - 7 * day);
  const lately = now.getTime() - 2 * hour;
  let [late, before] = [0, 0];
  for (const { name, hour: at, value } of await countsSince(since)) {
    if (name !== 'sign-in-failed') continue;
    if (at.getTime() > lately) late += value;
    else before += value;
  }
  const usual = (before / (7 * day)) * 2 * hour;
  if (late < manyFailed || late < timesMore * usual) return;
  await alertAdmins({ kind: 'wrong-passwords', about: ['all'], values: { count: late } }, now);
}

async function lookAtBackups(now: Date): Promise<void> {
  const state = await backupState(now);
  if (state.is === 'off' || !state.late) return;
  const values = { hours: state.hours, folder: state.folder };
  await alertAdmins({ kind: 'backup-late', about: [state.folder], values }, now);
}

async function lookAtDisk(now: Date): Promise<void> {
  for (const { what, folder, free } of await freeSpaces()) {
    if (free >= littleSpace) continue;
    const values = { what, free: Math.round(free / megabyte), folder };
    await alertAdmins({ kind: 'disk-full', about: [folder], values }, now);
  }
}

async function lookAtCertificate(now: Date): Promise<void> {
  const ends = await certificateEnd();
  const days = ends && Math.floor((ends.getTime() - now.getTime()) / day);
  if (days === null || days >= renewed) return;
  const { hostname: name } = new URL(config().issuer);
  const values = { days: Math.max(-1, days), name };
  await alertAdmins({ kind: 'certificate-ends', about: [name], values }, now);
}

const looks = [
  lookAtApps,
  lookAtWaiting,
  lookAtPasswords,
  lookAtBackups,
  lookAtDisk,
  tellOfTheWeek,
] as const;
