import { expect, type Locator, type Page } from '@playwright/test';

/** How somebody works with a page; it counts what is pressed. */
export type Hand = {
  press: (target: Locator) => Promise<void>;
  /** Types into a field; sending it with Enter is no click. */
  type: (field: Locator, text: string, end?: 'Enter') => Promise<void>;
  pressed: () => number;
};

/** With a mouse or a finger. */
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

/** With Tab, Enter and Space alone. */
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
