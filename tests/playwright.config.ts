import { defineConfig } from '@playwright/test';
import { everything } from './lanes.ts';
import { browserOptions } from './support/browser.ts';

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: '../test-results',
  globalSetup: './support/global-setup.ts',
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
    trace: 'retain-on-failure',
  },
});
