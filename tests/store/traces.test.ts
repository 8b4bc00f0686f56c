import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '#lib/oauth/secrets.ts';
import { addSeconds } from '#lib/oauth/token-request.ts';
import { deleteExpired } from '#lib/store/cleaning.ts';
import { read, write } from '#lib/store/engine/database.ts';
import {
  findLatestSignIn,
  findTrace,
  findTraceOfRequest,
  type TraceFilter,
  traceList,
} from '#lib/store/trace-list.ts';
import { room, shareOfPerson } from '#lib/store/trace-rings.ts';
import { droppedTraces, recordTrace, type TracedRequest, writeTraces } from '#lib/store/traces.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newClient, newUser } from '../support/seed.ts';

const now = new Date();
const plain: TracedRequest = {
  attempt: null,
  requestId: '',
  step: 'token',
  outcome: 'done',
  clientId: null,
  userId: null,
  behind: 'app',
  refusal: null,
};
let requests = 0;
const newRequestId = () => {
  requests += 1;
  return `request-${requests}`;
};
const refusal = {
  code: 'invalid_grant',
  rule: 'code.expired',
  reason: 'The code has expired.',
} as const;
const refusedAs = (facts: Partial<TracedRequest> = {}): TracedRequest => ({
  ...plain,
  ...facts,
  requestId: newRequestId(),
  outcome: 'refused',
  refusal: { ...refusal, received: '41 s old', expected: ['at most 30 s'] },
});
const rowsOf = async (table: string) =>
  Number((await read(`SELECT count(*) AS n FROM ${table}`, []))[0]?.n);

