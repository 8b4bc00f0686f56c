import { randomUUID } from 'node:crypto';
import { backUpWhenDue } from './backup/schedule.ts';
import { config } from './config.ts';
import { logouts } from './identity/back-channel.ts';
import { syncDue } from './identity/directory/sync.ts';
import { ensureSigningKeys } from './identity/signing.ts';
import { ensureTokenKeys } from './identity/token-keys.ts';
import { resealProviderSecrets } from './identity/upstream/secret.ts';
import { completeUsernames } from './identity/usernames.ts';
import { tellOfWaitingApps } from './mail/new-apps.ts';
import { mails } from './mail/post.ts';
import { tellOfEnds } from './management/alert/ends.ts';
import { watch, watchOutside } from './management/alert/watch.ts';
import { tellOfEndingAppPasswords } from './management/app-password/app-passwords.ts';
import { batches } from './management/batch/run.ts';
import { deleteDueAccounts } from './management/user/deletion.ts';
import { applyUnusedRule } from './management/user/unused.ts';
import { restQueues } from './queue.ts';
import { claimedIssuer } from './settings/default-issuer.ts';
import { endMinutes } from './store/audit.ts';
import { deleteExpired } from './store/cleaning.ts';
import { endAllDue } from './store/ends.ts';
import { cutWriteAheadLog } from './store/engine/checkpoint.ts';
import { takeLease } from './store/engine/leases.ts';
import { endPresence, showPresence } from './store/engine/presence.ts';
import { oneByOne } from './store/engine/write-behind.ts';
import { removeUnusedClients } from './store/registered-clients.ts';
import { fillSortKeysOfApps } from './store/sort-keys.ts';
import { log } from './telemetry/log.ts';

const every = 15_000;
/** Nothing depends on these being done soon. */
const unusedEvery = 10 * 60_000;
/**
 * Alert mails to admins can wait this long, too. A certificate is watched for days before it
 * expires, so hours don't matter.
 */
const watchEvery = 5 * 60_000;
const watchOutsideEvery = 6 * 3600_000;
/** How long a process leaves the chores to others after one failed. Its lease expires meanwhile. */
const standsBack = every * 6;

/** Work that one process does in each round, or every `every` milliseconds. */
type Chore = { what: string; every?: number; work: (now: Date) => Promise<unknown> };

const chores: Chore[] = [
  { what: 'signing keys', work: ensureSigningKeys },
  { what: 'token keys', work: ensureTokenKeys },
  { what: 'secrets of providers', work: resealProviderSecrets },
  { what: 'write-ahead log', work: cutWriteAheadLog },
  { what: 'expired rows', work: deleteRows },
  { what: 'what ends by itself', work: endWhatIsDue },
  { what: 'accounts to be deleted', work: deleteAccounts },
  { what: 'mail about waiting apps', work: tellOfWaitingApps },
  { what: 'mail about ending app passwords', every: unusedEvery, work: tellOfEndingAppPasswords },
  { what: 'unused accounts', every: unusedEvery, work: applyUnusedRule },
  { what: 'mail about what ends soon', every: unusedEvery, work: tellOfEnds },
  { what: 'places of apps in lists', every: unusedEvery, work: fillSortKeysOfApps },
  { what: 'unused apps', every: unusedEvery, work: removeUnusedClients },
  { what: 'what admins are told of', every: watchEvery, work: watch },
  { what: 'the certificate', every: watchOutsideEvery, work: watchOutside },
];

/** Every process works on these; each item is taken by one process. */
const queues = [mails, logouts, batches];

/** How a stopping process winds down its jobs. */
type Jobs = {
  /** Starts no new work, and waits for the work in progress. */
  rest: () => Promise<void>;
  /** Announces that this process no longer serves. */
  leave: () => Promise<void>;
};

