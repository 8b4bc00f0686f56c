import { fork } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Step, upToDate } from '#lib/tooling/prepare.ts';

let folder: string;
let step: Step;

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-steps-'));
  mkdirSync(`${folder}/source/inner`, { recursive: true });
  writeFileSync(`${folder}/source/inner/page.tsx`, 'one');
  step = {
    title: 'Building',
    advice: 'Fix it.',
    command: process.execPath,
    args: ['-e', `fs.appendFileSync('${folder}/runs', '+')`],
    stamp: `${folder}/stamp`,
    inputs: [`${folder}/source`, `${folder}/config.js`],
  };
});
afterEach(() => rmSync(folder, { recursive: true }));

const runs = () => readFileSync(`${folder}/runs`, 'utf8').length;

test('a build step runs once while its inputs do not change', async () => {
  await upToDate(step);
  await upToDate(step);
  expect(runs()).toBe(1);
});

test.each([
  ['a changed file', () => appendFileSync(`${folder}/source/inner/page.tsx`, 'more')],
  ['a new file', () => writeFileSync(`${folder}/source/inner/new.tsx`, '')],
  ['a removed file', () => rmSync(`${folder}/source/inner/page.tsx`)],
  ['an input that did not exist before', () => writeFileSync(`${folder}/config.js`, '')],
])('%s makes a build step run again', async (_, change) => {
  await upToDate(step);
  change();
  await upToDate(step);
  expect(runs()).toBe(2);
});

test('a build step that failed is tried again, and says what to do', async () => {
  const failing = { ...step, args: ['-e', 'console.log("line 7 is wrong"); process.exit(3)'] };
  await expect(upToDate(failing)).rejects.toThrow(
    /line 7 is wrong[\s\S]*"Building" failed\. Fix it\./,
  );
  await expect(upToDate(failing)).rejects.toThrow('"Building" failed');
});

test('processes that start at the same time run a build step once', async () => {
  const script = new URL('../support/do-step.ts', import.meta.url);
  const children = Array.from({ length: 4 }, () =>
    fork(script, [JSON.stringify(step)], { silent: true }),
  );
  const codes = await Promise.all(
    children.map((child) => once(child, 'exit').then(([code]) => code)),
  );
  expect(codes).toEqual([0, 0, 0, 0]);
  expect(runs()).toBe(1);
});
