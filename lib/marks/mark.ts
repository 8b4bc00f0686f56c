import { figureColours } from '../colours.ts';
import type { Client } from '../oauth/client.ts';
import { providerMarks, recipeMarks } from './recipe-marks.ts';

/** The address of a recipe's mark; undefined if it has none. */
export function recipeMarkAt(recipe: string): string | undefined {
  return Object.hasOwn(recipeMarks, recipe) ? `/marks/${recipe}` : undefined;
}

/**
 * The address of the mark of the program that an app is. A mark says “this is Grafana”, so only
 * apps made by an admin have one. An app that somebody builds with Flask is not Flask, and has
 * none.
 */
export function markOf({
  origin,
  recipe,
}: {
  origin: string;
  recipe: Client['recipe'];
}): string | undefined {
  const [id = ''] = (recipe ?? '').split('?');
  const isProgram = Object.hasOwn(recipeMarks, id) && recipeMarks[id]?.ofProgram;
  return origin === 'admin' && isProgram ? recipeMarkAt(id) : undefined;
}

/** The address of the mark of a provider that people sign in with; undefined if it has none. */
export const providerMarkAt = (mark: string): string | undefined =>
  Object.hasOwn(providerMarks, mark) ? `/marks/${ofProvider}${mark}` : recipeMarkAt(mark);

/**
 * Prefix for the marks of providers in addresses, because `google` might become a recipe one day.
 */
const ofProvider = 'with-';

/**
 * The address of a mark within the one picture that has all of them, for a page that shows most;
 * undefined if there is none.
 */
export const markInSheet = (recipe: string): string | undefined =>
  Object.hasOwn(recipeMarks, recipe) ? `/marks/${sheet}#${recipe}` : undefined;

const sheet = 'all';
type Marks = [id: string, mark: (typeof providerMarks)[string]][];

/**
 * The picture of one mark on a ground in its colour, for light and dark pages, or of all marks;
 * null if there is none.
 */
export function markPicture(recipe: string): string | null {
  if (recipe === sheet)
    return draw(Object.entries(recipeMarks), 'g{display:none}g:target{display:inline}');
  const mark = markWith(recipe);
  return mark ? draw([[recipe, mark]]) : null;
}

function markWith(id: string): (typeof providerMarks)[string] | undefined {
  if (Object.hasOwn(recipeMarks, id)) return recipeMarks[id];
  const mark = id.startsWith(ofProvider) ? id.slice(ofProvider.length) : '';
  return Object.hasOwn(providerMarks, mark) ? providerMarks[mark] : undefined;
}

const draw = (marks: Marks, style = '') =>
  [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><style>',
    style,
    fills('light', marks),
    `@media (prefers-color-scheme:dark){${fills('dark', marks)}}</style>`,
    ...marks.map(
      ([id, { path }]) =>
        `<g id="${id}"><rect width="40" height="40"/><path transform="translate(8 8)" d="${path}"/></g>`,
    ),
    '</svg>',
  ].join('');

const fills = (theme: 'light' | 'dark', marks: Marks) =>
  marks
    .map(([id, { colour }]) => {
      const { ground, figure } = figureColours(theme, colour);
      return `#${id} rect{fill:${ground}}#${id} path{fill:${figure}}`;
    })
    .join('');
