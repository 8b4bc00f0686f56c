import { globSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { projectRoot } from '../config.ts';
import { type Collection, readCollection } from './read.ts';
import type { Recipe } from './recipe.ts';

const root = () => resolve(/* turbopackIgnore: true */ projectRoot);

/** The file that the build makes of `docs/recipes`. */
export const builtCollection = (): string => resolve(root(), '.next/docs/recipes.json');

let kept: Collection | undefined;

/** Everything below `docs/recipes`. A change shows after a restart. */
export function collection(): Collection {
  kept ??= isFresh(builtCollection())
    ? (JSON.parse(readFileSync(builtCollection(), 'utf8')) as Collection)
    : readCollection();
  return kept;
}

/** Whether the file is there, and nothing that it is made of is newer. A package has it alone. */
function isFresh(file: string): boolean {
  const made = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const madeOf = globSync('{docs/{guard,recipes},lib/recipes}/**/*.{md,ts}', { cwd: root() });
  return madeOf.every((name) => statSync(resolve(root(), name)).mtimeMs <= made) && made > 0;
}

/** All recipes in the order in which people browse them. */
export const allRecipes = (): readonly Recipe[] => collection().recipes;

/** The recipe with this id, or undefined. */
export const findRecipe = (id: string): Recipe | undefined =>
  allRecipes().find((recipe) => recipe.id === id);
