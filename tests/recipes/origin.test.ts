import { expect, test } from 'vitest';
import { originFault } from '#lib/management/client/client-rules.ts';
import { sentence } from '#lib/messages/sentence.ts';
import { judgeAnswers } from '#lib/recipes/answers.ts';
import { allRecipes } from '#lib/recipes/list.ts';
import { originOfKind, originOfRecipe, recipeOf } from '#lib/recipes/origin.ts';
import { sampleAnswers } from './samples.ts';

test.each(allRecipes().map((recipe) => [recipe.id, recipe] as const))(
  'the recipe %s and its answers are read back from a client’s recipe field',
  (_, recipe) => {
    const answers = sampleAnswers(recipe);
    const origin = originOfRecipe(recipe, answers);
    expect(originFault(origin)).toBeNull();
    expect(recipeOf(origin)?.recipe).toBe(recipe);
    expect(judgeAnswers(recipe, recipeOf(origin)?.typed ?? {}).answers).toEqual(answers);
  },
);

test.each([null, '', 'nothing', 'kind:web', '?address=x'])(
  'the recipe field %s is not a recipe',
  (origin) => {
    expect(recipeOf(origin)).toBeNull();
  },
);

test.each(['gitea', 'gitea?', 'gone?address=x', originOfKind('web')])(
  'the recipe field %s may be stored',
  (origin) => {
    expect(originFault(origin)).toBeNull();
  },
);

test.each(['', 'Gitea', 'kind:', 'a b', 'gitea?a b', 'gitea?é', `gitea?${'x'.repeat(1000)}`])(
  'the recipe field "%s" may not be stored',
  (origin) => {
    expect(originFault(origin)).toEqual(sentence('refused.client.recipe'));
  },
);