onEachDatabase(() => {
  beforeEach(async () => {
    await writeTraces();
    await write('DELETE FROM traces', []);
  });

  test('attempts are listed by where they came in, and the latest sign-in that worked is found', async () => {
    const user = await newUser();
    const { id: clientId } = await newClient();
    const sent = async (step: TracedRequest['step'], userId: string | null, seconds: number) => {
      const at = addSeconds(now, seconds);
      const attempt = newId(at);
      recordTrace({ ...plain, attempt, clientId, userId, step, requestId: newRequestId() }, at);
      await writeTraces();
      return attempt;
    };
    const stepsOf = async (through: TraceFilter['through']) => {
      const { rows } = await traceList.page({ through, limit: 10 });
      return rows.map(({ step }) => step);
    };
    expect(await findLatestSignIn(clientId)).toBeNull();
    const own = await sent('bind', null, 1);
    expect(await findLatestSignIn(clientId)).toMatchObject({ traceId: own, username: null });
    const theirs = await sent('bind', user.id, 2);
    await sent('bind', null, 3);
    await sent('search', null, 4);
    const found = { traceId: theirs, step: 'bind', username: user.username };
    expect(await findLatestSignIn(clientId)).toMatchObject(found);
    const guarded = await sent('guard', user.id, 5);
    expect(await findLatestSignIn(clientId)).toMatchObject({ traceId: guarded, step: 'guard' });
    await sent('token', user.id, 6);
    expect(await stepsOf('ldap')).toEqual(['search', 'bind', 'bind', 'bind']);
    expect(await stepsOf('proxy')).toEqual(['guard']);
    expect(await stepsOf('web')).toEqual(['token']);
  });

  test('the requests of a sign-in attempt form one trace, found by each request', async () => {
    const user = await newUser();
    const client = await newClient({ name: 'Pottery Club' });
    const attempt = newId(now);
    const of = { attempt, clientId: client.id };
    const steps = [
      { ...plain, ...of, step: 'authorize', outcome: 'sign-in', requestId: 'first' },
      { ...refusedAs({ ...of, userId: user.id }), requestId: 'second' },
      { ...plain, ...of, requestId: 'third' },
      { ...plain, ...of, requestId: 'fourth' },
    ] as const;
    for (const [index, step] of steps.entries()) {
      recordTrace(step, addSeconds(now, index));
      await writeTraces();
    }
    const trace = await findTraceOfRequest('second');
    expect(trace).toMatchObject({ id: attempt, clientName: 'Pottery Club', userId: user.id });
    expect(trace).toMatchObject({ outcome: 'done', rule: null, failed: true, behind: 'app' });
    expect(trace?.steps.map(({ step, outcome, times }) => [step, outcome, times])).toEqual([
      ['authorize', 'sign-in', 1],
      ['token', 'refused', 1],
      ['token', 'done', 2],
    ]);
    expect(trace?.steps[1]).toMatchObject({
      ...refusal,
      received: '41 s old',
      expected: ['at most 30 s'],
    });
    expect(trace?.lastAt).toEqual(addSeconds(now, 3));
    expect((await findTraceOfRequest('fourth'))?.id).toBe(attempt);
    expect(await findTraceOfRequest('nobody')).toBeNull();
  });

  test('another client’s request with the code of a sign-in attempt is a trace of its own', async () => {
    const own = await newClient();
    const other = await newClient();
    const attempt = newId(now);
    const requests = [
      { ...plain, attempt, clientId: own.id, step: 'authorize', requestId: 'asks' },
      { ...refusedAs({ attempt, clientId: other.id }), requestId: 'brings' },
      { ...plain, attempt, clientId: own.id, requestId: 'redeems' },
    ] as const;
    for (const order of [requests, [...requests].reverse(), [requests[1], requests[0]]]) {
      await write('DELETE FROM traces', []);
      for (const [index, request] of order.entries()) {
        recordTrace(request, addSeconds(now, index));
        await writeTraces();
      }
      expect((await findTraceOfRequest('brings'))?.clientId).toBe(other.id);
      expect((await findTraceOfRequest('asks'))?.clientId).toBe(own.id);
      for (const { id, clientId } of (await traceList.page({})).rows) {
        const steps = (await findTrace(id))?.steps.map(({ requestId }) => requestId) ?? [];
        expect(steps.includes('brings')).toBe(clientId === other.id);
        if (clientId === other.id) expect(steps).toEqual(['brings']);
      }
    }
  });

  test('traces are listed by client, user, outcome, rule and time, in pages', async () => {
    const user = await newUser();
    const one = await newClient();
    const other = await newClient();
    for (let index = 0; index < 5; index += 1)
      recordTrace(refusedAs({ clientId: one.id, userId: user.id }), addSeconds(now, index));
    recordTrace({ ...plain, attempt: newId(now), clientId: other.id, requestId: 'x' }, now);
    await writeTraces();
    const first = await traceList.page({ clientId: one.id, limit: 3 });
    const second = await traceList.page({ clientId: one.id, limit: 3, cursor: first.next ?? '' });
    expect([...first.rows, ...second.rows].map(({ lastAt }) => lastAt)).toEqual(
      [4, 3, 2, 1, 0].map((index) => addSeconds(now, index)),
    );
    const count = async (filter: TraceFilter) => (await traceList.page(filter)).rows.length;
    expect(await count({})).toBe(6);
    expect(await count({ userId: user.id })).toBe(5);
    expect(await count({ outcome: 'done' })).toBe(1);
    expect(await count({ failed: true })).toBe(5);
    expect(await count({ rule: 'code.expired' })).toBe(5);
    expect(await count({ rule: 'code.used' })).toBe(0);
    expect(await count({ since: addSeconds(now, 3) })).toBe(2);
    expect(await count({ until: addSeconds(now, 1) })).toBe(2);
  });

  test('counting traces looks at the latest 10,000 only, or at the latest failed ones', async () => {
    const client = await newClient();
    recordTrace(refusedAs({ clientId: client.id }), new Date(now.getTime() - 60_000));
    await writeTraces();
    const rule = 'code.expired';
    expect(await traceList.count({ rule })).toEqual({ count: 1, more: false });
    await write(
      `INSERT INTO traces (id, ring, failed, client_id, started_at, last_at, step, outcome)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10050)
      SELECT 'many-' || i, $1, $3, $1, $2, $2, 'token', 'done' FROM n`,
      [client.id, now, false],
    );
    expect(await traceList.count({})).toEqual({ count: 10_000, more: true });
    expect(await traceList.count({ rule })).toEqual({ count: 0, more: true });
    expect(await traceList.count({ rule, failed: true })).toEqual({ count: 1, more: false });
  });

  test('a flood of traces is bounded in rows and memory, and those dropped are counted', async () => {
    const client = await newClient();
    const dropped = droppedTraces();
    for (let round = 0; round < 12; round += 1) {
      for (let index = 0; index < 1000; index += 1) {
        recordTrace(refusedAs({ clientId: client.id, behind: index % 2 ? 'app' : 'nobody' }), now);
        recordTrace(refusedAs({ attempt: 'f'.repeat(32), clientId: client.id }), now);
      }
      await writeTraces();
    }
    expect(droppedTraces() - dropped).toBeGreaterThan(20_000);
    const byRing = await read('SELECT ring, count(*) AS n FROM traces GROUP BY ring', []);
    for (const { n } of byRing) expect(Number(n)).toBeLessThanOrEqual(150);
    expect((await findTrace('f'.repeat(32)))?.steps.length).toBeLessThanOrEqual(20);
    expect(await rowsOf('trace_steps')).toBeLessThanOrEqual(2 * 150 + 20);
  });

  describe('traces of requests that anyone can send', () => {
    const flood = (clientId: string | null): TracedRequest =>
      refusedAs({ clientId, behind: 'nobody' });

    test('displace no other traces of the client, even at a pace at which none of them is dropped', async () => {
      const client = await newClient();
      const user = await newUser();
      const of = { clientId: client.id };
      const kept = [
        refusedAs({ ...of, behind: 'app' }),
        refusedAs({ ...of, behind: 'person', userId: user.id }),
        { ...plain, ...of, attempt: newId(now), requestId: newRequestId() },
      ];
      for (const request of kept) recordTrace(request, now);
      await writeTraces();
      const dropped = droppedTraces();
      for (let second = 1; second <= 20; second += 1) {
        for (let index = 0; index < 20; index += 1)
          recordTrace(flood(client.id), addSeconds(now, second));
        for (let index = 0; index < 5; index += 1)
          recordTrace(
            { ...plain, ...of, attempt: newId(now), behind: 'nobody', requestId: newRequestId() },
            addSeconds(now, second),
          );
        await writeTraces();
      }
      expect(droppedTraces()).toBe(dropped);
      for (const { requestId } of kept) expect(await findTraceOfRequest(requestId)).not.toBeNull();
      expect(await rowsOf('traces')).toBe(kept.length + 150 + 50);
    });

    test('leave their ring once a user or the authenticated app is behind the attempt', async () => {
      const client = await newClient();
      const user = await newUser();
      const attempt = newId(now);
      const of = { ...plain, attempt, clientId: client.id };
      recordTrace({ ...of, behind: 'nobody', step: 'authorize', outcome: 'sign-in' }, now);
      await writeTraces();
      expect(await findTrace(attempt)).toMatchObject({ behind: 'nobody' });
      recordTrace(
        { ...of, behind: 'person', step: 'consent', userId: user.id },
        addSeconds(now, 1),
      );
      await writeTraces();
      recordTrace({ ...of, behind: 'nobody', step: 'userinfo' }, addSeconds(now, 2));
      for (let index = 0; index < 9; index += 1) {
        for (let each = 0; each < 20; each += 1) recordTrace(flood(client.id), addSeconds(now, 3));
        await writeTraces();
      }
      expect(await findTrace(attempt)).toMatchObject({ behind: 'person' });
      const [row] = await read('SELECT ring FROM traces WHERE id = $1', [attempt]);
      expect(row).toEqual({ ring: `${client.id}\nperson` });
      recordTrace(
        { ...of, behind: 'app', step: 'token', requestId: 'redeems' },
        addSeconds(now, 4),
      );
      await writeTraces();
      recordTrace({ ...of, behind: 'person', step: 'userinfo' }, addSeconds(now, 5));
      await writeTraces();
      const [moved] = await read('SELECT ring, behind FROM traces WHERE id = $1', [attempt]);
      expect(moved).toEqual({ ring: client.id, behind: 'app' });
    });

    test('leave room in the buffer for the app’s own requests, even in the names of many clients', async () => {
      const clients = await Promise.all(Array.from({ length: 20 }, () => newClient()));
      const dropped = droppedTraces();
      for (let index = 0; index < 20; index += 1)
        for (const { id } of [...clients, { id: null }]) recordTrace(flood(id), now);
      expect(droppedTraces() - dropped).toBe(21 * 20 - 200);
      const own = refusedAs({ clientId: clients[0]?.id ?? '' });
      recordTrace(own, now);
      await writeTraces();
      expect(await findTraceOfRequest(own.requestId)).not.toBeNull();
    });
  });

  describe('traces of a user’s requests', () => {
    test('displace neither the app’s own traces nor those of other users', async () => {
      const client = await newClient();
      const one = await newUser();
      const other = await newUser();
      const of = { clientId: client.id };
      const by = { ...of, behind: 'person', userId: other.id } as const;
      const kept = [
        refusedAs({ ...of, behind: 'app' }),
        refusedAs({ ...of, behind: 'nobody' }),
        refusedAs(by),
        { ...plain, ...of, attempt: newId(now), requestId: newRequestId() },
        { ...plain, ...by, attempt: newId(now), requestId: newRequestId() },
      ];
      for (const request of kept) recordTrace(request, now);
      await writeTraces();
      const flood = { ...of, behind: 'person', userId: one.id } as const;
      const rounds = 30;
      for (let second = 1; second <= rounds; second += 1) {
        for (let index = 0; index < 10; index += 1)
          recordTrace(refusedAs(flood), addSeconds(now, second));
        for (let index = 0; index < 3; index += 1) {
          const done = { attempt: newId(now), requestId: newRequestId() };
          recordTrace({ ...plain, ...flood, ...done }, addSeconds(now, second));
        }
        await writeTraces();
      }
      for (const { requestId } of kept) expect(await findTraceOfRequest(requestId)).not.toBeNull();
      const { failed, others } = shareOfPerson;
      expect((await traceList.page({ userId: one.id, limit: 500 })).rows).toHaveLength(
        failed + others,
      );
    });

    test('leave room in the buffer for the next user when one sends more than is written', async () => {
      const client = await newClient();
      const one = await newUser();
      const other = await newUser();
      const by = (userId: string) => refusedAs({ clientId: client.id, behind: 'person', userId });
      for (let index = 0; index < 100; index += 1) recordTrace(by(one.id), now);
      const next = by(other.id);
      recordTrace(next, now);
      await writeTraces();
      expect(await findTraceOfRequest(next.requestId)).not.toBeNull();
    });

    test('leave room in the buffer for the app’s own requests, even in the names of many apps', async () => {
      const clients = await Promise.all(Array.from({ length: 45 }, () => newClient()));
      const user = await newUser();
      for (const { id } of clients)
        for (let index = 0; index < 10; index += 1)
          recordTrace(refusedAs({ clientId: id, behind: 'person', userId: user.id }), now);
      const own = refusedAs({ clientId: clients[0]?.id ?? '' });
      recordTrace(own, now);
      await writeTraces();
      expect(await findTraceOfRequest(own.requestId)).not.toBeNull();
    });

    test('never exceed their ring, even with very many users', async () => {
      const client = await newClient();
      for (let round = 0; round < 8; round += 1) {
        for (let person = 0; person < 3; person += 1) {
          const { id: userId } = await newUser();
          for (let index = 0; index < 8; index += 1)
            recordTrace(refusedAs({ clientId: client.id, behind: 'person', userId }), now);
        }
        await writeTraces();
      }
      expect(await rowsOf('traces')).toBe(room.failed);
    });
  });

  test('the notes of a trace are stored beside its refusal, and found by their rule', async () => {
    const client = await newClient();
    const note = { rule: 'resource.ignored', received: 'https://a.example', expected: [] } as const;
    const request = refusedAs({ clientId: client.id, notes: [note] });
    recordTrace(request, now);
    await writeTraces();
    const found = await findTraceOfRequest(request.requestId);
    expect(found?.steps).toMatchObject([{ rule: 'code.expired', notes: [note] }]);
    expect((await traceList.page({ rule: 'resource.ignored' })).rows).toHaveLength(1);
    expect(await traceList.count({ rule: 'resource.ignored' })).toEqual({ count: 1, more: false });
    expect((await traceList.page({ rule: 'resource.unknown' })).rows).toHaveLength(0);
  });

  test('waiting until traces are written includes those that are already being written', async () => {
    const client = await newClient();
    recordTrace(refusedAs({ clientId: client.id }), now);
    const before = writeTraces();
    await writeTraces();
    expect((await traceList.page({ clientId: client.id })).rows).toHaveLength(1);
    await before;
  });

  test('successful traces of a busy client do not displace its failed ones', async () => {
    const client = await newClient();
    recordTrace(refusedAs({ clientId: client.id }), now);
    for (let round = 1; round <= 30; round += 1) {
      for (let index = 0; index < 500; index += 1)
        recordTrace(
          { ...plain, attempt: newId(now), clientId: client.id, requestId: newRequestId() },
          addSeconds(now, round),
        );
      await writeTraces();
    }
    expect((await traceList.page({ clientId: client.id, failed: true })).rows).toHaveLength(1);
    expect(
      (await traceList.page({ clientId: client.id, failed: false, limit: 500 })).rows,
    ).toHaveLength(50);
  });

  test('traces are deleted with their client, their user, and after a week', async () => {
    const user = await newUser();
    const client = await newClient();
    recordTrace(refusedAs({ userId: user.id }), now);
    recordTrace(refusedAs({ clientId: client.id }), now);
    recordTrace(refusedAs(), now);
    await writeTraces();
    await write('DELETE FROM users WHERE id = $1', [user.id]);
    await write('DELETE FROM clients WHERE id = $1', [client.id]);
    expect([await rowsOf('traces'), await rowsOf('trace_steps')]).toEqual([1, 1]);
    recordTrace(refusedAs({ clientId: client.id }), now);
    await writeTraces();
    await deleteExpired(addSeconds(now, 7 * 24 * 3600 - 60));
    expect(await rowsOf('traces')).toBe(1);
    await deleteExpired(addSeconds(now, 7 * 24 * 3600 + 60));
    expect([await rowsOf('traces'), await rowsOf('trace_steps')]).toEqual([0, 0]);
  });
});
