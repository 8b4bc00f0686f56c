import { defineConfig } from '@playwright/test';
import { everything, forChange } from './lanes.ts';
import { filesLeftOut } from './slow-suites.ts';
import { browserOptions } from './support/browser.ts';

const leftOut = filesLeftOut().filter((file) => file.endsWith('.spec.ts'));
const leftOutHere = leftOut.map((place) => place.replace(/^tests/, '**'));

/**
 * Journeys through pages with scripts of their own, and one through each kind of dashboard page: a
 * change runs these without scripts as well. The forms of the others are made of the same parts.
 */
const scriptsMatter =
  /\/(account|admin-people|confirm|connect|consent|device|docs|enter|factors|listening|mail|mail-code|pages|work|search|set-up|sign-in)\.spec\.ts$/;
const forOneChange = [
  { name: 'scripts matter', testMatch: scriptsMatter },
  { name: 'others', testIgnore: [scriptsMatter, ...leftOutHere], grepInvert: /without scripts/ },
];

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: '../test-results',
  globalSetup: './support/global-setup.ts',
  ...(forChange ? { projects: forOneChange } : {}),
  fullyParallel: false,
  workers: 2,
  // A browser on a busy machine may miss a moment; what passes the second time is told as flaky.
  retries: process.env.CI && !everything ? 1 : 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  // A colour on its way to another is neither, and axe would measure it.
  use: {
    launchOptions: browserOptions,
    contextOptions: { reducedMotion: 'reduce' },
    // Recording takes time: of a run that has a second try, that one is recorded.
    trace: process.env.CI
      ? 'on-first-retry'
      : forChange || everything
        ? 'off'
        : 'retain-on-failure',
  },
});
