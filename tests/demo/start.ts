import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll } from 'vitest';
import { apart } from '../support/apart.ts';

const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts the demo in a separate process, with its output. It is ended when the tests are over. */
export function startDemo(args: string[] = []) {
  const child = spawn(process.execPath, ['lib/demo.ts', ...args], {
    env: { ...apart(), NODE_ENV: 'production' },
  });
  running.add(child.on('exit', () => running.delete(child)));
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  const ended = once(child, 'close').then(([code]) => code as number);
  const printed = async (pattern: RegExp) => {
    while (!pattern.test(text)) {
      const more = await Promise.race([once(child.stdout, 'data'), ended.then(() => 'ended')]);
      if (more === 'ended' && !pattern.test(text)) throw new Error(`The demo ended:\n${text}`);
    }
    return pattern.exec(text)?.[1] ?? '';
  };
  return { child, printed, ended, text: () => text };
}
