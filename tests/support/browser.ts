import type { LaunchOptions } from '@playwright/test';

/** How Chromium is started wherever a test needs it. `npm test` names the program; without it Playwright looks for its own. */
export const browserOptions: LaunchOptions = {
  executablePath: process.env.TEST_BROWSER,
  args: ['--disable-background-networking', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
};
