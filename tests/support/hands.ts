import { expect, type Locator, type Page } from '@playwright/test';

/** How a person operates a page; it counts the presses. */
export type Hand = {
  press: (target: Locator) => Promise<void>;
  /** Types into a field. Sending it with Enter does not count as a press. */
  type: (field: Locator, text: string, end?: 'Enter') => Promise<void>;
  pressed: () => number;
};

/** Operates the page with a mouse or a finger. */
export function byMouse(page: Page): Hand {
  let pressed = 0;
  return {
    press: async (target) => {
      pressed += 1;
      await target.click();
    },
    type: async (field, text, end) => {
      await field.fill(text);
      if (end) await page.keyboard.press(end);
    },
    pressed: () => pressed,
  };
}

/** Operates the page with only Tab, Enter and Space. */
export function byKeyboard(page: Page): Hand {
  let pressed = 0;
  return {
    press: async (target) => {
      pressed += 1;
      await tabTo(page, target);
      const isBox = (await target.getAttribute('type')) === 'checkbox';
      await page.keyboard.press(isBox ? 'Space' : 'Enter');
    },
    type: async (field, text, end) => {
      await tabTo(page, field);
      await page.keyboard.insertText(text);
      if (end) await page.keyboard.press(end);
    },
    pressed: () => pressed,
  };
}

async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  const isThere = () => target.evaluate((element) => element === document.activeElement);
  for (let left = 200; !(await isThere()); left -= 1) {
    if (left === 0) throw new Error(`No key leads to ${target}.`);
    await page.keyboard.press('Tab');
  }
}
