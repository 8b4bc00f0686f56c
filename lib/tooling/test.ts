import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { findOrInstallBrowser } from './browser.ts';
import { compileCache, runChild, SetupError } from './child.mjs';
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
 * Runs vitest and Playwright: what is enough for a change, everything (`--all`), or everything of the files whose path
 * holds one of the filters.
 */
export async function runTests(args: string[]): Promise<number> {
  const filters = args.filter((arg) => arg !== '--all');
  environment.TEST_LANE = args.includes('--all') ? 'all' : filters.length > 0 ? 'named' : 'change';
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

type Say = (chunk: Buffer) => void;

/**
 * Side by side, since each waits a lot: vitest for servers and clocks, Playwright for browsers. What
 * Playwright prints is kept until vitest has ended.
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
