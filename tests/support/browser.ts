import type { LaunchOptions } from '@playwright/test';

/**
 * How every test starts Chromium. `npm test` names the program; without it Playwright uses its own.
 */
export const browserOptions: LaunchOptions = {
  executablePath: process.env.TEST_BROWSER,
  args: ['--disable-background-networking', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
};
