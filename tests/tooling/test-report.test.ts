import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { closingLines, readPlaywrightReport, readVitestReport } from '#lib/tooling/test-report.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-report-'));
afterAll(() => rmSync(folder, { recursive: true }));

function written(report: unknown): string {
  const file = join(folder, 'report.json');
  writeFileSync(file, JSON.stringify(report));
  return file;
}

const vitest = {
  numPassedTests: 2,
  numFailedTests: 1,
  numPendingTests: 3,
  testResults: [
    {
      name: '/somewhere/tests/oauth/scope.test.ts',
      assertionResults: [
        { fullName: 'at once', status: 'passed', failureMessages: [] },
        { fullName: 'at last', status: 'passed', failureMessages: ['Error: 1 is not 2\n  at x'] },
        { fullName: 'never', status: 'failed', failureMessages: ['Error: no', 'Error: no'] },
      ],
    },
  ],
};
const playwright = {
  stats: { expected: 1, flaky: 1, unexpected: 0, skipped: 0 },
  suites: [
    {
      specs: [],
      suites: [
        {
          specs: [
            {
              title: 'opens',
              file: 'journeys/a.spec.ts',
              tests: [{ status: 'flaky', results: [{ error: { message: 'Error: shut\n' } }, {}] }],
            },
          ],
        },
      ],
    },
  ],
};

test('the test report lists tests that passed only at the second try with their cause, before the last line', () => {
  const units = readVitestReport(written(vitest), 1);
  const journeys = readPlaywrightReport(written(playwright), 0);
  expect(closingLines([units, journeys]).split('\n')).toEqual([
    'Passed at the second try only (each has a cause: find it):',
    '  oauth/scope.test.ts › at last: Error: 1 is not 2',
    '  journeys/a.spec.ts › opens: Error: shut',
    '',
    '4 passed, 1 failed, 3 skipped',
  ]);
});

test('the test report counts a runner that fails outside of tests, or leaves no report, as a failure', () => {
  const green = { ...vitest, numFailedTests: 0, testResults: [] };
  expect(readVitestReport(written(green), 1).failed).toBe(1);
  expect(closingLines([readVitestReport(written(green), 0)])).toBe('2 passed, 0 failed, 3 skipped');
  writeFileSync(join(folder, 'half.json'), '{"stats":');
  for (const file of ['none.json', 'half.json'])
    expect(readPlaywrightReport(join(folder, file), 137)).toMatchObject({ passed: 0, failed: 1 });
});
