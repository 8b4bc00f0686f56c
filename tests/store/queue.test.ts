import { fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { queue } from '#lib/queue.ts';
import { read, write } from '#lib/store/engine/database.ts';
import type { Waiting, WaitingTable } from '#lib/store/engine/queue.ts';
import { type Delivery, waitingDeliveries } from '#lib/store/logout-deliveries.ts';
import { storeMail, waitingMails } from '#lib/store/mails.ts';
import { onEachDatabase } from '../support/on-each-database.ts';

const start = new Date();
const later = (minutes: number) => new Date(start.getTime() + minutes * 60_000);

type Kind = {
  kind: 'mails' | 'deliveries';
  // biome-ignore lint/suspicious/noExplicitAny: each table has items of its own
  table: WaitingTable<any>;
  put(name: string): Promise<unknown>;
  name(item: object): string;
  rows: string;
};

const insertDelivery = `INSERT INTO logout_deliveries (session_hash, client_id, user_id, attempts, next_at)
  VALUES ($1, $2, 'user', 0, $3)`;
const kinds: Kind[] = [
  {
    kind: 'mails',
    table: waitingMails,
    put: (name) => storeMail(name, later(60 * 24), start),
    name: (item) => (item as { sealed: string }).sealed,
    rows: 'outgoing_mails',
  },
  {
    kind: 'deliveries',
    table: waitingDeliveries,
    // One client with many sessions, because the key has two columns.
    put: (name) => write(insertDelivery, [name, 'client', start]),
    name: (item) => (item as { sessionHash: string }).sessionHash,
    rows: 'logout_deliveries',
  },
];

onEachDatabase(() => {
  describe.each(kinds)('the queue of $kind', ({ kind, table, put, name, rows }) => {
    afterEach(() => write(`DELETE FROM ${rows}`, []));

    const fill = async (count: number) => {
      for (let index = 0; index < count; index += 1) await put(`item ${index}`);
    };
    const left = async () =>
      (await read(`SELECT attempts FROM ${rows}`, [])).map((row) => Number(row.attempts));
    const wear = () => write(`UPDATE ${rows} SET attempts = 6, next_at = $1`, [start]);

    /** A queue over this table that records what it attempts. */
    function working(outcome: (item: Waiting) => 'done' | 'kept' | Error) {
      const attempted: string[] = [];
      const self = queue<Waiting>({
        name: 'a test',
        table,
        lease: 60_000,
        about: () => ({}),
        isForGood: (error) => (error as Error).message === 'for good',
        attempt: async (item) => {
          attempted.push(name(item));
          const result = outcome(item);
          if (result instanceof Error) throw result;
          return result;
        },
      });
      return { attempted, work: self.work };
    }

    test('an item is taken by one of several processes, and by another one if it is not finished', async () => {
      await fill(50);
      const taken: string[] = [];
      // When several reach for the same items, some get none at first.
      for (let round = 0; round < 50 && taken.length < 50; round += 1) {
        const takes = await Promise.all(
          Array.from({ length: 4 }, () => table.take(start, later(3))),
        );
        taken.push(...takes.flat().map(name));
      }
      expect(taken).toHaveLength(50);
      expect(new Set(taken).size).toBe(50);
      expect(await table.take(later(2), later(5))).toEqual([]);
      const again = await table.take(later(4), later(7));
      expect(again.length).toBeGreaterThan(0);
      expect(again.every(({ attempts }: Waiting) => attempts === 2)).toBe(true);
    });

    test('an item whose process was killed is attempted once more', async () => {
      await fill(3);
      const child = fork(
        new URL('../support/take-and-die.ts', import.meta.url),
        [kind, start, later(1)].map((value) => String(value instanceof Date ? +value : value)),
        { env: process.env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
      );
      expect((await once(child, 'exit'))[1]).toBe('SIGKILL');
      const { attempted, work } = working(() => 'done');
      await work(start);
      expect(attempted).toEqual([]);
      await work(later(2));
      expect(attempted.sort()).toEqual(['item 0', 'item 1', 'item 2']);
      expect(await left()).toEqual([]);
    });

    test('several processes working at the same time attempt each item once', async () => {
      await fill(70);
      const workers = Array.from({ length: 3 }, () => working(() => 'done'));
      await Promise.all(workers.map(({ work }) => work(start)));
      const attempted = workers.flatMap((worker) => worker.attempted);
      expect(attempted).toHaveLength(70);
      expect(new Set(attempted).size).toBe(70);
      expect(await left()).toEqual([]);
    });

    test('a process that took too long does not change an item that another process has taken', async () => {
      await fill(1);
      const [slow] = await table.take(start, later(1));
      const [other] = await table.take(later(2), later(5));
      expect(other.attempts).toBe(2);
      await table.postpone(slow, later(3));
      await table.giveUp(slow);
      expect(await table.take(later(4), later(7))).toEqual([]);
      await table.postpone(other, later(3));
      expect(await table.take(later(4), later(7))).toHaveLength(1);
    });

    test('an item is retried at growing intervals, and given up after the last one', async () => {
      await fill(1);
      const { attempted, work } = working(() => new Error('away'));
      const pauses = [0.5, 2, 10, 60, 360];
      let at = 0;
      await work(start);
      for (const pause of pauses) {
        await work(later(at + pause - 0.1));
        at += pause;
        expect(await left()).toHaveLength(1);
        await work(later(at));
      }
      expect(attempted).toHaveLength(1 + pauses.length);
      expect(await left()).toEqual([]);
    });

    test('an item that would fail every time is given up immediately, and one to be kept is kept', async () => {
      await fill(1);
      await working(() => new Error('for good')).work(start);
      expect(await left()).toEqual([]);
      await fill(1);
      await working(() => 'kept').work(start);
      expect(await left()).toEqual([1]);
    });

    test('an item that ended its process at every attempt is given up', async () => {
      await fill(1);
      await wear();
      const { attempted, work } = working(() => 'done');
      await work(start);
      expect(attempted).toEqual([]);
      expect(await left()).toEqual([]);
    });
  });

  describe('the queue of back-channel logouts (OpenID Connect Back-Channel Logout section 2.5)', () => {
    afterEach(() => write('DELETE FROM logout_deliveries', []));
    const put = (client: string, session: string) =>
      write(insertDelivery, [session, client, client === 'dead' ? later(-1) : start]);

    /** A queue in which the app `dead` does not answer until `letGo` is called. */
    function withDeadApp(name: string) {
      const [waits, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<'done'>()];
      onTestFinished(() => letGo.resolve('done'));
      const alive = new EventEmitter();
      const attempted = { dead: 0, alive: 0 };
      const self = queue<Delivery>({
        name,
        table: {
          ...waitingDeliveries,
          take: async (...asked) => {
            const items = await waitingDeliveries.take(...asked);
            if (items.length === 0) waits.resolve();
            return items;
          },
        },
        lease: 60_000,
        about: () => ({}),
        attempt: async ({ clientId }) => {
          if (clientId === 'dead') {
            attempted.dead += 1;
            return letGo.promise;
          }
          attempted.alive += 1;
          alive.emit(`heard ${attempted.alive}`);
          return 'done';
        },
      });
      return { self, attempted, alive, waits: waits.promise, letGo: () => letGo.resolve('done') };
    }

    test('is not held up by an app that does not answer', async () => {
      for (let index = 0; index < 50; index += 1) await put('dead', `dead ${index}`);
      for (let index = 0; index < 30; index += 1) await put('alive', `alive ${index}`);
      const { self, attempted, alive, letGo } = withDeadApp('a sign-out beside a dead app');
      const all = once(alive, 'heard 30');
      const working = self.work(later(1));
      await all;
      expect(attempted.dead).toBe(20);
      letGo();
      await working;
      expect(attempted).toEqual({ dead: 50, alive: 30 });
      expect(await read('SELECT client_id FROM logout_deliveries', [])).toEqual([]);
    });

    test('continues with an app that answers while others are looked for', async () => {
      for (let index = 0; index < 25; index += 1) await put('dead', `dead ${index}`);
      const left = async () => (await read('SELECT client_id FROM logout_deliveries', [])).length;
      const answers = Promise.withResolvers<'done'>();
      const { work } = queue<Delivery>({
        name: 'a sign-out of the rest',
        table: {
          ...waitingDeliveries,
          take: async (at, until, busy = []) => {
            const items = await waitingDeliveries.take(at, until, busy);
            if (busy.length === 0) return items;
            answers.resolve('done');
            await expect.poll(left).toBeLessThanOrEqual(5);
            return items;
          },
        },
        lease: 60_000,
        about: () => ({}),
        attempt: () => answers.promise,
      });
      await work(later(1));
      expect(await left()).toBe(0);
    });

    test('reaches an app immediately while another does not answer', async () => {
      await put('dead', 'dead');
      const { self, alive, waits } = withDeadApp(`a sign-out that comes later ${start}`);
      self.soon();
      await waits;
      const heard = once(alive, 'heard 1');
      await put('alive', 'alive');
      self.soon();
      await heard;
    });
  });

  test('a mail that would be outdated at its next attempt is given up', async () => {
    await storeMail('late', later(1), start);
    const late = queue({
      name: 'a test',
      table: waitingMails,
      lease: 60_000,
      about: () => ({}),
      attempt: () => Promise.reject(new Error('away')),
    });
    await late.work(later(0.9));
    expect(await read('SELECT id FROM outgoing_mails', [])).toEqual([]);
  });
});
