import type { Recipe } from '../recipes/recipe.ts';
import type { DocsPage } from './build.ts';
import { mainSections, renderPage } from './markdown.ts';
import { type RecipeValues, recipeText } from './recipe-text.ts';
import { readContents } from './shelf.ts';

/** Renders a recipe with these values. */
export async function recipePage(
  recipe: Recipe,
  values: RecipeValues,
): Promise<Pick<DocsPage, 'title' | 'html' | 'sections'>> {
  const { titles } = await readContents();
  const files = Object.keys(titles).map((path) => `docs/${path}.md`);
  const source = { file: `docs/recipes/${recipe.id}.md`, text: recipeText(recipe, values) };
  const { title, html, sections } = renderPage(source, new Set(files));
  return { title, html, sections: mainSections(sections) };
}
