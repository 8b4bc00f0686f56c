import { once } from './once.ts';
import type { Waiting, WaitingTable } from './store/engine/queue.ts';
import { whenDurable } from './store/engine/transaction.ts';
import { log } from './telemetry/log.ts';

const minute = 60_000;
/** Pauses between attempts. After the last attempt an item is given up. */
const pauses = [minute / 2, 2 * minute, 10 * minute, 60 * minute, 6 * 60 * minute];

/** How one queue processes the items waiting in its table. */
type Work<T extends Waiting> = {
  /** The queue's name, and how the log calls one item: `a mail`. */
  name: string;
  table: WaitingTable<T>;
  /** Milliseconds, longer than an attempt takes: a lease only runs out if the process died. */
  lease: number;
  /**
   * Attempts one item. `kept`: it is done, but its row stays.
   * @throws if the attempt is to be repeated
   */
  attempt(item: T, now: Date): Promise<'done' | 'kept'>;
  /** Whether the error is permanent, so that every further attempt would fail too. */
  isForGood?(error: unknown): boolean;
  /** Identifies an item in the log. */
  about(item: T): Record<string, string>;
};

type Queue = {
  /**
   * Starts on what is due, after the response, and after a random delay, so that the timing reveals
   * nothing about the request. Within a transaction it starts after the commit, and not at all
   * after a rollback.
   */
  soon(): void;
  /** Does everything that is due now, or at the given moment. */
  work(at?: Date): Promise<void>;
};

/** Whether items have come to a queue since its table was last read. */
class News {
  came = false;
  #told = Promise.withResolvers<void>();

  tell(): void {
    this.came = true;
    this.#told.resolve();
  }

  forget(): void {
    this.came = false;
    this.#told = Promise.withResolvers();
  }

  /** Resolves when the next item comes. */
  get next(): Promise<void> {
    return this.#told.promise;
  }
}

type State = { waiting: boolean; underWay: Promise<void> | null; news: News };
type States = { left: boolean; byName: Map<string, State> };

const states = () => once('queues', (): States => ({ left: false, byName: new Map() }));

function stateOf(name: string): State {
  const { byName } = states();
  const state = byName.get(name) ?? { waiting: false, underWay: null, news: new News() };
  byName.set(name, state);
  return state;
}

/** This process only queues, and a server does the work: a command can exit when it is done. */
export function leaveQueuesToServer(): void {
  states().left = true;
}

/** Starts no further attempt in this process, and waits for those in progress. */
export async function restQueues(): Promise<void> {
  leaveQueuesToServer();
  await Promise.all([...states().byName.values()].map(({ underWay }) => underWay));
}

/**
 * A queue over a table. Each item is attempted by one process at a time. If that process dies,
 * another attempts the item once the lease has expired.
 */
export function queue<T extends Waiting>(work: Work<T>): Queue {
  return {
    soon() {
      whenDurable({ whenDone: () => begin(work) });
    },
    work: (at) => workOff(work, new News(), at),
  };
}

function begin<T extends Waiting>(work: Work<T>): void {
  const all = states();
  const state = stateOf(work.name);
  if (state.waiting || all.left) return;
  state.waiting = true;
  const runUnlessLeft = () => {
    state.waiting = false;
    if (all.left) return;
    if (state.underWay) state.news.tell();
    else state.underWay = run(work, state);
  };
  setTimeout(runUnlessLeft, 10 + Math.random() * 150).unref();
}

async function run<T extends Waiting>(work: Work<T>, state: State): Promise<void> {
  try {
    await workOff(work, state.news);
  } catch (error) {
    complain(work, error);
  } finally {
    state.underWay = null;
    if (state.news.came) begin(work);
  }
}

function complain({ name }: { name: string }, error: unknown): void {
  log().warn({ err: error }, `${name} could not be taken from the queue and will be tried again`);
}

/** Attempts what is due until nothing is left. Lanes do not wait for each other. */
async function workOff<T extends Waiting>(work: Work<T>, news: News, at?: Date): Promise<void> {
  const lanes = new Map<string, Promise<void>>();
  try {
    for (;;) {
      news.forget();
      const busy = [...lanes.keys()];
      const items = await takeBeside(busy, work, at);
      for (const [lane, ones] of Map.groupBy(items, work.table.laneOf)) {
        const going = attemptAll(work, ones, at).finally(() => lanes.delete(lane));
        lanes.set(lane, going);
      }
      if (items.length === 0 && busy.length === 0) return;
      // If all lanes have finished meanwhile, more items may be due in those that were busy.
      if (items.length === 0 && lanes.size > 0) await Promise.race([...lanes.values(), news.next]);
      if (states().left) return;
    }
  } finally {
    await Promise.all(lanes.values());
  }
}

async function takeBeside<T extends Waiting>(
  busy: readonly string[],
  { table, lease }: Work<T>,
  at = new Date(),
): Promise<T[]> {
  if (busy.length >= table.mostLanes) return [];
  return table.take(at, new Date(at.getTime() + lease), busy);
}

async function attemptAll<T extends Waiting>(
  work: Work<T>,
  items: readonly T[],
  at = new Date(),
): Promise<void> {
  await Promise.all(items.map((item) => attempt(work, item, at))).catch((error: unknown) =>
    complain(work, error),
  );
}

async function attempt<T extends Waiting>(work: Work<T>, item: T, now: Date): Promise<void> {
  // The last attempt ended silently, when its process died: the item may well be the cause.
  if (item.attempts > pauses.length + 1) return giveUp(work, item, 'no attempt came to its end');
  try {
    if ((await work.attempt(item, now)) === 'done') await work.table.drop(item);
  } catch (error) {
    await putOff(work, item, error, now);
  }
}

async function putOff<T extends Waiting>(
  work: Work<T>,
  item: T,
  error: unknown,
  now: Date,
): Promise<void> {
  const { message } = error as Error;
  const pause = pauses[item.attempts - 1];
  const next = pause === undefined ? null : new Date(now.getTime() + pause);
  const late = next === null || (item.expiresAt !== undefined && next >= item.expiresAt);
  if (late || work.isForGood?.(error)) return giveUp(work, item, message);
  const line = { ...work.about(item), attempts: item.attempts, reason: message };
  log().warn(line, `${work.name} could not be sent and will be tried again`);
  await work.table.postpone(item, next);
}

async function giveUp<T extends Waiting>(work: Work<T>, item: T, reason: string): Promise<void> {
  log().error({ ...work.about(item), attempts: item.attempts, reason }, `${work.name} is given up`);
  await work.table.giveUp(item);
}
