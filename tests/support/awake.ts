import { expect, type Page } from '@playwright/test';

/**
 * Waits until React hears what is typed on the page. The load of a page does not wait for that, and
 * what a test types before is heard by nobody, as with somebody who types very fast.
 */
export async function awake(page: Page): Promise<void> {
  const isListening = () => Object.keys(document).some((key) => key.startsWith('__reactContainer'));
  await expect.poll(() => page.evaluate(isListening)).toBe(true);
}
