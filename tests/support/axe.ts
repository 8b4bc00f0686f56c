import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { looksOf } from '../lanes.ts';

/** Rules by their tags, or all but some; and what of the page is left out. */
type Rules = { tags?: string[]; without?: string[]; outside?: string };

/**
 * What axe has against the page as it is, one line for each element. The default way of axe opens a
 * second page each time, for frames of other origins: no page of ours has a frame.
 */
export async function axeFindings(
  page: Page,
  { tags, without = [], outside }: Rules = {},
): Promise<string[]> {
  // A click waits for the next page to begin, not for its styles.
  await page.waitForLoadState();
  const rules = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]));
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'], rules });
  if (outside) axe.exclude(outside);
  const { violations } = await (tags ? axe.withTags(tags) : axe).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${id} at ${html.slice(0, 200)}`),
  );
}

const timesLooked = new WeakMap<Page, number>();

/**
 * Axe finds nothing on the page as it is, in light and in dark.
 * @param turn where one look is enough: an even one is light
 */
export async function expectAccessible(page: Page, turn?: number): Promise<void> {
  const times = timesLooked.get(page) ?? 0;
  timesLooked.set(page, times + 1);
  for (const colorScheme of looksOf(turn ?? times, ['light', 'dark'] as const)) {
    await page.emulateMedia({ colorScheme });
    const found = await axeFindings(page);
    expect(found, `${page.url()} ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null });
}
