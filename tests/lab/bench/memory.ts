import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { applyMigrations } from '#lib/tooling/migrate.ts';
import { drive } from './load.ts';
import { signInEachSecond } from './sign-ins.ts';
import { startGatehouse } from './targets.ts';
import { workloads } from './workloads.ts';

/*
 * How much memory a server uses: idle, and minute by minute under the mixed load with one sign-in a
 * second. `npm run bench:memory` takes ten minutes unless `--minutes` says otherwise.
 */
const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
const folder = mkdtempSync(`${tmpdir()}/gatehouse-memory-`);
const path = `${folder}/memory.db`;
await applyMigrations(`file:${path}`);
const connections = 32;
const {
  target,
  process: child,
  stop,
  username = '',
} = await startGatehouse('direct', { databaseUrl: `file:${path}`, connections });
const pid = child.pid ?? 0;

const mib = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MiB`;
const resident = () =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
const size = (file: string) => mib(statSync(file, { throwIfNoEntry: false })?.size ?? 0);

console.log(`idle: ${mib(resident())}`);
const signIns = await signInEachSecond(target.port, username, pid);
for (let minute = 1; minute <= Number(values.minutes); minute += 1) {
  const script = workloads.mixed.script(target);
  const { perSecond, p99, failures } = await drive({
    port: target.port,
    connections,
    warmUpMs: 0,
    measureMs: 60_000,
    script,
    pid,
  });
  const load = `${Math.round(perSecond)} requests/s, p99 of me ${p99.toFixed(1)} ms, ${failures} failed`;
  console.log(
    `minute ${minute}: ${mib(resident())}, database ${size(path)}, log ${size(`${path}-wal`)}; ${load}`,
  );
}
console.log(`${await signIns.stop()} sign-ins`);
await stop();
rmSync(folder, { recursive: true });
