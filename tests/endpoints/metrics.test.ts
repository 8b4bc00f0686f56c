import { readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { describe, expect, test } from 'vitest';
import { backupName } from '#lib/backup/schedule.ts';
import { newSecret } from '#lib/oauth/secrets.ts';
import { credentials, post } from '../support/app.ts';
import { newFolder } from '../support/database.ts';
import { openServer } from '../support/open-server.ts';
import { Person } from '../support/person.ts';
import { newClient, newUser } from '../support/seed.ts';

const token = 'a-token-of-the-monitor';
const server = await openServer({ METRICS: 'token', METRICS_TOKEN: token });
const near = await server.another({ METRICS: 'loopback' });
const off = await server.another();
const backups = newFolder('monitored-backups');
const hourAgo = new Date(Date.now() - 3600_000);
const tomorrow = new Date(Date.now() + 24 * 3600_000);
for (const at of [hourAgo, tomorrow]) writeFileSync(`${backups}/${backupName(at)}`, '');
const backedUp = await server.another({
  METRICS: 'token',
  METRICS_TOKEN: token,
  BACKUP_DIR: backups,
});

/** What a monitoring system receives. */
async function scrape(
  headers: Record<string, string> = { authorization: `Bearer ${token}` },
  { base } = server,
) {
  const answer = await fetch(`${base}/metrics`, { headers });
  return { answer, text: await answer.text() };
}

/** The value of a series; 0 if there is none yet. */
function seriesOf(text: string, name: string, labels: Record<string, string> = {}): number {
  const line = text.split('\n').find((one) => {
    const given = Object.entries(labels).every(([key, value]) => one.includes(`${key}="${value}"`));
    return new RegExp(`^${name}[{ ]`).test(one) && given;
  });
  return Number(line?.split(' ').at(-1) ?? 0);
}

/** By hand, because fetch does not allow setting the Host. */
function statusOf(base: string, headers: Record<string, string>): Promise<number> {
  return new Promise((done, failed) => {
    const request = get(`${base}/metrics`, { headers, agent: false }, (answer) => {
      answer.resume();
      done(answer.statusCode ?? 0);
    });
    request.on('error', failed);
  });
}

describe('access to /metrics', () => {
  test('is 404 while metrics are off', async () => {
    expect((await fetch(`${off.base}/metrics`)).status).toBe(404);
  });

  test('with METRICS=token needs the token in the Authorization header', async () => {
    expect((await scrape()).answer.status).toBe(200);
    for (const headers of [
      {},
      { authorization: 'Bearer another-token-of-no-one' },
      { authorization: `Basic ${token}` },
    ] as Record<string, string>[]) {
      const { answer, text } = await scrape(headers);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.headers.get('www-authenticate')).toContain('Bearer');
      expect(text).not.toContain('gatehouse_');
    }
    const inUrl = await fetch(`${server.base}/metrics?access_token=${token}`);
    expect(inUrl.status).toBe(401);
  });

  test.skipIf(server.mount === 'next')(
    'with METRICS=loopback is only for this machine, and not through a proxy',
    async () => {
      expect(await statusOf(near.base, {})).toBe(200);
      for (const headers of [
        { 'x-forwarded-for': '192.0.2.7' },
        { forwarded: 'for=192.0.2.7' },
        { via: '1.1 proxy' },
        { host: 'id.example.org' },
      ] as Record<string, string>[])
        expect(await statusOf(near.base, headers)).toBe(403);
    },
  );
});

