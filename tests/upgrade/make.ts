import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import BetterSqlite3 from 'better-sqlite3';
import { startPostgres } from '#lib/tooling/postgres.ts';
import { databases } from '#lib/tooling/schema.ts';
import { serverEnvironment, startServer } from '../support/server.ts';
import { sharedEnv } from '../support/shared-env.ts';
import { live } from './life.ts';

/*
 * node tests/upgrade/make.ts CHECKOUT FOLDER
 * Creates databases with the code of another version, through its pages, endpoints and commands.
 * They are kept together with what a test needs to know to use them. FOLDER is a new folder below
 * tests/upgrade/fixtures. CHECKOUT contains that version, installed and built.
 */

const [checkout = '', target = ''] = process.argv.slice(2).map((path) => resolve(path));
mkdirSync(target, { recursive: true });
Object.assign(process.env, sharedEnv);
const work = mkdtempSync(resolve(tmpdir(), 'gatehouse-made-'));
const postgres = await startPostgres();
process.chdir(checkout);

for (const kind of databases) {
  const databaseUrl =
    kind === 'sqlite' ? `file:${work}/made.db` : await postgres.createDatabase('made');
  const cli = commandLine(databaseUrl);
  const logFile = `${work}/${kind}.log`;
  const server = await startServer({ mount: 'direct', databaseUrl, logFile });
  const gatehouse = { base: `http://127.0.0.1:${server.port}`, issuer: server.origin };
  const left = await live(gatehouse, cli);
  await server.stop();
  writeFileSync(`${target}/${kind}.json`, `${JSON.stringify(left, null, 1)}\n`);
  if (kind === 'sqlite') keepFile(`${work}/made.db`);
  else cli(['backup', `${target}/postgresql.backup`]);
}
await postgres.stop();
rmSync(work, { recursive: true });

/** Runs a command of that version; returns its answer as JSON. */
function commandLine(databaseUrl: string) {
  const env = { ...serverEnvironment('direct', databaseUrl, 0), MAIL_URL: 'smtp://127.0.0.1:9' };
  return (args: string[], input = ''): Record<string, unknown> => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['lib/cli.ts', ...args, '--json'],
      { cwd: checkout, env, input, encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
    return JSON.parse(stdout);
  };
}

function keepFile(path: string): void {
  const db = new BetterSqlite3(path);
  db.exec(`VACUUM INTO '${path}.whole'`);
  db.close();
  writeFileSync(`${target}/sqlite.db.gz`, gzipSync(readFileSync(`${path}.whole`), { level: 9 }));
}
