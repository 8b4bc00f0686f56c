import { randomUUID } from 'node:crypto';
import { backUpWhenDue } from './backup/schedule.ts';
import { logouts } from './identity/back-channel.ts';
import { syncDue } from './identity/directory/sync.ts';
import { ensureSigningKeys } from './identity/signing.ts';
import { ensureTokenKeys } from './identity/token-keys.ts';
import { resealProviderSecrets } from './identity/upstream/secret.ts';
import { completeUsernames } from './identity/usernames.ts';
import { tellOfWaitingApps } from './mail/new-apps.ts';
import { mails } from './mail/post.ts';
import { watch, watchOutside } from './management/alert/watch.ts';
import { batches } from './management/batch/run.ts';
import { deleteDueAccounts } from './management/user/deletion.ts';
import { restQueues } from './queue.ts';
import { deleteExpired } from './store/cleaning.ts';
import { cutWriteAheadLog } from './store/engine/checkpoint.ts';
import { takeLease } from './store/engine/leases.ts';
import { endPresence, showPresence } from './store/engine/presence.ts';
import { oneByOne } from './store/engine/write-behind.ts';
import { removeUnusedClients } from './store/registered-clients.ts';
import { log } from './telemetry/log.ts';

const every = 15_000;
/** Nobody waits for a client that nobody uses to be removed. */
const unusedEvery = 10 * 60_000;
/** Nor for what admins are told of by mail; days before a certificate ends, hours don't count. */
const watchEvery = 5 * 60_000;
const watchOutsideEvery = 6 * 3600_000;

/** Worked by every process; each item is taken by one. */
const queues = [mails, logouts, batches];

/** What a process that stops asks of its jobs. */
type Jobs = {
  /** Begins nothing more, and waits for what is under way. */
  rest: () => Promise<void>;
  /** Says that this process serves no more. */
  leave: () => Promise<void>;
};

/** When this process last did what is not done in each round: milliseconds since 1970. */
type Last = Record<'unusedAt' | 'watchedAt' | 'outsideAt', number>;

/** Starts the background jobs; of several processes on one database, one runs them. */
export async function startJobs(): Promise<Jobs> {
  const holder = randomUUID();
  const presence = oneByOne();
  const beThere = () => presence(() => present(holder));
  await beThere();
  const last: Last = { unusedAt: 0, watchedAt: 0, outsideAt: 0 };
  let round: Promise<void> | null = null;
  const timer = setInterval(() => {
    for (const queue of queues) queue.soon();
    void beThere();
    round ??= workRound(holder, last, new Date()).finally(() => {
      round = null;
    });
  }, every);
  timer.unref();
  // Picks up what an earlier process left behind.
  for (const queue of queues) queue.soon();
  completeUsernames().catch((error: unknown) =>
    log().warn({ err: error }, 'usernames could not be checked; the next start tries again'),
  );
  return {
    rest: async () => {
      clearInterval(timer);
      await Promise.all([restQueues(), round]);
    },
    // While the database is away nobody learns of it; then the lease ends by itself.
    leave: () => presence(() => endPresence(holder)).catch(() => {}),
  };
}

/** Beside the rounds: a large directory takes minutes. */
const besides: { sync: Promise<void> | null } = { sync: null };

async function syncDirectories(): Promise<void> {
  try {
    await syncDue();
  } catch (error) {
    log().warn({ err: error }, 'a sync of a directory failed and will be tried again');
  }
}

async function workRound(holder: string, last: Last, now: Date): Promise<void> {
  try {
    if (await takeLease('cleaning', holder, every * 4, now)) await clean(last, now);
    await backUp(now);
    besides.sync ??= syncDirectories().finally(() => {
      besides.sync = null;
    });
  } catch (error) {
    log().warn({ err: error }, 'cleaning failed and will be tried again');
  }
}

async function clean(last: Last, now: Date): Promise<void> {
  const isDue = (what: keyof Last, every: number) => {
    if (now.getTime() - last[what] < every) return false;
    last[what] = now.getTime();
    return true;
  };
  await ensureSigningKeys(now);
  await ensureTokenKeys(now);
  await resealProviderSecrets();
  await cutWriteAheadLog();
  const rows = await deleteExpired(now);
  const people = await deleteDueAccounts(now);
  if (people > 0) log().info({ people }, 'accounts deleted that their people wanted deleted');
  await tellOfWaitingApps(now);
  if (rows > 0) log().debug({ rows }, 'expired rows deleted');
  if (isDue('unusedAt', unusedEvery)) await removeUnusedClients(now);
  if (isDue('watchedAt', watchEvery)) await watch(now);
  if (isDue('outsideAt', watchOutsideEvery)) await watchOutside(now);
}

async function present(id: string): Promise<void> {
  try {
    await showPresence(id, new Date());
  } catch (error) {
    log().debug({ err: error }, 'the lease of this process could not be renewed');
  }
}

async function backUp(now: Date): Promise<void> {
  try {
    await backUpWhenDue(now);
  } catch (error) {
    log().error({ err: error }, 'the backup failed and will be tried again in ten minutes');
  }
}