describe('content of /metrics', () => {
  test('event counters exist at 0 before the first event', async () => {
    const { text } = await scrape();
    for (const event of ['code.reused', 'refresh-token.reused', 'keys.revoked'])
      expect(text).toMatch(
        new RegExp(`^gatehouse_events_total\\{[^}]*event="${event}".*\\} \\d`, 'm'),
      );
  });

  test('requests, tokens, refusals and events are counted', async () => {
    const client = await newClient();
    const user = await newUser();
    const person = new Person(server, user.username);
    const count = (text: string) => ({
      code: seriesOf(text, 'gatehouse_tokens_total', { grant: 'authorization_code' }),
      refused: seriesOf(text, 'gatehouse_refusals_total', { code: 'invalid_client' }),
      signIns: seriesOf(text, 'gatehouse_events_total', { event: 'sign-in.success' }),
      ok: seriesOf(text, 'gatehouse_request_duration_seconds_count', {
        endpoint: '/oauth/token',
        outcome: 'ok',
      }),
    });
    const before = count((await scrape()).text);
    const code = await person.code({ client_id: client.id, response_type: 'code' });
    const right = { grant_type: 'authorization_code', code, ...credentials(client) };
    expect((await post(server, '/oauth/token', right)).status).toBe(200);
    const wrong = { ...right, code: newSecret('mailedLink'), client_secret: 'wrong' };
    expect((await post(server, '/oauth/token', wrong)).status).toBe(401);
    const after = count((await scrape()).text);
    for (const name of ['code', 'refused', 'signIns', 'ok'] as const)
      expect(after[name] - before[name], name).toBeGreaterThanOrEqual(1);
  });

  test('table rows, queues, event loop lag and memory are in the OpenMetrics format', async () => {
    const { answer, text } = await scrape();
    expect(answer.headers.get('content-type')).toContain('application/openmetrics-text');
    expect(text.trimEnd().endsWith('# EOF')).toBe(true);
    expect(seriesOf(text, 'gatehouse_table_rows', { table: 'scopes' })).toBeGreaterThan(3);
    expect(text).toMatch(/^gatehouse_queue_due\{queue="outgoing_mails"\} \d+$/m);
    expect(text).toMatch(/^gatehouse_passwords_waiting\{lane="fresh"\} \d+$/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds(\{worker="\d"\})? /m);
    expect(text).toMatch(/^process_resident_memory_bytes(\{worker="\d"\})? \d+/m);
  });

  test('the age of the last scheduled backup is there where BACKUP_DIR is set', async () => {
    const age = /^gatehouse_backup_age_seconds (.+)$/m;
    const [, seconds] = age.exec((await scrape(undefined, backedUp)).text) ?? [];
    expect(Number(seconds)).toBeGreaterThanOrEqual(3600);
    expect(Number(seconds)).toBeLessThan(7200);
    expect((await scrape()).text).not.toMatch(age);
  });

  test('no label has a user, a client or anything that a request sent', async () => {
    const client = await newClient();
    const user = await newUser();
    const person = new Person(server, user.username);
    await person.code({ client_id: client.id, response_type: 'code' });
    await post(server, '/oauth/token', { grant_type: 'hostile"\n} 1', ...credentials(client) });
    await fetch(`${server.base}/oauth/authorize?client_id=hostile-name`);
    const { text } = await scrape();
    for (const secret of [client.id, user.id, user.username, 'hostile', token])
      expect(text).not.toContain(secret);
  });

  test('the Grafana dashboard and the alert rules use only metrics that exist', async () => {
    const { text } = await scrape();
    const told = new Set([...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name));
    const files = ['grafana-dashboard.json', 'alerts.yml'].map((file) =>
      readFileSync(new URL(`../../docs/monitoring/${file}`, import.meta.url), 'utf8'),
    );
    const asked = files.flatMap((file) => [
      ...file.matchAll(/\b((?:gatehouse|nodejs|process)_[a-z0-9_]+)/g),
    ]);
    expect(asked.length).toBeGreaterThan(10);
    const sqliteOnly = /^gatehouse_commit_/;
    for (const [, name = ''] of asked) {
      const family = name.replace(/_(total|bucket|count|sum)$/, '');
      expect(told.has(family) || told.has(name) || sqliteOnly.test(family), name).toBe(true);
    }
  });
});
