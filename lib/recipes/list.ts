import { gitea } from './programs/gitea.ts';
import { grafana } from './programs/grafana.ts';
import { nextcloud } from './programs/nextcloud.ts';
import type { Recipe } from './recipe.ts';

/** All recipes in the order a person looks through them: programs by name, then stacks, then plain kinds. */
export const recipes: readonly Recipe[] = [gitea, grafana, nextcloud];

const byId = new Map(recipes.map((recipe) => [recipe.id, recipe]));

/** The recipe with this id, or undefined. */
export function findRecipe(id: string): Recipe | undefined {
  return byId.get(id);
}
