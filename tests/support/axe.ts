import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/**
 * What axe has against the page as it is, one line for each element. The default way of axe opens a
 * second page each time, for frames of other origins: no page of ours has a frame.
 */
export async function axeFindings(page: Page, tags?: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await (tags ? axe.withTags(tags) : axe).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${id} at ${html.slice(0, 200)}`),
  );
}
