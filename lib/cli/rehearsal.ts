import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { makeBackup } from '../backup/backup.ts';
import { checkBackup } from '../backup/check.ts';
import { restore } from '../backup/restore.ts';
import { config, projectRoot } from '../config.ts';
import { type Answered, mostAnswered } from '../doctor/answers.ts';
import { type Finding, fine, reasonOf, trouble, warning } from '../doctor/finding.ts';
import { settingsFolderOf } from '../settings/data-folder.ts';
import { applyMigrationsUpTo, pendingMigrations } from '../tooling/migrate.ts';
import { programs } from '../tooling/programs.ts';
import { withScratchDatabase } from '../tooling/scratch.ts';
import type { Rehearsed } from './answer-again.ts';
import { refuseCommand } from './refuse.ts';

type Difference = Omit<Answered, 'verdict'> & { now: string; upgraded: string };

type Rehearsal = { findings: Finding[]; differences: Difference[] };

const day = 24 * 3600_000;

/**
 * Migrates a copy of the database with another version, has both versions answer the requests of
 * the last day on it, and compares the answers. The database itself is only read.
 * @param folder a package or a checkout of the other version
 */
export async function rehearse(folder: string, now: Date): Promise<Rehearsal> {
  const next = programIn(folder);
  if ((await pendingMigrations(config().databaseUrl)).length > 0)
    refuseCommand(
      'The database is of an older version than this one. Start this version first, or rehearse with the one that serves.',
    );
  const { stopped, forget } = hearStop();
  const { dataDir } = config();
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const work = mkdtempSync(resolve(dataDir, 'rehearsal-'));
  try {
    return await withScratchDatabase(config().databaseUrl, work, (copy) =>
      Promise.race([rehearseOn(copy, work, next, now), stopped]),
    );
  } finally {
    rmSync(work, { recursive: true, force: true });
    forget();
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A stop would leave the copy behind. A second signal ends at once. */
function hearStop(): { stopped: Promise<never>; forget: () => void } {
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  stopped.catch(() => {});
  const stop = () => reject(new Error('It was stopped, and the copy was removed.'));
  for (const signal of signals) process.once(signal, stop);
  const forget = () => {
    for (const signal of signals) process.removeListener(signal, stop);
  };
  return { stopped, forget };
}

async function rehearseOn(
  copy: string,
  work: string,
  next: Program,
  now: Date,
): Promise<Rehearsal> {
  const rows = await copyTo(copy, resolve(work, 'copy.backup'), now);
  const copied = fine('rehearsal-copy', `A copy was made: ${rows.toLocaleString('en')} rows.`);
  const since = new Date(now.getTime() - day);
  const before = await ask(programIn(projectRoot), copy, since);
  try {
    const after = await ask(next, copy, since);
    const differences = differencesOf(before.answers, after.answers);
    return {
      findings: [copied, judgeMigrations(after), ...judgeAnswers(before, after, differences)],
      differences,
    };
  } catch (error) {
    const failed = trouble(
      'rehearsal-migrations',
      `The other version cannot work on a copy: ${reasonOf(error)}`,
      'Do not upgrade to it before that is understood. Nothing was changed here.',
    );
    return { findings: [copied, failed], differences: [] };
  }
}

/** @returns the number of rows */
async function copyTo(copy: string, file: string, now: Date): Promise<number> {
  await makeBackup({ databaseUrl: config().databaseUrl, file, passphrase: null }, now);
  const { about, sums } = await checkBackup(file, null);
  await applyMigrationsUpTo(copy, about.migration);
  const plainly = { passphrase: null, replace: false, endSignIns: false, dryRun: false };
  await restore(file, copy, plainly, now);
  rmSync(file);
  return Object.values(sums).reduce((sum, { rows }) => sum + rows, 0);
}

/** A version that can be run: Node.js, its command line, and its folder. */
type Program = { node: string; cli: string; cwd: string };

/** Finds the files in a package, a built checkout or a checkout. */
function programIn(folder: string): Program {
  const places = [
    { cli: `program/${programs.cli}`, cwd: 'program', node: 'program/node' },
    { cli: programs.cli, cwd: '.', node: 'node' },
    { cli: 'lib/cli.ts', cwd: '.', node: '' },
  ];
  const found = places.find(({ cli, node }) =>
    [cli, node].every((file) => existsSync(resolve(folder, file))),
  );
  if (!found)
    refuseCommand(
      `There is no Gatehouse in ${folder}: neither program/${programs.cli} (a package) nor lib/cli.ts (a checkout).`,
    );
  const node = found.node ? resolve(folder, found.node) : process.execPath;
  return { node, cli: resolve(folder, found.cli), cwd: resolve(folder, found.cwd) };
}

/** @throws Error with the last line of the other program's error output */
async function ask({ node, cli, cwd }: Program, databaseUrl: string, since: Date) {
  const args = [cli, 'doctor', '--answer-again', since.toISOString(), '--json'];
  const child = spawn(node, args, {
    cwd,
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      // Empty rather than left out, or the other program would read it from .env.
      DATABASE_URL_FILE: '',
      DATA_DIR: config().dataDir,
      SETTINGS_DIR: settingsFolderOf(process.env, projectRoot),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [said, complained, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  if (code === 0) return JSON.parse(said) as Rehearsed;
  throw new Error(complained.trim().split('\n').at(-1) || `it ended with ${code}.`);
}

function differencesOf(before: readonly Answered[], after: readonly Answered[]): Difference[] {
  const later = new Map(after.map((one) => [one.attempt, one.verdict]));
  return before.flatMap(({ verdict, ...attempt }) => {
    const upgraded = later.get(attempt.attempt);
    if (upgraded?.is === verdict.is) return [];
    const says = upgraded?.says ?? 'not known any more';
    return [{ ...attempt, now: verdict.says, upgraded: says }];
  });
}

function judgeMigrations({ version, migrations, disturbs, milliseconds }: Rehearsed): Finding {
  const check = 'rehearsal-migrations';
  if (migrations.length === 0)
    return fine(check, `Version ${version} leaves the tables as they are.`);
  const took = `${migrations.length} changes of the tables took ${milliseconds} ms on the copy`;
  return disturbs
    ? warning(
        check,
        `Version ${version} cannot serve beside this one (${disturbs}); ${took}.`,
        'Stop every server for the upgrade.',
      )
    : fine(check, `Version ${version} can serve beside this one; ${took}.`);
}

/** At most this many kinds of differences become sentences; the JSON has all of them. */
const mostTold = 20;

function judgeAnswers(
  { answers }: Rehearsed,
  { version }: Rehearsed,
  differences: readonly Difference[],
): Finding[] {
  const check = 'rehearsal-answers';
  const count = `${answers.length === mostAnswered ? 'The latest ' : ''}${answers.length.toLocaleString('en')} requests of the last day were answered again`;
  if (differences.length === 0) return [fine(check, `${count}: all as they are now.`)];
  const groups = Map.groupBy(differences, ({ clientId, now, upgraded }) =>
    JSON.stringify([clientId, now, upgraded]),
  );
  const told = [...groups.values()].slice(0, mostTold).flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    return warning(
      check,
      `“${first.app}” (${first.clientId}), ${group.length === 1 ? `attempt ${first.attempt}` : `${group.length} attempts such as ${first.attempt}`}: now ${first.now}; with ${version}: ${first.upgraded}`,
      'Read in the changelog what changed, and look at the app.',
    );
  });
  const summary = warning(
    check,
    `${count}: ${differences.length.toLocaleString('en')} would be answered otherwise by ${version}.`,
    'Each is listed with --json.',
  );
  return [summary, ...told];
}
