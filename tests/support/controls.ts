import type { Page } from '@playwright/test';

/** The contrast that the edge of a control needs (WCAG 2.2, 1.4.11). */
const least = 3;

/**
 * The controls on the page that do not look like any: neither their border nor their background has
 * enough contrast with what surrounds them, which axe does not check. Those in folded parts and in
 * filter panels count, too; these are folded again.
 */
export const unseenControls = (page: Page): Promise<string[]> =>
  page.evaluate((leastContrast) => {
    const folded = [...document.querySelectorAll('details:not([open])')];
    for (const each of folded) each.setAttribute('open', '');
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    if (!canvas) throw new Error('There is no canvas.');

    /** Relative luminance (WCAG 2.2) of these colours, each painted over those before it. */
    const luminance = (colours: string[]): number => {
      for (const colour of colours) {
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
      }
      const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((one) =>
        one <= 10 ? one / 3294.6 : ((one / 255 + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const contrast = (ground: string[], colour: string): number => {
      const [one, other] = [luminance(ground) + 0.05, luminance([...ground, colour]) + 0.05];
      return Math.max(one, other) / Math.min(one, other);
    };
    const groundOf = (element: Element | null): string[] =>
      element
        ? [...groundOf(element.parentElement), getComputedStyle(element).backgroundColor]
        : [];
    const reached = (control: Element): number => {
      const ground = groundOf(control.parentElement);
      const style = getComputedStyle(control);
      const edges = ['top', 'right', 'bottom', 'left'].map((side) =>
        style.getPropertyValue(`border-${side}-width`) === '0px'
          ? 1
          : contrast(ground, style.getPropertyValue(`border-${side}-color`)),
      );
      return Math.max(Math.min(...edges), contrast(ground, style.backgroundColor));
    };
    // What a label draws in place of its control, and the palette, which is nothing but a field.
    const others = '[type=hidden], [type=range], .sr-only, .gh-palette *';
    const unseen = [...document.querySelectorAll(`:is(input, select, textarea):not(${others})`)]
      .filter((control) => control.checkVisibility({ visibilityProperty: true }))
      .filter((control) => reached(control) < leastContrast)
      .map((control) => `${control.outerHTML.slice(0, 120)}: ${reached(control).toFixed(2)}`);
    for (const each of folded) each.removeAttribute('open');
    return unseen;
  }, least);
