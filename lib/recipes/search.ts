import type { Recipe } from './recipe.ts';

/**
 * Whether each typed word begins a word of the name, the summary or the other names, or appears
 * anywhere in the name.
 */
export function isSought(
  { name, summary, names = '' }: Pick<Recipe, 'name' | 'summary' | 'names'>,
  typed: string,
): boolean {
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const text = ` ${name} ${summary} ${names}`.toLowerCase();
  return wanted.every((word) => text.includes(` ${word}`) || name.toLowerCase().includes(word));
}
