import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findOrInstallBrowser } from './browser.ts';
import { compileCache, runChild, SetupError } from './child.mjs';
import { git } from './git.ts';
import { needs, toServe } from './needs.mjs';
import { prepare } from './prepare.ts';
import { needsBuild } from './test-imports.ts';
import {
  closingLines,
  type Report,
  readPlaywrightReport,
  readVitestReport,
} from './test-report.ts';
import { readPassed, slowSuites, filesOf as suiteFiles, waiting, writePassed } from './waiting.ts';

const environment: Record<string, string> = {
  // No terminal colours in a log.
  ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }),
  NODE_ENV: 'test',
  NODE_COMPILE_CACHE: compileCache,
};

/**
 * Runs vitest and Playwright: by default what is enough for a change; with `--since` also the slow
 * suites affected by the changes since a commit or the last tag; with `--waiting` also the slow
 * suites that have waited longest, as long as those minutes last; with `--all` everything; with
 * filters, everything in the files whose path contains one of them, and with `--watch` again when a
 * file changes. Without filters, types, lint and format are checked first, and a fault there ends
 * the run. The screens are built only if a test of the run needs them.
 * @throws SetupError
 */
export async function runTests(args: string[], check: () => Promise<number>): Promise<number> {
  const begun = Date.now();
  const { filters, all, since, minutes, watch } = readArguments(args);
  environment.TEST_LANE = all ? 'all' : filters.length > 0 ? 'named' : 'change';
  if (since !== undefined) environment.TEST_SINCE = commitOf(since);
  const matches = (file: string) =>
    filters.length === 0 || filters.some((filter) => file.includes(filter));
  const units = globSync('tests/**/*.test.ts').filter(matches);
  const journeys = globSync('tests/**/*.spec.ts').filter(matches);
  if (units.length + journeys.length === 0)
    throw new SetupError(`No test file's path contains ${filters.join(' or ')}.`);
  await prepare(needs.check);
  if (filters.length === 0 && (await check()) !== 0) {
    console.log(
      `\nThe lines above name what npm run check found. No test ran.\n\n0 passed, 1 failed`,
    );
    return 1;
  }
  const served = journeys[0] ?? units.find((file) => needsBuild(file));
  if (watch && served)
    throw new SetupError(
      `${served} starts a server, which serves what was built when it started: watch tests that start none.`,
    );
  const isServed = served !== undefined || minutes !== undefined;
  await prepare(isServed ? toServe : toServe.filter((step) => step !== 'build'));
  if (watch) return runChild(process.execPath, [...vitest('watch'), ...filters], environment);

  const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-reports-'));
  environment.TEST_MISSING = resolve(folder, 'missing');
  const reports = await runRunners(filters, units.length > 0, journeys.length > 0, folder);
  if (minutes !== undefined) reports.push(...(await runWaiting(begun + minutes * 60_000, folder)));
  console.log(`\n${closingLines(reports, programsMissing(environment.TEST_MISSING))}`);
  rmSync(folder, { recursive: true });
  return reports.some(({ failed }) => failed > 0) || reports.every(({ passed }) => passed === 0)
    ? 1
    : 0;
}

type Arguments = {
  filters: string[];
  all: boolean;
  since: string | undefined;
  minutes: number | undefined;
  watch: boolean;
};

function readArguments(args: string[]): Arguments {
  try {
    const options = {
      all: { type: 'boolean' },
      since: { type: 'string' },
      waiting: { type: 'string' },
      watch: { type: 'boolean' },
    } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const { all = false, since, waiting: minutes, watch = false } = values;
    if (minutes !== undefined && !/^\d+$/.test(minutes))
      throw new Error(`--waiting takes whole minutes, not "${minutes}".`);
    if (watch && positionals.length === 0) throw new Error('--watch takes a part of a path.');
    const within = minutes ? Number(minutes) : undefined;
    return { filters: positionals, all, since, minutes: within, watch };
  } catch (error) {
    throw new SetupError(`${(error as Error).message} Usage: ${usage}`);
  }
}

const usage =
  'npm test [-- --all | --since COMMIT | --since last-tag | --waiting MINUTES | [--watch] PATH-PART …]';

