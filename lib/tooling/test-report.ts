import { existsSync, readFileSync } from 'node:fs';

export type Report = {
  passed: number;
  failed: number;
  skipped: number;
  /**
   * Tests that passed only at their second try, each with the first line of the first try's error.
   */
  secondTries: string[];
};

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: {
    name: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
};

/** A runner that ended with `code` outside any test counts as one failure. */
export function readVitestReport(file: string, code: number): Report {
  const report = readJson<VitestReport>(file);
  if (!report) return nothingRead(code);
  const secondTries = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
      .map(({ fullName, failureMessages }) => secondTry(name, fullName, failureMessages[0])),
  );
  const { numPassedTests: passed, numFailedTests, numPendingTests: skipped } = report;
  return { passed, failed: failures(numFailedTests, code), skipped, secondTries };
}

type Suite = { specs: Spec[]; suites?: Suite[] };
type Spec = { title: string; file: string; tests: { status: string; results: Try[] }[] };
type Try = { error?: { message?: string } };
type PlaywrightReport = {
  stats: { expected: number; flaky: number; unexpected: number; skipped: number };
  suites: Suite[];
};

/** Reads the output of Playwright's JSON reporter; `code` as for vitest. */
export function readPlaywrightReport(file: string, code: number): Report {
  const report = readJson<PlaywrightReport>(file);
  if (!report) return nothingRead(code);
  const secondTries = report.suites
    .flatMap(specsOf)
    .flatMap(({ title, file: spec, tests }) =>
      tests
        .filter(({ status }) => status === 'flaky')
        .map(({ results }) => secondTry(spec, title, results[0]?.error?.message)),
    );
  const { expected, flaky, unexpected, skipped } = report.stats;
  return { passed: expected + flaky, failed: failures(unexpected, code), skipped, secondTries };
}

const specsOf = ({ specs, suites = [] }: Suite): Spec[] => [...specs, ...suites.flatMap(specsOf)];

const secondTry = (file: string, title: string, message = 'no reason kept') =>
  `${file.replace(/^.*\btests\//, '')} › ${title}: ${message.split('\n')[0]}`;

const failures = (counted: number, code: number) => counted || (code === 0 ? 0 : 1);

const nothingRead = (code: number): Report => ({
  passed: 0,
  skipped: 0,
  secondTries: [],
  failed: failures(0, code),
});

/** A killed runner leaves no report, or half of one. */
function readJson<Value>(file: string): Value | null {
  try {
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Value) : null;
  } catch {
    return null;
  }
}

/**
 * The last lines of a run of all tests; the very last is `N passed, N failed`.
 * @param missing what tests were skipped for, one line each
 */
export function closingLines(reports: readonly Report[], missing: readonly string[] = []): string {
  const total = (key: 'passed' | 'failed' | 'skipped') =>
    reports.reduce((sum, report) => sum + report[key], 0);
  const again = reports.flatMap(({ secondTries }) => secondTries);
  const title = 'Passed at the second try only (each has a cause: find it):';
  const listed = (heading: string, rows: readonly string[]) =>
    rows.length > 0 ? [heading, ...rows.map((row) => `  ${row}`), ''] : [];
  const lines = [
    ...listed('Skipped for want of a program, and the command that brings it:', missing),
    ...listed(title, again),
  ];
  const skipped = total('skipped') > 0 ? `, ${total('skipped')} skipped` : '';
  return [...lines, `${total('passed')} passed, ${total('failed')} failed${skipped}`].join('\n');
}
