import { once } from './once.ts';
import type { Waiting, WaitingTable } from './store/engine/queue.ts';
import { whenDurable } from './store/engine/transaction.ts';
import { log } from './telemetry/log.ts';

const minute = 60_000;
/** Pauses between attempts. After the last one an item is given up. */
const pauses = [minute / 2, 2 * minute, 10 * minute, 60 * minute, 6 * 60 * minute];

/** What one queue does with what waits in its table. */
type Work<T extends Waiting> = {
  /** One item in the log, and the name of the queue: `a mail`. */
  name: string;
  table: WaitingTable<T>;
  /** Milliseconds, longer than an attempt takes: they only run out if the process died. */
  lease: number;
  /** Attempts one item. `kept`: it is done, and its row stays. @throws if it is to be tried again */
  attempt(item: T, now: Date): Promise<'done' | 'kept'>;
  /** Whether every further attempt would fail as well. */
  isForGood?(error: unknown): boolean;
  /** Names an item in the log. */
  about(item: T): Record<string, string>;
};

type Queue = {
  /**
   * Starts on what is due, after the response and at no moment that tells of the request; within a
   * transaction after its commit, and not at all when it is undone.
   */
  soon(): void;
  /** Does everything that is due, now or at another moment. */
  work(at?: Date): Promise<void>;
};

/** What has come to a queue since it was last looked into. */
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

  /** Ends with the next word. */
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

/** Begins no further attempt in this process, and waits for those that are under way. */
export async function restQueues(): Promise<void> {
  leaveQueuesToServer();
  await Promise.all([...states().byName.values()].map(({ underWay }) => underWay));
}

/**
 * A queue over a table. Each item is attempted by one process at a time; one whose process died is
 * attempted again when its lease is over.
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

/** Attempts what is due until nothing is left. The lanes do not wait for each other. */
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
      // Where all have come to their end meanwhile, more may be due of what was busy.
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
  // Each attempt before ended without a word, with its process: it may well be the reason.
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
