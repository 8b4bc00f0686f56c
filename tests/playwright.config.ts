import { defineConfig } from '@playwright/test';
import { everything, forChange } from './lanes.ts';
import { filesLeftOut } from './slow-suites.ts';
import { browserOptions } from './support/browser.ts';

const leftOut = filesLeftOut().filter((file) => file.endsWith('.spec.ts'));

/**
 * A change runs journeys without scripts where pages have scripts of their own, and one through each kind of dashboard
 * page. The forms of the others are made of the same parts. What is left out is found by the path before its title.
 */
const alikeWithoutScripts =
  /^(?!.*\/(admin-people|confirm|connect|consent|device|docs|enter|factors|listening|mail|mail-code|pages|picture|work|search|set-up|sign-in)\.spec\.ts ).*without scripts/;

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: '../test-results',
  globalSetup: './support/global-setup.ts',
  testIgnore: leftOut.map((place) => place.replace(/^tests/, '**')),
  ...(forChange ? { grepInvert: alikeWithoutScripts } : {}),
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
