import type { Recipe } from './recipe.ts';

/**
 * Whether each typed word begins a word of the name or of the summary, or appears anywhere in the
 * name.
 */
export function isSought({ name, summary }: Pick<Recipe, 'name' | 'summary'>, typed: string) {
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const text = ` ${name} ${summary}`.toLowerCase();
  return wanted.every((word) => text.includes(` ${word}`) || name.toLowerCase().includes(word));
}
