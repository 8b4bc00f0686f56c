import type { Page } from '@playwright/test';
import { addressOf } from '#lib/docs/source.ts';
import { axeFindings } from './axe.ts';
import { expect } from './journey.ts';

/**
 * Colours, and how samples are marked up, are the same on all pages. Contrast, the dearest rule, and samples, which are
 * most of a page, are looked at where every kind of part is.
 */
export const everyPart = new Set(['', 'apis', 'guides/refresh', 'hardening', 'mcp', 'speed']);
/** Long, of the same parts as the pages about settings and errors: axe would take as long as for all others. */
const long = 'command-line';

/** Pages of the documentation, in light and wide and in dark and narrow by turns: axe finds nothing, and nothing scrolls sideways. */
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
