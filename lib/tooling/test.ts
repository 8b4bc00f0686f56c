import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { findOrInstallBrowser } from './browser.ts';
import { compileCache, runChild, SetupError } from './child.mjs';
import { prepareToRun, prepareToServe } from './prepare.ts';

const environment: Record<string, string> = {
  // No terminal colours in a log.
  ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }),
  NODE_ENV: 'test',
  NODE_COMPILE_CACHE: compileCache,
};

type Count = { passed: number; failed: number; skipped: number };

/** Runs vitest and Playwright, or those of their files whose path holds one of the filters. */
export async function runTests(filters: string[]): Promise<number> {
  const matches = (file: string) =>
    filters.length === 0 || filters.some((filter) => file.includes(filter));
  const units = globSync('tests/**/*.test.ts').filter(matches);
  const journeys = globSync('tests/**/*.spec.ts').filter(matches);
  if (units.length + journeys.length === 0)
    throw new SetupError(`No test file's path contains ${filters.join(' or ')}.`);
  const rulesOnly = [...units, ...journeys].every((file) => file.startsWith('tests/oauth/'));
  await (rulesOnly ? prepareToRun() : prepareToServe());

  const reports = mkdtempSync(resolve(tmpdir(), 'gatehouse-reports-'));
  const counts = await runRunners(filters, units.length > 0, journeys.length > 0, reports);
  rmSync(reports, { recursive: true });
  return summarise(counts);
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
  reports: string,
): Promise<Count[]> {
  const vitest = () => runVitest(filters, `${reports}/vitest.json`);
  const playwright = (say?: Say) => runPlaywright(filters, `${reports}/playwright.json`, say);
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

async function runVitest(filters: string[], report: string): Promise<Count> {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    'tests/vitest.config.ts',
    ...reporters,
    ...filters,
  ];
  const code = await runChild(process.execPath, args, environment);
  const { numPassedTests, numFailedTests, numPendingTests } = readReport(report);
  return count(code, numPassedTests, numFailedTests, numPendingTests);
}

async function runPlaywright(filters: string[], report: string, say?: Say): Promise<Count> {
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
  const code = await runChild(process.execPath, args, env, say);
  const { expected, unexpected, flaky, skipped } = readReport(report).stats ?? {};
  return count(code, (expected ?? 0) + (flaky ?? 0), unexpected, skipped);
}

type Report = Record<string, number | undefined> & { stats?: Record<string, number | undefined> };

function readReport(file: string): Report {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch {
    return {} as Report;
  }
}

/** A runner that failed outside any test counts as one failure. */
function count(code: number, passed = 0, failed = 0, skipped = 0): Count {
  return { passed, failed: failed || (code === 0 ? 0 : 1), skipped };
}

function summarise(counts: Count[]): number {
  const total = (key: keyof Count) => counts.reduce((sum, count) => sum + count[key], 0);
  const skipped = total('skipped') > 0 ? `, ${total('skipped')} skipped` : '';
  console.log(`\n${total('passed')} passed, ${total('failed')} failed${skipped}`);
  return total('failed') > 0 || total('passed') === 0 ? 1 : 0;
}
