import { defineConfig } from '@playwright/test';
import { everything, forChange } from './lanes.ts';
import { filesLeftOut } from './slow-suites.ts';
import { browserOptions } from './support/browser.ts';

const leftOut = filesLeftOut().filter((file) => file.endsWith('.spec.ts'));

/**
 * For a change, journeys without scripts run only where pages have their own scripts, and for one
 * dashboard page of each kind. The forms on other pages are made of the same parts. A journey is
 * left out by the path before its title.
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
  // A browser on a busy machine can miss a moment. A test that passes the second time is reported
  // as flaky.
  retries: process.env.CI && !everything ? 1 : 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  // While a colour is in transition it is neither the old nor the new one, and axe would measure
  // it.
  use: {
    launchOptions: browserOptions,
    contextOptions: { reducedMotion: 'reduce' },
    // Recording takes time. In runs with a second try, only that one is recorded.
    trace: process.env.CI
      ? 'on-first-retry'
      : forChange || everything
        ? 'off'
        : 'retain-on-failure',
  },
});
