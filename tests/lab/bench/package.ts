import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makePackages } from '#lib/package/package.ts';
import { root } from '#lib/tooling/stamp.mjs';
import { median } from './statistics.ts';

/*
 * The package as a new operator meets it: started with an empty folder, left alone, asked for its
 * first page. Then the same once more, with the compiled code that the first start has left. Prints
 * the median, minimum and maximum of `--rounds` (5). `npm run bench:package -- --folder FOLDER`
 * uses a package that is already unpacked.
 */
const { values: said } = parseArgs({
  options: {
    folder: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    /** How many milliseconds it is left alone. */
    rest: { type: 'string', default: '12000' },
  },
});

const place = mkdtempSync(resolve(tmpdir(), 'gatehouse-bench-'));
const folder = said.folder ? resolve(said.folder) : resolve(place, 'package');
const figures = new Map<string, number[]>();

try {
  if (!said.folder) await makePackages(root, ['--folder', folder]);
  for (let round = 0; round < Number(said.rounds); round += 1) {
    const home = mkdtempSync(resolve(place, 'home-'));
    for (const turn of ['first start', 'second start']) await lookAt(home, turn);
    rmSync(home, { recursive: true });
  }
  console.log(`${''.padEnd(44)}median  least   most`);
  for (const [name, all] of figures)
    console.log(
      name.padEnd(42) + [median(all), Math.min(...all), Math.max(...all)].map(column).join(''),
    );
} finally {
  rmSync(place, { recursive: true });
}

async function lookAt(home: string, turn: string): Promise<void> {
  const note = (what: string, figure: number) => {
    const name = `${turn}: ${what}`;
    figures.set(name, [...(figures.get(name) ?? []), figure]);
  };
  const began = performance.now();
  const server = spawn(resolve(folder, 'gatehouse'), ['start'], {
    cwd: '/',
    env: {
      HOME: home,
      PATH: '/usr/bin:/bin',
      PORT: '0',
      STOP_DELAY: '0',
    } as unknown as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await readyAt(server);
  note('ready, ms', performance.now() - began);
  note('ready, ms of the processor', worked(server));
  await pause(Number(said.rest));
  note('at rest, MiB', resident(server));
  const before = worked(server);
  note('first page, ms', await pageIn(`${address}/login`));
  note('first page, ms of the processor', worked(server) - before);
  note('after it, MiB', resident(server));
  server.kill('SIGTERM');
  await once(server, 'close');
}

async function readyAt(server: ChildProcess): Promise<string> {
  let printed = '';
  for await (const chunk of server.stdout ?? []) {
    printed += chunk;
    const port = /listening on [^)]*:(\d+)/.exec(printed)?.[1];
    if (port) {
      server.stdout?.resume();
      return `http://127.0.0.1:${port}`;
    }
  }
  throw new Error(`It did not start: ${printed}`);
}

/** How many milliseconds a page takes to arrive completely. */
async function pageIn(url: string): Promise<number> {
  const began = performance.now();
  const [answer] = await once(get(url, { headers: { accept: 'text/html' } }), 'response');
  answer.resume();
  await once(answer, 'end');
  if (answer.statusCode !== 200) throw new Error(`${url} was answered ${answer.statusCode}.`);
  return performance.now() - began;
}

/** The resident memory, in MiB. */
function resident({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

/** The processor time of all threads together, in milliseconds. */
function worked({ pid }: ChildProcess): number {
  const cells = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(cells[11]) + Number(cells[12])) * 10;
}

function column(figure: number): string {
  return String(Math.round(figure)).padStart(7);
}
