import { type FilledBlock, fillRecipe } from '#lib/recipes/fill.ts';
import type { Answers, Recipe } from '#lib/recipes/recipe.ts';

/** What an app is told to get tokens with. The secret is here and nowhere else. */
export type Credentials = { clientId: string; secret: string | null; issuer: string };

/** What a recipe says once it is filled in. */
export type Guide = Pick<Recipe, 'name' | 'steps' | 'trap' | 'source' | 'checked'> & {
  blocks: readonly FilledBlock[];
};

/** What a recipe says to who has these credentials. */
export function guideOf(recipe: Recipe, answers: Answers, given: Credentials): Guide {
  const { name, steps, trap, source, checked } = recipe;
  const { clientId, secret: clientSecret, issuer } = given;
  const blocks = fillRecipe(recipe, answers, { issuer, clientId, clientSecret });
  return { name, steps, trap, source, checked, blocks };
}
