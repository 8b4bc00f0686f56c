import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { needs, placeOf } from '#lib/tooling/needs.mjs';
import { showProgress } from '#lib/tooling/progress.mjs';
import { root } from '#lib/tooling/stamp.mjs';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What was written to a screen, in a terminal or in a log. */
function shownOn(isTTY: boolean, columns = 80) {
  const written: string[] = [];
  const write = (text: string) => written.push(text) > 0;
  return { screen: { write, isTTY, columns } as Parameters<typeof showProgress>[1], written };
}

test('progress in a log is a line now and then, without terminal control characters', () => {
  const { screen, written } = shownOn(false);
  const progress = showProgress('Step 3 of 5: Building', screen);
  vi.advanceTimersByTime(65_000);
  progress.end('done');
  vi.advanceTimersByTime(600_000);
  expect(written).toEqual([
    'Step 3 of 5: Building …\n',
    '  30 s so far\n',
    '  1 min 0 s so far\n',
    '  done in 1 min 5 s\n',
  ]);
});

test('progress in a terminal is one line that counts the seconds and fits the screen', () => {
  const { screen, written } = shownOn(true, 24);
  const progress = showProgress('Step 3 of 5: Building', screen);
  vi.advanceTimersByTime(12_000);
  progress.end('done');
  expect(written).toHaveLength(14);
  expect(written[12]).toBe('\r\x1b[KStep 3 of 5: Building …');
  expect(written.at(-1)).toBe('\r\x1b[KStep 3 of 5: Building\n  done in 12 s\n');
  const { screen: wide, written: lines } = shownOn(true);
  const again = showProgress('Building', wide);
  vi.advanceTimersByTime(125_000);
  again.end('failed');
  expect(lines.slice(-2)).toEqual([
    '\r\x1b[KBuilding … 2 min 5 s',
    '\r\x1b[KBuilding\n  failed in 2 min 5 s\n',
  ]);
});

test('progress names the number of a step and of all steps, unless there is only one', () => {
  expect(needs.start.map((step) => placeOf(step, needs.start))).toEqual(
    [1, 2, 3, 4, 5, 6, 7].map((count) => `Step ${count} of 7: `),
  );
  expect(placeOf('install', needs.release)).toBe('');
});

test('every script of package.json has its steps in the tooling', async () => {
  const { scripts } = (await import(`${root}/package.json`, { with: { type: 'json' } })).default;
  const named = Object.values<string>(scripts).flatMap(
    (script) => /lib\/tooling\/run\.mjs (\S+)/.exec(script)?.[1] ?? [],
  );
  expect(named.length).toBeGreaterThan(10);
  expect(Object.keys(needs)).toEqual(expect.arrayContaining(named));
});

test('progress in a real terminal overwrites the line of a step', async () => {
  vi.useRealTimers();
  const script = `import('${root}/lib/tooling/child.mjs').then(({ runStep }) => runStep({ title: 'Waiting', place: 'Step 1 of 2: ', takes: 'the longest step', advice: '', command: 'sleep', args: ['2.5'] }))`;
  const child = spawn('script', ['-qec', `${process.execPath} -e "${script}"`, '/dev/null']);
  let shown = '';
  child.stdout.on('data', (chunk) => (shown += chunk));
  await once(child, 'close');
  const heading = 'Step 1 of 2: Waiting (the longest step)';
  const [first, ...counted] = shown.split('\r\x1b[K');
  expect(first).toBe(`${heading} …`);
  expect(counted.slice(0, -1).every((line) => /^Step 1 .*\) … \d\.\d s$/.test(line))).toBe(true);
  expect(counted.length).toBeGreaterThan(2);
  expect(counted.at(-1)).toMatch(
    /^Step 1 of 2: Waiting \(the longest step\)\r\n {2}done in \d\.\d s\r\n$/,
  );
});
