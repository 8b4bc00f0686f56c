import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '#lib/config.ts';
import { followTrace, parseTraceparent, traceOf } from '#lib/telemetry/trace-context.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';
const right = `00-${traceId}-${parentId}-01`;

describe('a traceparent header (W3C Trace Context section 3.2)', () => {
  test.each([
    ['version 0', right, true],
    ['a parent that does not record', `00-${traceId}-${parentId}-00`, false],
    ['flags of later days', `00-${traceId}-${parentId}-ff`, true],
    ['a later version', `cc-${traceId}-${parentId}-01`, true],
    ['a later version that says more', `cc-${traceId}-${parentId}-01-more`, true],
  ])('is read: %s', (_, header, sampled) => {
    expect(parseTraceparent(header)).toEqual({ traceId, parentId, sampled });
  });

  test.each([
    ['none', undefined],
    ['an empty one', ''],
    ['capital letters', right.toUpperCase()],
    ['no hexadecimal digits', `00-${'g'.repeat(32)}-${parentId}-01`],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${parentId}-01`],
    ['a parent id of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['a short trace id', `00-${traceId.slice(1)}-${parentId}-01`],
    ['a long trace id', `00-${traceId}0-${parentId}-01`],
    ['the version that is forbidden', `ff-${traceId}-${parentId}-01`],
    ['more than version 0 has', `${right}-more`],
    ['two of them', `${right}, ${right}`],
    ['a blank before it', ` ${right}`],
    ['a line end after it', `${right}\n`],
    ['a long tail', `cc-${traceId}-${parentId}-01-${'x'.repeat(300)}`],
  ])('is ignored: %s', (_, header) => {
    expect(parseTraceparent(header)).toBeNull();
  });

  test('is remembered for a limited number of requests, the latest ones', () => {
    const id = (count: number) => `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;
    for (let count = 0; count < 10_001; count += 1) followTrace(id(count), right);
    expect(traceOf(id(0))?.traceId).not.toBe(traceId);
    expect(traceOf(id(1))?.traceId).toBe(traceId);
    expect(traceOf(id(10_000))?.traceId).toBe(traceId);
  });

  test('that is absent or invalid is replaced: the trace id is the request id', () => {
    const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
    expect(followTrace(id, 'nonsense')).toEqual({
      traceId: '0f8fad5bd9cb469fa16570867728950e',
      spanId: 'a16570867728950e',
      parentId: null,
      sampled: null,
    });
    expect(traceOf(id)).toEqual(followTrace(id, undefined));
    expect(traceOf('cli')).toBeNull();
  });
});

describe('the OpenTelemetry variables', () => {
  const secret = { SERVER_SECRET: 'a secret of the tests, worth nothing elsewhere' };
  const parse = (env: Record<string, string>) => parseConfig({ ...secret, ...env }).telemetry;
  const at = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' };

  test('set a collector, its headers and the service name', () => {
    expect(parse({})).toBeNull();
    expect(parse({ OTEL_EXPORTER_OTLP_HEADERS: 'a=b' })).toBeNull();
    expect(parse(at)).toEqual({
      url: 'http://collector:4318/v1/traces',
      headers: {},
      service: 'gatehouse',
    });
    const more = {
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20a=b, x-team = ids',
      OTEL_SERVICE_NAME: 'id',
    };
    expect(parse({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.example.org/in', ...more })).toEqual({
      url: 'https://otel.example.org/in/v1/traces',
      headers: { authorization: 'Bearer a=b', 'x-team': 'ids' },
      service: 'id',
    });
  });

  test.each([
    [
      'no address',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
      'OTLP_ENDPOINT has to be the',
    ],
    [
      'a password',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://u:hush@h' },
      'OTLP_ENDPOINT has to be the',
    ],
    [
      'a query',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://h/?key=hush' },
      'OTLP_ENDPOINT has to be the',
    ],
    ['no name', { ...at, OTEL_EXPORTER_OTLP_HEADERS: 'hush' }, 'OTLP_HEADERS has to be a list'],
    [
      'a line end',
      { ...at, OTEL_EXPORTER_OTLP_HEADERS: 'a=hush%0d%0aX' },
      'OTLP_HEADERS has to be a list',
    ],
    [
      'no encoding',
      { ...at, OTEL_EXPORTER_OTLP_HEADERS: 'a=hush%' },
      'OTLP_HEADERS has to be a list',
    ],
  ])('with %s are refused, without repeating what may be a secret', (_, env, says) => {
    expect(() => parse(env)).toThrow(says);
    expect(() => parse(env)).not.toThrow('hush');
  });
});

test('the exporter of spans is imported only where it is needed', () => {
  const importers = globSync('{lib,app}/**/*.{ts,tsx}').filter((file) =>
    /^import (?!type)[^;]*from '[^']*\/otlp\.ts'/m.test(readFileSync(file, 'utf8')),
  );
  expect(importers).toEqual([]);
});
