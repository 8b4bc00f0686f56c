import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { root } from '#lib/tooling/stamp.mjs';

let copy: string;
const running = new Set<ChildProcess>();

beforeAll(() => {
  copy = mkdtempSync(resolve(tmpdir(), 'gatehouse-start-'));
  const sources = [
    'app',
    'lib',
    'public',
    'prisma',
    'docs',
    'package.json',
    'package-lock.json',
    'next.config.js',
    'proxy.ts',
    'tsconfig.json',
  ];
  for (const name of [...sources, '.npmrc', '.next'])
    cpSync(resolve(root, name), resolve(copy, name), { recursive: true });
  // Next.js needs its packages below the project. Hard links to files cost neither time nor space.
  execFileSync('cp', ['-Rl', resolve(root, 'node_modules'), copy]);
});
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(copy, { recursive: true });
});

test('npm start runs only the steps whose inputs changed, and ends with the server’s exit code', {
  timeout: 600_000,
}, async () => {
  const first = await npmStart();
  // npm and the server: what prepared the start has become the server.
  expect(processesOf(first.child.pid ?? 0)).toHaveLength(2);
  await vi.waitFor(() => expect(memoryOf(first)).toBeLessThan(240), 60_000);
  expect((await fetch(first.address)).status).toBe(200);
  expect(first.printed()).not.toMatch(/Building|Step/);
  const secret = readFileSync(`${copy}/data/server-secret`, 'utf8');
  expect(await stop(first)).toBe(0);
  await expect(fetch(first.address)).rejects.toThrow();

  mkdirSync(`${copy}/app/added`);
  writeFileSync(
    `${copy}/app/added/route.ts`,
    'export const GET = () => new Response(process.env.NODE_ENV);',
  );
  const second = await npmStart();
  expect(second.printed()).toMatch(
    /^Step 4 of 7: Building the screens \(the longest step: .*\) …\n( {2}.* so far\n)*^ {2}done in .*\n^Step 5 of 7: Bundling the server …\n( {2}.* so far\n)*^ {2}done in .*\n(^Step 6 of 7: .*\n.*\n)?^Step 7 of 7: Starting/m,
  );
  expect(await (await fetch(`${second.address}/added`)).text()).toBe('production');
  expect(readFileSync(`${copy}/data/server-secret`, 'utf8')).toBe(secret);
  expect(await stop(second)).toBe(0);
});

test.each([
  [{ PORT: 'http' }, 'PORT is "http", and has to be a whole number', 78],
  [{ ISSUER: 'https://id.example.com/' }, 'ends with a slash, which it must not', 78],
  [{ DATABASE_URL: 'mysql://localhost/x' }, 'DATABASE_URL has to be file:PATH', 78],
  [{ DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/x' }, 'DATABASE_URL cannot be used', 1],
])('a start with %j is refused with a sentence', async (wrong, sentence, code) => {
  const child = spawn(process.execPath, ['lib/server.ts'], {
    cwd: copy,
    env: { ...environment(), ...wrong },
  });
  const printed = collect(child);
  expect(await ending(child)).toBe(code);
  expect(printed()).toContain(sentence);
  expect(printed()).not.toContain('    at ');
});

type Started = { child: ChildProcess; address: string; printed: () => string };

async function npmStart(): Promise<Started> {
  const child = spawn('npm', ['start'], {
    cwd: copy,
    env: { ...environment(), NODE_ENV: 'development' },
  });
  const printed = collect(child);
  const ready = /ready at (http:\/\/localhost:\d+)/;
  while (!ready.test(printed()))
    await Promise.race([once(child.stdout, 'data'), failure(child, printed)]);
  return { child, address: ready.exec(printed())?.[1] ?? '', printed };
}

/** A process and those it has started, directly or not. */
function processesOf(pid: number): number[] {
  const started = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return [pid, ...(started ? started.split(' ').flatMap((each) => processesOf(Number(each))) : [])];
}

/** The resident memory of all processes of a start, in MiB. */
const memoryOf = ({ child }: Started): number =>
  processesOf(child.pid ?? 0).reduce((sum, pid) => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return sum + Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
  }, 0);

async function failure(child: ChildProcess, printed: () => string): Promise<never> {
  throw new Error(`npm start ended with ${await ending(child)}: ${printed()}`);
}

function stop({ child }: Started): Promise<number | null> {
  // Twice, because the processes below npm get a terminal's Ctrl-C twice.
  child.kill('SIGINT');
  child.kill('SIGINT');
  return ending(child);
}

async function ending(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null) await once(child, 'close');
  return child.exitCode;
}

function collect(child: ChildProcess): () => string {
  running.add(child.on('exit', () => running.delete(child)));
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += chunk));
  return () => text;
}

/** Nothing set by this machine or by the test run may reach the server. */
function environment(): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, PORT: '0', SERVER_SECRET_PREVIOUS: '', NODE_ENV: 'production' };
}
