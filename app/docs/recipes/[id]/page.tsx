import { notFound } from 'next/navigation';
import { config } from '#lib/config.ts';
import { canFill } from '#lib/docs/fill.ts';
import { recipePage } from '#lib/docs/recipe-page.ts';
import { exampleValues, type RecipeValues } from '#lib/docs/recipe-text.ts';
import { judgeAnswers } from '#lib/recipes/answers.ts';
import { findRecipe } from '#lib/recipes/list.ts';
import { recipeOf } from '#lib/recipes/origin.ts';
import type { Recipe } from '#lib/recipes/recipe.ts';
import type { ClientRecord } from '#lib/store/client-list.ts';
import { queryValue, type SearchParams } from '../../../params.ts';
import { DocsFrame } from '../../frame.tsx';
import { PageText } from '../../page-text.tsx';
import { chosenApp, YourApp } from '../../your-app.tsx';

type Props = {
  params: Promise<{ id: string }>;
  searchParams: SearchParams;
};

/** How to connect one program or framework to this server. */
export default async function RecipePage({ params, searchParams }: Props) {
  const recipe = findRecipe((await params).id) ?? notFound();
  const app = await chosenApp(queryValue((await searchParams).app));
  const { title, html, sections } = await recipePage(recipe, valuesFor(recipe, app));
  return (
    <DocsFrame title={title} current="/docs/recipes">
      <YourApp page={`/docs/recipes/${recipe.id}`} app={app} />
      <PageText html={html} sections={sections} />
    </DocsFrame>
  );
}

/** The app's client ID and, if it was made from this recipe, the answers it was made with. */
function valuesFor(recipe: Recipe, app: ClientRecord | null): RecipeValues {
  const examples = exampleValues(recipe, config().issuer);
  if (!app || !canFill(app)) return examples;
  const made = recipeOf(app.recipe);
  const judged = made?.recipe.id === recipe.id ? judgeAnswers(recipe, made.typed) : null;
  return { ...examples, clientId: app.id, answers: judged?.answers ?? examples.answers };
}