/** Starts the background jobs. Of several processes on one database, one runs the chores. */
export async function startJobs(): Promise<Jobs> {
  const holder = randomUUID();
  const presence = oneByOne();
  const beThere = () => presence(() => present(holder));
  await beThere();
  const rounds = new Rounds(holder);
  let round: Promise<void> | null = null;
  const timer = setInterval(() => {
    for (const queue of queues) queue.soon();
    void beThere();
    endMinutes(new Date());
    round ??= rounds.work(new Date()).finally(() => {
      round = null;
    });
  }, every);
  timer.unref();
  // Picks up what an earlier process left unfinished.
  for (const queue of queues) queue.soon();
  completeUsernames().catch((error: unknown) =>
    log().warn({ err: error }, 'usernames could not be checked; the next start tries again'),
  );
  return {
    rest: async () => {
      clearInterval(timer);
      await Promise.all([restQueues(), round]);
      await rounds.rest();
    },
    // If the database is unreachable, the presence lease expires by itself.
    leave: () => presence(() => endPresence(holder, new Date())).catch(() => {}),
  };
}

/**
 * The rounds of one process. A failure doesn't hold up the rest of the round, and a later round
 * retries it.
 */
export class Rounds {
  readonly #holder: string;
  /** When each chore was last begun, and when one last failed: milliseconds since 1970. */
  readonly #doneAt = new Map<Chore, number>();
  #failedAt = Number.NEGATIVE_INFINITY;
  /** Both run beside the rounds, because a large database or directory takes minutes. */
  #backup: Promise<void> | null = null;
  #sync: Promise<void> | null = null;

  /** @param holder names this process among those that share the database */
  constructor(holder: string) {
    this.#holder = holder;
  }

  async work(now: Date): Promise<void> {
    await this.#clean(now);
    this.#backup ??= backUp(now).finally(() => {
      this.#backup = null;
    });
    this.#sync ??= syncDirectories().finally(() => {
      this.#sync = null;
    });
  }

  /** Waits for a backup under way. */
  async rest(): Promise<void> {
    await this.#backup;
  }

  async #clean(now: Date): Promise<void> {
    if (!hasPassed(this.#failedAt, standsBack, now)) return;
    try {
      if (!(await takeLease('cleaning', this.#holder, every * 4, now))) return;
    } catch (error) {
      return log().warn({ err: error }, 'cleaning failed and will be tried again');
    }
    for (const chore of chores) if (this.#isDue(chore, now)) await this.#do(chore, now);
  }

  #isDue(chore: Chore, now: Date): boolean {
    return hasPassed(this.#doneAt.get(chore) ?? 0, chore.every ?? 0, now);
  }

  async #do(chore: Chore, now: Date): Promise<void> {
    this.#doneAt.set(chore, now.getTime());
    try {
      await chore.work(now);
    } catch (error) {
      this.#failedAt = now.getTime();
      log().warn({ err: error, step: chore.what }, 'cleaning failed and will be tried again');
    }
  }
}

/** Whether that many milliseconds have passed. If the clock was set back, the answer is yes. */
function hasPassed(since: number, milliseconds: number, now: Date): boolean {
  const age = now.getTime() - since;
  return age < 0 || age >= milliseconds;
}

async function deleteRows(now: Date): Promise<void> {
  const rows = await deleteExpired(now);
  if (rows > 0) log().debug({ rows }, 'expired rows deleted');
}

async function endWhatIsDue(now: Date): Promise<void> {
  const ended = await endAllDue(now);
  if (ended > 0) log().info({ ended }, 'accounts, memberships and places ended by their date');
}

async function deleteAccounts(now: Date): Promise<void> {
  const people = await deleteDueAccounts(now);
  if (people > 0) log().info({ people }, 'accounts deleted that their people wanted deleted');
}

async function syncDirectories(): Promise<void> {
  try {
    await syncDue();
  } catch (error) {
    log().warn({ err: error }, 'a sync of a directory failed and will be tried again');
  }
}

async function present(id: string): Promise<void> {
  try {
    await showPresence(id, claimedIssuer(config()), new Date());
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
