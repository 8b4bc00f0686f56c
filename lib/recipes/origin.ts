import { findRecipe } from './list.ts';
import type { Answers, Recipe } from './recipe.ts';

/**
 * What a client was made from, as its record keeps it: a recipe's id and the answers to its questions
 * in form encoding (`gitea?address=https%3A%2F%2Fgit.example.org`), or `kind:` and what kind of app it is.
 */
export function originOfRecipe(recipe: Recipe, answers: Answers): string {
  const given = new URLSearchParams(answers).toString();
  return given ? `${recipe.id}?${given}` : recipe.id;
}

export function originOfKind(kind: string): string {
  return `kind:${kind}`;
}

/** The recipe of a client, with what was answered; null where there is none (any more). Answers may be missing or outdated: `judgeAnswers` says so. */
export function recipeOf(
  origin: string | null,
): { recipe: Recipe; typed: Record<string, string> } | null {
  const [id = '', ...answers] = (origin ?? '').split('?');
  const recipe = findRecipe(id);
  return recipe
    ? { recipe, typed: Object.fromEntries(new URLSearchParams(answers.join('?'))) }
    : null;
}
