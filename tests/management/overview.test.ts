import { expect, test } from 'vitest';
import { allow } from '#lib/management/client/access.ts';
import { disableClient, updateClient } from '#lib/management/client/clients.ts';
import {
  appTroubles,
  type FailingClient,
  listActive,
  listAttention,
  listReasons,
  listTroubled,
  listTroubles,
} from '#lib/management/overview.ts';
import { isLooserThanProfile, listSettings, setSetting } from '#lib/management/setting/settings.ts';
import { readSignIns } from '#lib/management/sign-in-activity.ts';
import type { Rule } from '#lib/oauth/facts.ts';
import { deleteExpired } from '#lib/store/cleaning.ts';
import { clientList } from '#lib/store/client-list.ts';
import { read } from '#lib/store/engine/database.ts';
import { takeTry } from '#lib/store/throttles.ts';
import type { Behind } from '#lib/store/trace-rings.ts';
import { recordTrace, type TracedRequest, writeTraces } from '#lib/store/traces.ts';
import { count, countRefusal, flushUsage } from '#lib/store/usage.ts';
import { recordQueries } from '../lab/bench/plans.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, newApp, newPerson, unique } from './people.ts';

const hour = 3600_000;
const times = async (number: number, act: () => unknown) => {
  for (let index = 0; index < number; index += 1) await act();
};

const attention = async (now: Date) => listAttention(now, await listTroubles(now));

