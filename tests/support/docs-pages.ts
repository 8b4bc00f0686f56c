import type { Page } from '@playwright/test';
import { addressOf } from '#lib/docs/source.ts';
import { axeFindings } from './axe.ts';
import { expect } from './journey.ts';

/**
 * Colours and the markup of samples are the same on all pages. Contrast is the slowest rule, and
 * samples make up most of a page, so they are checked only on these pages, which together contain
 * every kind of part.
 */
export const everyPart = new Set(['', 'apis', 'guides/refresh', 'hardening', 'mcp', 'speed']);
/**
 * This page is long and made of the same parts as the pages about settings and errors. Axe would
 * need as long for it as for all the others together.
 */
const long = 'command-line';

/**
 * Expects that axe finds nothing on these pages of the documentation and that nothing scrolls
 * sideways. Pages are shown in turn light and wide, then dark and narrow.
 */
export async function expectReadable(page: Page, paths: readonly string[]): Promise<void> {
  for (const [index, path] of paths.entries()) {
    const isDark = index % 2 === 1;
    await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' });
    await page.setViewportSize({ width: isDark ? 360 : 1280, height: 800 });
    expect.soft((await page.goto(addressOf(path)))?.status(), path).toBe(200);
    const beyond = () => document.documentElement.scrollWidth - innerWidth;
    expect.soft(await page.evaluate(beyond), path).toBeLessThanOrEqual(0);
    if (path === long) continue;
    const rules = everyPart.has(path) ? {} : { without: ['color-contrast'], outside: 'pre' };
    expect.soft(await axeFindings(page, rules), path).toEqual([]);
  }
}
