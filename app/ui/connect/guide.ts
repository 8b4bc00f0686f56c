import { fillRecipe } from '#lib/recipes/fill.ts';
import type { Answers, FilledBlock, Recipe } from '#lib/recipes/recipe.ts';

/** The credentials with which an app gets tokens. The secret is here and nowhere else. */
export type Credentials = { clientId: string; secret: string | null; issuer: string };

export type Guide = Pick<Recipe, 'name' | 'steps' | 'trap' | 'source' | 'checked'> & {
  blocks: readonly FilledBlock[];
};

export function guideOf(recipe: Recipe, answers: Answers, given: Credentials): Guide {
  const { name, steps, trap, source, checked } = recipe;
  const { clientId, secret: clientSecret, issuer } = given;
  const blocks = fillRecipe(recipe, answers, { issuer, clientId, clientSecret });
  return { name, steps, trap, source, checked, blocks };
}