/** Resolves the commit that `--since` names; empty if there is no tag yet. @throws SetupError */
function commitOf(said: string): string {
  const name = said === 'last-tag' ? lastTag() : said;
  if (name) return git('.', ['rev-parse', '--verify', '--end-of-options', `${name}^{commit}`]);
  console.log('There is no tag yet: slow suites are left out. npm test -- --all runs them.');
  return '';
}

/** Empty if there is none, as in a copy of the files without their history. */
function lastTag(): string {
  try {
    const tags = git('.', ['tag', '--list', '--merged', 'HEAD', '--sort=-creatordate']);
    return tags.split('\n')[0] ?? '';
  } catch (error) {
    if (error instanceof SetupError) return '';
    throw error;
  }
}

/**
 * Runs slow suites one after another until the end, and writes down which have passed. Those that
 * have waited longest come first.
 * @param end in milliseconds since 1970
 */
async function runWaiting(end: number, folder: string): Promise<Report[]> {
  const suites = await slowSuites();
  const passed = readPassed();
  // A pipeline has an end, so it begins nothing that takes nobody knows how long.
  const chosen = waiting(suites, passed, (end - Date.now()) / 1000, !process.env.CI);
  const never = suites.filter(({ name }) => !passed[name] && process.env.CI);
  if (never.length > 0)
    console.log(`\nOn no record as passed: ${never.map(({ name }) => name).join(', ')}.`);
  const reports: Report[] = [];
  environment.TEST_LANE = 'suite';
  for (const suite of chosen) {
    const begun = Date.now();
    if (begun >= end) break;
    console.log(`\nSlow suite: ${suite.name}`);
    const files = suiteFiles(suite);
    const has = (ending: string) => files.some((file) => file.endsWith(ending));
    const ran = await runRunners(files, has('.test.ts'), has('.spec.ts'), folder);
    reports.push(...ran);
    if (ran.some(({ failed }) => failed > 0)) continue;
    writePassed(suites, suite, Math.ceil((Date.now() - begun) / 1000), new Date());
  }
  return reports;
}

/** What tests were skipped for, one line each. */
const programsMissing = (file: string): string[] =>
  existsSync(file) ? [...new Set(readFileSync(file, 'utf8').trim().split('\n'))] : [];

type Say = (chunk: Buffer) => void;

/**
 * Runs them side by side, because each mostly waits: vitest for servers and clocks, Playwright for
 * browsers. Playwright's output is held back until vitest has ended.
 */
async function runRunners(
  filters: string[],
  hasUnits: boolean,
  hasJourneys: boolean,
  folder: string,
): Promise<Report[]> {
  const tests = () => runVitest(filters, `${folder}/vitest.json`);
  const playwright = (say?: Say) => runPlaywright(filters, `${folder}/playwright.json`, say);
  if (!hasJourneys) return [await tests()];
  if (!hasUnits) return [await playwright()];
  const kept: Buffer[] = [];
  let say: Say = (chunk) => kept.push(chunk);
  const journeys = playwright((chunk) => say(chunk));
  const units = await tests();
  process.stdout.write(Buffer.concat(kept));
  say = (chunk) => process.stdout.write(chunk);
  return [units, await journeys];
}

const vitest = (command: 'run' | 'watch') => [
  'node_modules/vitest/vitest.mjs',
  command,
  '--config',
  'tests/vitest.config.ts',
];

async function runVitest(filters: string[], report: string): Promise<Report> {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const args = [
    ...vitest('run'),
    ...reporters,
    // A slow suite is not repeated on every mount and database.
    ...(environment.TEST_LANE === 'suite'
      ? ['--project=gatehouse', '--project=direct-sqlite']
      : []),
    ...filters,
  ];
  return readVitestReport(report, await runChild(process.execPath, args, environment));
}

async function runPlaywright(filters: string[], report: string, say?: Say): Promise<Report> {
  const args = [
    'node_modules/@playwright/test/cli.js',
    'test',
    '--config',
    'tests/playwright.config.ts',
    '--reporter=list,json',
    ...filters,
  ];
  const env = {
    ...environment,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    TEST_BROWSER: await findOrInstallBrowser(),
  };
  return readPlaywrightReport(report, await runChild(process.execPath, args, env, say));
}
