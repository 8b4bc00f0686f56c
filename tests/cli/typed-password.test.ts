import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { verifyPassword } from '#lib/identity/passwords.ts';
import { findUserByLogin } from '#lib/store/users.ts';
import { createDatabase } from '../support/database.ts';

const databaseUrl = await createDatabase('sqlite');
Object.assign(process.env, {
  SERVER_SECRET: 's'.repeat(32),
  BCRYPT_COST: '4',
  DATABASE_URL: databaseUrl,
});

/** Whether util-linux is there, which can run a program at a terminal of its own. */
const hasTerminal = (() => {
  try {
    return execFileSync('script', ['--version'], { encoding: 'utf8' }).includes('util-linux');
  } catch {
    return false;
  }
})();

type Terminal = { child: ChildProcess; shown: () => string; type: (text: string) => void };

function atTerminal(args: string[]): Terminal {
  const command = [process.execPath, 'lib/cli.ts', ...args].join(' ');
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: { ...process.env, NODE_ENV: 'production' },
  });
  let text = '';
  child.stdout.on('data', (chunk) => (text += chunk));
  return { child, shown: () => text, type: (typed) => child.stdin.write(typed) };
}

async function until({ child, shown }: Terminal, words: string): Promise<void> {
  while (!shown().includes(words)) await once(child.stdout as NodeJS.EventEmitter, 'data');
}

describe.runIf(hasTerminal)('a password typed at a terminal', () => {
  const create = (name: string) =>
    atTerminal(
      `user create --username ${name} --email ${name}@example.org --password -`.split(' '),
    );

  test('is asked for twice, never shown, and can be corrected with backspace', async () => {
    const terminal = create('ada');
    await until(terminal, 'Password: ');
    terminal.type('some long wordz\u007fs\r');
    await until(terminal, 'Once more: ');
    terminal.type('some long words\r');
    const [code] = await once(terminal.child, 'close');
    expect([code, terminal.shown()]).toEqual([0, expect.stringContaining('ada@example.org')]);
    expect(terminal.shown()).not.toContain('some');
    const stored = (await findUserByLogin('ada'))?.passwordHash ?? null;
    expect(await verifyPassword('some long words', stored)).toBe(true);
  });

  test('must be the same both times', async () => {
    const terminal = create('bob');
    await until(terminal, 'Password: ');
    terminal.type('some long words\r');
    await until(terminal, 'Once more: ');
    terminal.type('some other words\r');
    const [code] = await once(terminal.child, 'close');
    expect([code, terminal.shown()]).toEqual([1, expect.stringContaining('passwords differ')]);
    expect(terminal.shown()).not.toMatch(/some (long|other)/);
    expect(await findUserByLogin('bob')).toBeNull();
  });

  test('can be cancelled with Ctrl-C', async () => {
    const terminal = create('eve');
    await until(terminal, 'Password: ');
    terminal.type('some\u0003');
    expect((await once(terminal.child, 'close'))[0]).toBe(130);
    expect(await findUserByLogin('eve')).toBeNull();
  });
});
