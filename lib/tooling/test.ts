import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findOrInstallBrowser } from './browser.ts';
import { compileCache, runChild, SetupError } from './child.mjs';
import { git } from './git.ts';
import { toRun, toServe } from './needs.mjs';
import { prepare } from './prepare.ts';
import {
  closingLines,
  type Report,
  readPlaywrightReport,
  readVitestReport,
} from './test-report.ts';

const environment: Record<string, string> = {
  // No terminal colours in a log.
  ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }),
  NODE_ENV: 'test',
  NODE_COMPILE_CACHE: compileCache,
};

/**
 * Runs vitest and Playwright: by default what is enough for a change; with `--since` also the slow
 * suites affected by the changes since a commit or the last tag; with `--all` everything; with
 * filters, everything in the files whose path contains one of them.
 * @throws SetupError
 */
export async function runTests(args: string[]): Promise<number> {
  const { filters, all, since } = readArguments(args);
  environment.TEST_LANE = all ? 'all' : filters.length > 0 ? 'named' : 'change';
  if (since !== undefined) environment.TEST_SINCE = commitOf(since);
  const matches = (file: string) =>
    filters.length === 0 || filters.some((filter) => file.includes(filter));
  const units = globSync('tests/**/*.test.ts').filter(matches);
  const journeys = globSync('tests/**/*.spec.ts').filter(matches);
  if (units.length + journeys.length === 0)
    throw new SetupError(`No test file's path contains ${filters.join(' or ')}.`);
  const rulesOnly = [...units, ...journeys].every((file) =>
    /^tests\/(oauth|people|access)\//.test(file),
  );
  await prepare(rulesOnly ? toRun : toServe);

  const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-reports-'));
  const reports = await runRunners(filters, units.length > 0, journeys.length > 0, folder);
  rmSync(folder, { recursive: true });
  console.log(`\n${closingLines(reports)}`);
  return reports.some(({ failed }) => failed > 0) || reports.every(({ passed }) => passed === 0)
    ? 1
    : 0;
}

type Arguments = { filters: string[]; all: boolean; since: string | undefined };

function readArguments(args: string[]): Arguments {
  try {
    const options = { all: { type: 'boolean' }, since: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    return { filters: positionals, all: values.all ?? false, since: values.since };
  } catch (error) {
    throw new SetupError(`${(error as Error).message} Usage: ${usage}`);
  }
}

const usage = 'npm test [-- --all | --since COMMIT | --since last-tag | PATH-PART …]';

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
  const vitest = () => runVitest(filters, `${folder}/vitest.json`);
  const playwright = (say?: Say) => runPlaywright(filters, `${folder}/playwright.json`, say);
  if (!hasJourneys) return [await vitest()];
  if (!hasUnits) return [await playwright()];
  const kept: Buffer[] = [];
  let say: Say = (chunk) => kept.push(chunk);
  const journeys = playwright((chunk) => say(chunk));
  const units = await vitest();
  process.stdout.write(Buffer.concat(kept));
  say = (chunk) => process.stdout.write(chunk);
  return [units, await journeys];
}

async function runVitest(filters: string[], report: string): Promise<Report> {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    'tests/vitest.config.ts',
    ...reporters,
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