onEachDatabase(() => {
  test('usage counters add up in every period, over all clients and for each', async () => {
    const now = new Date(Date.UTC(2031, 5, 15, 10, 30));
    const ago = (hours: number) => new Date(now.getTime() - hours * hour);
    const one = (await newApp({ name: 'One' })).client;
    const two = (await newApp({ name: 'Two' })).client;
    await times(3, () => count('tokens-issued', one.id, now));
    await times(2, () => count('refresh', two.id, ago(30)));
    await times(4, () => count('refresh', two.id, ago(24 * 20)));
    count('sign-in', null, ago(2));
    count('sign-in', null, ago(24 * 10));
    count('sign-in', null, ago(24 * 40));
    await times(2, () => count('sign-in-failed', null, ago(3)));
    await flushUsage();
    const signIns = async (period: '24h' | '7d' | '30d') => {
      const { worked, failed, workedBefore } = await readSignIns(period, 'UTC', now);
      return { worked, failed, workedBefore };
    };
    expect(await signIns('24h')).toEqual({ worked: 1, failed: 2, workedBefore: 0 });
    expect(await signIns('7d')).toEqual({ worked: 1, failed: 2, workedBefore: 1 });
    expect(await signIns('30d')).toEqual({ worked: 2, failed: 2, workedBefore: 1 });
    const day = await readSignIns('24h', 'UTC', now);
    const month = await readSignIns('30d', 'UTC', now);
    expect(day.bars).toHaveLength(24);
    expect(day.bars.findIndex((bar) => bar.worked === 1)).toBe(21);
    expect(month.bars).toHaveLength(30);
    // The previous day is compared up to the same time of day: at 10:30, a sign-in at 11:00 does
    // not count.
    count('sign-in', null, new Date(Date.UTC(2031, 5, 14, 10)));
    count('sign-in', null, new Date(Date.UTC(2031, 5, 8, 11)));
    await flushUsage();
    expect(await signIns('7d')).toEqual({ worked: 2, failed: 2, workedBefore: 1 });
    expect(month.bars.at(-1)?.at).toEqual(new Date(Date.UTC(2031, 5, 15)));
    const active = async (period: '24h' | '30d') =>
      (await listActive(period, now)).map(({ name, issued, refused }) => [name, issued, refused]);
    expect(await active('24h')).toEqual([['One', 3, 0]]);
    expect(await active('30d')).toEqual([
      ['Two', 6, 0],
      ['One', 3, 0],
    ]);
    count('refusal', one.id, ago(30));
    await flushUsage();
    expect(await active('30d')).toEqual([
      ['One', 3, 1],
      ['Two', 6, 0],
    ]);
  });

  test('a day of the sign-in chart is a day in the reader’s time zone, also when the clocks change', async () => {
    const signIns = (zone: string, now: Date) => readSignIns('7d', zone, now);
    // Summer time ends in Berlin on Sunday, 26 October 2031. That day has 25 hours, from 22:00 UTC
    // to 23:00 UTC.
    const sunday = Date.UTC(2031, 9, 26);
    for (const hours of [-3, -2, 0, 22, 23])
      count('sign-in', null, new Date(sunday + hours * hour));
    await flushUsage();
    const byDay = async (zone: string) =>
      (await signIns(zone, new Date(sunday + 30 * hour))).bars
        .filter(({ worked }) => worked > 0)
        .map(({ at, worked }) => [at.toISOString().slice(0, 10), worked]);
    expect(await byDay('Europe/Berlin')).toEqual([
      ['2031-10-25', 1],
      ['2031-10-26', 3],
      ['2031-10-27', 1],
    ]);
    expect(await byDay('UTC')).toEqual([
      ['2031-10-25', 2],
      ['2031-10-26', 3],
    ]);
    expect(await byDay('Pacific/Kiritimati')).toEqual([
      ['2031-10-26', 3],
      ['2031-10-27', 2],
    ]);
  });

  test('an active app is shown with its tokens per day, and without a reason where no attempt was refused', async () => {
    const now = new Date(Date.UTC(2030, 5, 15, 10, 30));
    const { client } = await newApp({ name: 'Counted' });
    await times(3, () => count('tokens-issued', client.id, new Date(now.getTime() - 48 * hour)));
    await times(2, () => count('refresh', client.id, now));
    await flushUsage();
    const active = async (period: '24h' | '7d') =>
      (await listActive(period, now)).find(({ id }) => id === client.id);
    const tokens = [0, 0, 0, 0, 0, 3, 0, 2];
    expect(await active('7d')).toMatchObject({ issued: 5, tokens, rule: null, lastAt: null });
    expect((await active('24h'))?.tokens.at(-1)).toBe(2);
  });

  test('refusals add up by reason, for each client and in total, per day and per week', async () => {
    const now = new Date(Date.UTC(2032, 5, 15, 10, 30));
    const ago = (hours: number) => new Date(now.getTime() - hours * hour);
    const one = (await newApp()).client;
    const two = (await newApp()).client;
    await times(2, () => countRefusal('pkce.required', one.id, ago(3)));
    countRefusal('pkce.required', two.id, ago(1));
    await times(5, () => countRefusal('code.expired', one.id, ago(50)));
    countRefusal('client.unknown', null, now);
    countRefusal('scope.unknown', one.id, ago(24 * 8));
    await flushUsage();
    expect(await listReasons(now, one.id)).toEqual([
      { rule: 'pkce.required', day: 2, week: 2 },
      { rule: 'code.expired', day: 0, week: 5 },
    ]);
    expect(await listReasons(now)).toEqual([
      { rule: 'pkce.required', day: 3, week: 3 },
      { rule: 'client.unknown', day: 1, week: 1 },
      { rule: 'code.expired', day: 0, week: 5 },
    ]);
    expect((await listActive('24h', now)).map(({ refused }) => refused)).toEqual([2, 1]);
    await deleteExpired(now);
    expect(
      await read("SELECT rule FROM refusal_counters WHERE rule = 'scope.unknown'", []),
    ).toEqual([]);
    expect(await listReasons(now, one.id)).toHaveLength(2);
  });

  test('apps with loose settings, unused secrets and locked users need attention until that is fixed', async () => {
    const now = new Date();
    const later = (days: number) => new Date(now.getTime() + days * 24 * hour);
    const { client } = await newApp({ requirePkce: false });
    expect((await attention(now)).loose.map(({ id }) => id)).not.toContain(client.id);
    await setSetting('REQUIRE_PKCE', 'on', actor, now);
    expect((await attention(now)).loose).toContainEqual(
      expect.objectContaining({ id: client.id, noPkce: true }),
    );
    expect((await attention(now)).unused.map(({ id }) => id)).not.toContain(client.id);
    expect((await attention(later(31))).unused.map(({ id }) => id)).toContain(client.id);
    // The list of apps that Home leads to has exactly those that it counts.
    const then = await attention(later(31));
    for (const trouble of appTroubles) {
      const ids = await listTroubled(trouble, later(31));
      expect(ids.toSorted(), trouble).toEqual(then[trouble].map(({ id }) => id).toSorted());
      const listed = await clientList.count({ ids });
      expect(listed.count, trouble).toBe(ids.length);
    }
    await updateClient(client.id, { requirePkce: true }, { actor, now });
    expect((await attention(now)).loose.map(({ id }) => id)).not.toContain(client.id);

    const person = await newPerson();
    await times(3, () => takeTry({ key: 'login:x', limit: 2, userId: person.id }, now));
    expect((await attention(now)).stopped.map(({ username }) => username)).toEqual([
      person.username,
    ]);
    expect((await attention(later(1))).stopped).toEqual([]);
  });

  test('an app counts as failing after one refusal caused by its configuration, until it works again', async () => {
    const { client } = await newApp();
    const start = Date.now();
    const failing = async () =>
      (await listTroubles(new Date(start + 60_000))).failing.filter(({ id }) => id === client.id);
    let second = 0;
    const attempt = async (more: Partial<TracedRequest>) => {
      second += 1;
      const [id, at] = [unique('attempt'), new Date(start + second * 1000)];
      const none = { userId: null, behind: 'app', refusal: null } as const;
      const kind = { step: 'token', outcome: 'done' } as const;
      recordTrace(
        { attempt: id, requestId: id, clientId: client.id, ...none, ...kind, ...more },
        at,
      );
      await writeTraces();
      return at;
    };
    const refused = (rule: Rule, more: Partial<TracedRequest> = {}) =>
      attempt({
        outcome: 'refused',
        refusal: { rule, code: 'invalid_client', reason: 'x', received: null, expected: [] },
        ...more,
      });

    await attempt({});
    expect(await failing()).toEqual([]);
    const at = await refused('client-auth.wrong-secret');
    const { name } = client;
    expect(await failing()).toEqual([
      { id: client.id, name, rule: 'client-auth.wrong-secret', at },
    ]);
    // Neither refusals caused by people nor an opened sign-in page shows that the app works.
    await refused('code.expired');
    await attempt({ step: 'authorize', outcome: 'sign-in' });
    expect(await failing()).toHaveLength(1);
    const ofSomebody = async () => {
      const by = { step: 'authorize', behind: 'person', userId: (await newPerson()).id } as const;
      return refused('redirect-uri.unregistered', by);
    };
    // A single person may have tried for fun, or followed another person's link.
    await ofSomebody();
    expect(await failing()).toMatchObject([{ rule: 'client-auth.wrong-secret' }]);
    const later = await ofSomebody();
    expect(await failing()).toMatchObject([{ rule: 'redirect-uri.unregistered', at: later }]);
    await attempt({ step: 'refresh' });
    expect(await failing()).toEqual([]);
    await refused('scope.not-allowed');
    expect(await failing()).toHaveLength(1);
    expect((await listTroubles(new Date(start + 8 * 24 * hour))).failing).toEqual([]);
    await disableClient(client.id, actor, new Date());
    expect(await failing()).toEqual([]);
  });

  test('refusals of requests that anyone can send in an app’s name are listed apart from its failing', async () => {
    const { client } = await newApp();
    const person = await newPerson();
    const other = await newPerson();
    const start = Date.now();
    let second = 0;
    const attempt = async (of: Partial<TracedRequest> & Pick<TracedRequest, 'behind'>) => {
      second += 1;
      const id = unique('attempt');
      const request = { attempt: id, requestId: id, clientId: client.id, userId: null } as const;
      const done = { step: 'token', outcome: 'done', refusal: null } as const;
      recordTrace({ ...request, ...done, ...of }, new Date(start + second * 1000));
      await writeTraces();
    };
    const refused = (
      behind: Behind,
      rule: Rule = 'redirect-uri.unregistered',
      userId: string | null = null,
    ) => {
      const refusal = { rule, code: null, reason: 'x', received: null, expected: [] };
      return attempt({ behind, userId, step: 'authorize', outcome: 'refused', refusal });
    };
    const now = () => new Date(start + 60_000);
    const rulesOf = (clients: FailingClient[]) =>
      clients.filter(({ id }) => id === client.id).map(({ rule }) => rule);
    const found = async () => ({
      failing: rulesOf((await listTroubles(now())).failing),
      unproved: rulesOf((await attention(now())).unproved),
    });
    const unproved = ['redirect-uri.unregistered'];

    await refused('nobody');
    expect(await found()).toEqual({ failing: [], unproved });
    await refused('app', 'client-auth.wrong-secret');
    expect(await found()).toEqual({ failing: ['client-auth.wrong-secret'], unproved: [] });
    await refused('nobody');
    expect(await found()).toEqual({ failing: ['client-auth.wrong-secret'], unproved: [] });

    await updateClient(client.id, { access: 'listed' }, { actor, now: new Date() });
    const quiet = await newApp();
    expect((await attention(now())).unproved).not.toContainEqual(
      expect.objectContaining({ id: quiet.client.id }),
    );
    await refused('person', 'scope.unknown', person.id);
    expect(await found()).toEqual({
      failing: ['client-auth.wrong-secret'],
      unproved: [],
    });
    // One person with access is not enough, not even together with one who has none.
    const alone = { failing: ['client-auth.wrong-secret'], unproved: [] };
    await allow(client.id, { groups: [], people: [person.id] }, actor, new Date());
    await refused('person', 'scope.unknown', person.id);
    expect(await found()).toEqual(alone);
    await refused('person', 'scope.unknown', other.id);
    expect(await found()).toEqual(alone);
    await allow(client.id, { groups: [], people: [other.id] }, actor, new Date());
    expect(await found()).toEqual({ failing: ['scope.unknown'], unproved: [] });
    await attempt({ behind: 'app' });
    expect(await found()).toEqual({ failing: [], unproved: [] });
    // A refusal from before the app worked no longer counts.
    await refused('person', 'scope.unknown', person.id);
    expect(await found()).toEqual({ failing: [], unproved: ['scope.unknown'] });
    await disableClient(client.id, actor, new Date());
    expect(await found()).toEqual({ failing: [], unproved: [] });
  });

  test('Home shows the troubles that its navigation counted without querying them again', async () => {
    const { client } = await newApp();
    const troubles = await listTroubles(new Date());
    const failing = [
      { id: client.id, name: client.name, rule: 'scope.not-allowed', at: new Date() },
    ] as const;
    const given = { ...troubles, failing: [...failing] };
    const asked = await recordQueries(async () => {
      expect((await listAttention(new Date(), given)).failing).toEqual(failing);
    });
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter(({ sql }) => /own = 1|FROM client_requests/.test(sql))).toEqual([]);
  });

  test('a setting needs attention if it is looser than the default of the security profile', async () => {
    expect((await attention(new Date())).settings).toEqual([]);
    for (const setting of await listSettings()) {
      // A requirement counts even if only the strictest profile makes it.
      const strict = setting.key.startsWith('require') ? true : setting.strict;
      if (typeof strict !== 'boolean') continue;
      const weak = { ...setting, value: !strict };
      expect(isLooserThanProfile({ ...weak, default: strict })).toBe(
        setting.key !== 'enforceState',
      );
      expect(isLooserThanProfile({ ...weak, default: !strict })).toBe(false);
      expect(isLooserThanProfile({ ...setting, value: strict, default: !strict })).toBe(false);
    }
  });
});
