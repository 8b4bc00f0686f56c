import { judgeAnswers } from '#lib/recipes/answers.ts';
import type { Answers, Recipe } from '#lib/recipes/recipe.ts';

export const credentials = {
  issuer: 'https://id.example.org',
  clientId: 'the-client-id',
  clientSecret: 'gh_cs_the-client-secret',
};

/** The answers that a recipe shows as examples, checked as if they had been typed. */
export function sampleAnswers(recipe: Recipe): Answers {
  const typed = Object.entries(recipe.questions).map(([name, question]) => [
    name,
    question.placeholder,
  ]);
  const { answers, faults } = judgeAnswers(recipe, Object.fromEntries(typed));
  if (!answers) throw new Error(`${recipe.id}: ${JSON.stringify(faults)}`);
  return answers;
}
