import { readFileSync } from 'node:fs';
import * as icons from 'simple-icons';
import { expect, test } from 'vitest';
import { monogramColours, monogramOf } from '#app/ui/monogram.ts';
import { contrast, figureColours } from '#lib/colours.ts';
import { markInSheet, markOf, markPicture, providerMarkAt, recipeMarkAt } from '#lib/marks/mark.ts';
import { providerMarks, recipeMarks } from '#lib/marks/recipe-marks.ts';
import { allRecipes } from '#lib/recipes/list.ts';

const recipes = allRecipes();

const marked = recipes.filter(({ mark }) => mark);

test('each recipe’s mark is the icon of the package, in its colour, under a licence that allows it', () => {
  expect(marked.length).toBeGreaterThan(40);
  expect(Object.keys(recipeMarks).sort()).toEqual(marked.map(({ id }) => id).sort());
  for (const { id, mark } of marked) {
    const icon = Object.values(icons).find(({ slug }) => slug === mark);
    expect(recipeMarks[id]).toMatchObject({
      path: icon?.path,
      colour: `#${icon?.hex.toLowerCase()}`,
    });
    expect([undefined, 'CC0-1.0', 'MIT', 'Apache-2.0']).toContain(icon?.license?.type);
  }
});

test.each(['light', 'dark'] as const)(
  'the marks of recipes and identity providers have enough contrast: %s',
  (theme) => {
    for (const { colour } of [...Object.values(recipeMarks), ...Object.values(providerMarks)]) {
      const { ground, figure } = figureColours(theme, colour);
      expect(contrast(ground, figure), colour).toBeGreaterThanOrEqual(4.5);
    }
  },
);

test('an app has its recipe’s mark only if an admin made it and the recipe is for a program', () => {
  expect(markOf({ origin: 'admin', recipe: 'grafana?address=x' })).toBe('/marks/grafana');
  expect(markOf({ origin: 'registration', recipe: 'grafana' })).toBeUndefined();
  expect(markOf({ origin: 'document', recipe: 'grafana' })).toBeUndefined();
  expect(markOf({ origin: 'admin', recipe: 'flask' })).toBeUndefined();
  expect(recipeMarkAt('flask')).toBe('/marks/flask');
  for (const none of ['kind:web', 'harbor', '__proto__', 'toString', ''])
    expect([markOf({ origin: 'admin', recipe: none }), markPicture(none)]).toEqual([
      undefined,
      null,
    ]);
});

test('identity providers have marks of their own, or that of a recipe', () => {
  for (const [mark, { path }] of Object.entries(providerMarks)) {
    const icon = Object.values(icons).find(({ slug }) => slug === mark);
    expect(path).toBe(icon?.path);
    expect([undefined, 'CC0-1.0', 'MIT', 'Apache-2.0']).toContain(icon?.license?.type);
    expect(providerMarkAt(mark)).toBe(`/marks/with-${mark}`);
    expect(markPicture(`with-${mark}`)).toContain(path);
    expect(markPicture('all')).not.toContain(`"with-${mark}"`);
  }
  expect(providerMarkAt('gitlab')).toBe('/marks/gitlab');
  for (const none of ['', 'microsoft', '__proto__', 'with-google'])
    expect([providerMarkAt(none), markPicture(`with-${none}`)]).toEqual([undefined, null]);
});

test('the sheet of all marks shows the one that the fragment names', () => {
  const sheet = markPicture('all') ?? '';
  expect(sheet).toContain('g{display:none}g:target{display:inline}');
  for (const [id, { path }] of Object.entries(recipeMarks)) {
    expect(markInSheet(id)).toBe(`/marks/all#${id}`);
    expect(sheet.match(new RegExp(`<g id="${id}">`, 'g'))).toHaveLength(1);
    expect(sheet).toContain(path);
    // The id is a CSS selector without escaping.
    expect(id).toMatch(/^[a-z][a-z0-9-]*$/);
  }
  expect(markInSheet('harbor')).toBeUndefined();
  expect(recipes.map(({ id }) => id)).not.toContain('all');
});

test('an app’s monogram keeps its colour when the app is renamed, and colours are evenly distributed', () => {
  expect(monogramOf('a', 'Notes').colour).toBe(monogramOf('a', 'Letters').colour);
  expect(monogramOf('a', '\u202e école').letter).toBe('É');
  const ids = Array.from({ length: 1200 }, (_, index) => `app-${index}`);
  const counts = Map.groupBy(ids, (id) => monogramOf(id, 'x').colour);
  expect(counts.size).toBe(monogramColours);
  for (const those of counts.values()) expect(those.length).toBeLessThan(200);
});

const css = readFileSync('public/gatehouse.css', 'utf8');
const block = /\.gh-monogram \{([^}]+)\}/.exec(css)?.[1] ?? '';
/** Lightness and chroma of the background and of the letter, in light and in dark. */
const parts = [...block.matchAll(/oklch\((\d+)% ([\d.]+) var\(--hue\)\)/g)].map(([, l, c]) => [
  Number(l) / 100,
  Number(c),
]);
const hues = [...css.matchAll(/\.gh-monogram-(\d+) \{\s*--hue: (\d+);/g)].map(([, , hue]) =>
  Number(hue),
);

test('the letter of each monogram has a contrast of 4.5 in light and dark (WCAG 2.2, 1.4.3)', () => {
  expect(hues).toHaveLength(monogramColours);
  expect(new Set(hues).size).toBe(monogramColours);
  expect(parts).toHaveLength(4);
  const [lightGround, darkGround, lightLetter, darkLetter] = parts as [number, number][];
  for (const hue of hues) {
    const shown = (of?: [number, number]) => hexOf(of ?? [0, 0], hue);
    expect(contrast(shown(lightGround), shown(lightLetter)), `${hue}`).toBeGreaterThanOrEqual(4.5);
    expect(contrast(shown(darkGround), shown(darkLetter)), `${hue}`).toBeGreaterThanOrEqual(4.5);
  }
});

/** OKLCH as sRGB (CSS Color 4, section 10), with values outside the gamut clipped. */
function hexOf([lightness, chroma]: [number, number], hue: number): string {
  const [a, b] = [
    Math.cos((hue * Math.PI) / 180) * chroma,
    Math.sin((hue * Math.PI) / 180) * chroma,
  ];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const part = (value: number) => {
    const cut = Math.min(1, Math.max(0, value));
    const coded = cut <= 0.0031308 ? 12.92 * cut : 1.055 * cut ** (1 / 2.4) - 0.055;
    return Math.round(coded * 255)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${linear.map(part).join('')}`;
}
