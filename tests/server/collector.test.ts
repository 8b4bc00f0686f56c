import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Collector, type SentSpan, valuesOf } from '../support/collector.ts';
import { createDatabase, newLogFile } from '../support/database.ts';
import { linesAbout } from '../support/log-lines.ts';
import { type Server, startServer } from '../support/server.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';
const right = `00-${traceId}-${parentId}-01`;

describe('a server with an OpenTelemetry collector', () => {
  let collector: Collector;
  let server: Server;
  let base = '';
  const asked: Record<string, Response> = {};
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(base + path, { headers, redirect: 'manual' });
  const idOf = (name: string) => asked[name]?.headers.get('x-request-id') ?? '';

  beforeAll(async () => {
    collector = await new Collector().listen();
    const databaseUrl = await createDatabase('sqlite');
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector',
    };
    server = await startServer({ mount: 'direct', databaseUrl, logFile: newLogFile('otlp'), env });
    base = `http://127.0.0.1:${server.port}`;
    const wrong = {
      grant_type: 'client_credentials',
      client_id: 'nobody-here',
      client_secret: 'hush-hush',
    };
    const post = (headers: Record<string, string>) =>
      fetch(`${base}/oauth/token`, { method: 'POST', body: new URLSearchParams(wrong), headers });
    asked.traced = await post({ traceparent: right });
    asked.untraced = await post({ traceparent: `${right}x` });
    asked.unrecorded = await get('/oauth/jwks', { traceparent: `00-${traceId}-${parentId}-00` });
    asked.page = await get('/login?flow=hush-hush', { traceparent: right });
    asked.keys = await get('/oauth/jwks?hush-hush');
    asked.health = await get('/healthz');
  });
  afterAll(async () => {
    await server.stop();
    collector.close();
  });

  test('has trace and span ids in every log line about a request, including audit events', async () => {
    const lines = await linesAbout({ base, logFile: server.logFile }, [
      idOf('traced'),
      idOf('untraced'),
    ]);
    const [traced, untraced] = ['traced', 'untraced'].map((name) =>
      lines.filter(({ requestId }) => requestId === idOf(name)),
    );
    expect(traced?.map(({ msg }) => msg).sort()).toEqual(['audit', 'refused']);
    for (const line of traced ?? []) expect(line.trace_id).toBe(traceId);
    expect(untraced).not.toEqual([]);
    for (const line of untraced ?? [])
      expect(line.trace_id).toBe(idOf('untraced').replaceAll('-', ''));
    for (const line of lines) expect(line.span_id).toMatch(/^[0-9a-f]{16}$/);
  });

  test('exports the spans of requests, without user, query or credentials', async () => {
    // What was not sent yet is sent before the process ends.
    await server.stop();
    const spanOf = (name: string) =>
      collector.spans.find(
        ({ spanId }) => spanId === idOf(name).replaceAll('-', '').slice(16),
      ) as SentSpan;
    const traced = spanOf('traced');
    expect(traced).toMatchObject({ traceId, parentSpanId: parentId, kind: 2, status: {} });
    expect(traced.name).toBe('POST /oauth/token');
    expect(valuesOf(traced.attributes)).toEqual({
      'http.request.method': 'POST',
      'http.route': '/oauth/token',
      'http.response.status_code': 401,
      'gatehouse.outcome': 'refused',
      'error.type': 'invalid_client',
      'gatehouse.rule': expect.any(String),
    });
    const [from, to] = [
      Number(traced.startTimeUnixNano) / 1e6,
      Number(traced.endTimeUnixNano) / 1e6,
    ];
    expect(to).toBeGreaterThan(from);
    expect(Math.abs(to - Date.now())).toBeLessThan(120_000);
    expect(spanOf('page')).toMatchObject({ traceId, parentSpanId: parentId, name: 'GET page' });
    expect(spanOf('keys')).not.toHaveProperty('parentSpanId');
    expect(valuesOf(spanOf('keys').attributes)).toMatchObject({ 'gatehouse.outcome': 'ok' });
    expect([spanOf('unrecorded'), spanOf('health')]).toEqual([undefined, undefined]);
    const [request] = collector.requests;
    expect(request?.path).toBe('/v1/traces');
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer of-the-collector',
      'content-type': 'application/json',
    });
    for (const secret of ['hush-hush', 'nobody-here', '127.0.0.1', 'of-the-collector'])
      expect(collector.bodies.join()).not.toContain(secret);
  });
});

/** An address of this machine from which connections do not come from loopback. */
const outer = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

describe.skipIf(outer === undefined)('the traceparent header of an untrusted client', () => {
  test.each([
    ['is not followed, and hides nothing', '', false],
    ['is followed where TRUSTED_PROXIES names who sends it', `127.0.0.1,${outer}`, true],
  ])('%s', async (_, trusted, isFollowed) => {
    const collector = await new Collector().listen();
    const server = await startServer({
      mount: 'direct',
      databaseUrl: await createDatabase('sqlite'),
      logFile: newLogFile('otlp-outsider'),
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
        HOST: '0.0.0.0',
        ISSUER: 'http://localhost:3000',
        TRUSTED_PROXIES: trusted,
      },
    });
    const get = (path: string, flags: string) =>
      fetch(`http://${outer}:${server.port}${path}`, {
        headers: { traceparent: `00-${traceId}-${parentId}-${flags}` },
        redirect: 'manual',
      });
    await get('/oauth/jwks', '00');
    await get('/oauth/jwks', '01');
    await get('/login', '01');
    await server.stop();
    collector.close();
    const theirs = collector.spans.filter((span) => span.traceId === traceId);
    expect([theirs.length, collector.spans.length]).toEqual(isFollowed ? [2, 2] : [0, 3]);
    for (const span of collector.spans)
      expect(span.parentSpanId).toBe(isFollowed ? parentId : undefined);
  });
});

test('a failing OpenTelemetry collector does not affect requests, and is logged once', {
  timeout: 120_000,
}, async () => {
  const collector = await new Collector().listen();
  collector.answer = (response) => void response.writeHead(503).end();
  const databaseUrl = await createDatabase('sqlite');
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint };
  const logFile = newLogFile('otlp-away');
  const server = await startServer({ mount: 'direct', databaseUrl, logFile, env });
  const keys = `http://127.0.0.1:${server.port}/oauth/jwks`;
  const ask = async (count: number) => {
    const answers = await Promise.all(Array.from({ length: count }, () => fetch(keys)));
    return answers.map(({ status }) => status);
  };
  for (let round = 0; round < 12; round += 1)
    expect(new Set(await ask(100))).toEqual(new Set([200]));
  await expect.poll(() => collector.requests.length, { timeout: 20_000 }).toBeGreaterThan(1);
  // A collector that never answers does not delay the stop: the server ends by itself.
  collector.answer = () => {};
  expect(await ask(600)).toHaveLength(600);
  const ended = once(server.process, 'exit');
  server.process.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  collector.close();
  const lines = readFileSync(logFile, 'utf8').split('\n');
  const told = lines.filter((line) => line.includes('spans could not be sent'));
  expect(told).toHaveLength(1);
  expect(told[0]).toContain('The collector answered 503.');
});
