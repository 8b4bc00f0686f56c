import { figureColours } from '../colours.ts';
import type { Client } from '../oauth/client.ts';
import { recipeMarks } from './recipe-marks.ts';

/** The address of a recipe's mark; undefined if it has none. */
export function recipeMarkAt(recipe: string): string | undefined {
  return Object.hasOwn(recipeMarks, recipe) ? `/marks/${recipe}` : undefined;
}

/**
 * The address of the mark of the program that an app is. The mark says “this is Grafana”, so only what an
 * admin made has one; and what somebody builds with Flask is not Flask.
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

/** The picture of a mark on a ground of its colour, for light and dark pages; null if there is none. */
export function markPicture(recipe: string): string | null {
  const mark = Object.hasOwn(recipeMarks, recipe) && recipeMarks[recipe];
  if (!mark) return null;
  const [light, dark] = [figureColours('light', mark.colour), figureColours('dark', mark.colour)];
  const styles = ({ ground, figure }: typeof light) => `rect{fill:${ground}}path{fill:${figure}}`;
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">',
    `<style>${styles(light)}@media (prefers-color-scheme:dark){${styles(dark)}}</style>`,
    `<rect width="40" height="40"/><path transform="translate(8 8)" d="${mark.path}"/></svg>`,
  ].join('');
}
