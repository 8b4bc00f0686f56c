import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';
import { inTurn } from '../lanes.ts';

/** The rules to leave out, and the part of the page to leave out. */
type Rules = { without?: string[]; outside?: string };

/** The violations that axe finds on the page as it is, one line for each element. */
export async function axeFindings(
  page: Page,
  { without = [], outside }: Rules = {},
): Promise<string[]> {
  // A click waits only until the next page begins, not for its stylesheets.
  await page.waitForLoadState();
  // Half a megabyte, sent once for each page load. None of our pages has frames.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const context = outside ? { exclude: [outside] } : {};
  const options: axe.RunOptions = {
    resultTypes: ['violations'],
    rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
  };
  return page.evaluate(lookFor, { context, options });
}

/** Runs in the browser, so that only one line per element is sent back. */
async function lookFor({
  context,
  options,
}: {
  context: { exclude?: string[] };
  options: axe.RunOptions;
}): Promise<string[]> {
  const { violations } = await window.axe.run({ include: [document], ...context }, options);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${id} at ${html.slice(0, 200)}`),
  );
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}

const timesLooked = new WeakMap<Page, number>();

/**
 * Expects that axe finds nothing on the page as it is, in light and in dark.
 * @param turn for where one look is enough: even looks at the page in light, odd in dark
 */
export async function expectAccessible(page: Page, turn?: number): Promise<void> {
  const times = timesLooked.get(page) ?? 0;
  timesLooked.set(page, times + 1);
  for (const colorScheme of inTurn(turn ?? times, ['light', 'dark'] as const)) {
    await page.emulateMedia({ colorScheme });
    const found = await axeFindings(page);
    expect(found, `${page.url()} ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null });
}
