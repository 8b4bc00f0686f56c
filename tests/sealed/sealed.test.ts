import { describe, expect, test } from 'vitest';
import {
  isExpired,
  openFlow,
  readBoundFlow,
  sealedFlow,
} from '#lib/interaction/pending-request.ts';
import { pendingRequestLife } from '#lib/oauth/authorization-request.ts';
import { browserDigest } from '#lib/sealed/browser.ts';
import { type SealPurpose, seal } from '#lib/sealed/seal.ts';
import before from './before.json' with { type: 'json' };

// The values in before.json were sealed with it, by the code before `sealed`, at this moment in this browser.
process.env.SERVER_SECRET = 'sealed-before-this-was-one-list-0123456789';
const then = new Date('2026-11-01T12:00:00Z');
const browser = 'B'.repeat(43);

const inBrowser = (value?: string) => ({
  header: (name: string) => (name === 'cookie' && value ? `gh_browser=${value}` : undefined),
});
const here = inBrowser(browser);
const seconds = (count: number) => new Date(then.getTime() + count * 1000);

/** One purpose: what was sealed before and the value that it must open to, and its limits. */
type Row = {
  // biome-ignore lint/suspicious/noExplicitAny: each purpose has a value of its own
  kind: any;
  value: unknown;
  max: number;
  /** Seconds; bound to a browser then. */
  life?: number;
};

const rows = {
  flow: {
    kind: sealedFlow,
    value: {
      i: 'flow-1',
      t: then.getTime(),
      b: browserDigest(browser),
      p: { client_id: 'client-1', response_type: 'code', state: 'S' },
      r: 'https://app.example/cb',
    },
    max: 8000,
  },
} satisfies Partial<Record<SealPurpose, Row>>;

const table = Object.entries(rows) as [keyof typeof rows, Row][];

describe.each(table)('%s', (purpose, { kind, value, max, life }) => {
  const old = before[purpose];
  const open = (text: string | undefined, request = here, now = then) =>
    kind.open(text, request, now);

  test('a value that was sealed before opens, and one that is sealed now', async () => {
    expect(await open(old)).toEqual(value);
    expect(await open(await kind.seal(value, here, then))).toEqual(value);
  });

  test.each<[string, string | undefined]>([
    ['nothing', undefined],
    ['an empty text', ''],
    ['noise', 'noise'],
    ['dots', '....'],
    ['no JSON in its head', 'AAAA..AAAA.AAAA.AAAA'],
    ['a byte changed', `${old.slice(0, -6)}${old.at(-6) === 'A' ? 'B' : 'A'}${old.slice(-5)}`],
    ['half of it', old.slice(0, old.length / 2)],
    ['a NUL behind it', `${old}\0`],
    ['another alphabet', 'ä'.repeat(200)],
  ])('%s opens to nothing', async (_, text) => {
    expect(await open(text)).toBeNull();
  });

  test('a text past its bound opens to nothing, a good seal or not', async () => {
    expect(await open('x'.repeat(1_000_000))).toBeNull();
    const long = await kind.seal({ ...(value as object), filler: 'x'.repeat(max) }, here, then);
    expect(long.length).toBeGreaterThan(max);
    expect(await open(long)).toBeNull();
  });

  test('what was sealed for another purpose opens to nothing', async () => {
    for (const other of Object.keys(before).filter((name) => name !== purpose))
      expect(await open(before[other as keyof typeof before])).toBeNull();
    const other = (purpose as SealPurpose) === 'logout' ? 'seen' : 'logout';
    expect(await open(await seal(other, value))).toBeNull();
  });

  test.each([null, 7, 'text', [], {}, { b: 1, e: 'x', t: [] }])(
    'a value of another shape opens to nothing: %j',
    async (wrong) => {
      expect(await open(await seal(purpose, wrong))).toBeNull();
    },
  );

  test.runIf(life)('it opens in its own browser alone', async () => {
    for (const other of [undefined, '', 'B'.repeat(42), 'C'.repeat(43)])
      expect(await open(old, inBrowser(other))).toBeNull();
    // One that was made where there was no cookie is nobody's.
    const nobodys = await kind.seal(value, inBrowser(), then);
    for (const any of [inBrowser(), here]) expect(await open(nobodys, any)).toBeNull();
  });

  test.runIf(life)('it opens while it lives', async () => {
    for (const text of [old, await kind.seal(value, here, then)]) {
      expect(await open(text, here, seconds((life ?? 0) - 1))).toEqual(value);
      expect(await open(text, here, seconds((life ?? 0) + 1))).toBeNull();
    }
  });
});

describe('a pending request', () => {
  test('of another browser is told from one that is none', async () => {
    await expect(readBoundFlow(before.flow, inBrowser('C'.repeat(43)))).rejects.toMatchObject({
      problem: 'flow_foreign',
    });
    await expect(readBoundFlow('noise', here)).rejects.toMatchObject({ problem: 'flow_invalid' });
  });

  test('opens when it has expired, and says so', async () => {
    const flow = await openFlow(before.flow);
    expect(flow && isExpired(flow, seconds(pendingRequestLife))).toBe(false);
    expect(flow && isExpired(flow, seconds(pendingRequestLife + 1))).toBe(true);
  });
});
