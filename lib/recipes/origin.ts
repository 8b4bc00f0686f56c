import { findRecipe } from './list.ts';
import type { Answers, Recipe } from './recipe.ts';

/**
 * The origin of a client, as its record stores it: a recipe's id and the answers to its questions
 * in form encoding (`gitea?address=https%3A%2F%2Fgit.example.org`), or `kind:` and the kind of app.
 */
export function originOfRecipe(recipe: Recipe, answers: Answers): string {
  const given = new URLSearchParams(answers).toString();
  return given ? `${recipe.id}?${given}` : recipe.id;
}

export function originOfKind(kind: string): string {
  return `kind:${kind}`;
}

/**
 * The recipe of a client and the stored answers; null if there is no such recipe, or no longer.
 * Answers may be missing or outdated, which `judgeAnswers` reports.
 */
export function recipeOf(
  origin: string | null,
): { recipe: Recipe; typed: Record<string, string> } | null {
  const [id = '', ...answers] = (origin ?? '').split('?');
  const recipe = findRecipe(id);
  return recipe
    ? { recipe, typed: Object.fromEntries(new URLSearchParams(answers.join('?'))) }
    : null;
}
