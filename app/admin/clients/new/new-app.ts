import { type ClientKind, clientKinds, startOf } from '#lib/management/client/client-kinds.ts';
import type { ClientChange } from '#lib/management/client/clients.ts';
import { type Faults, refuseAdmin, refuseFaults } from '#lib/management/refusal.ts';
import { sentence } from '#lib/messages/sentence.ts';
import { judgeAnswers } from '#lib/recipes/answers.ts';
import { clientOf } from '#lib/recipes/fill.ts';
import { findRecipe } from '#lib/recipes/list.ts';
import { originOfKind, originOfRecipe } from '#lib/recipes/origin.ts';
import type { Answers, Recipe } from '#lib/recipes/recipe.ts';
import { knownOption } from '../../../params.ts';
import { answerField } from '../../../ui/connect/answer-field.ts';
import { type Credentials, type Guide, guideOf } from '../../../ui/connect/guide.ts';
import { textOf } from '../../act.ts';
import { isOn, readNew, readStrength, refuseNoRedirect } from '../client-input.ts';

/** The app that a form of this page asks for, and the guide to show once it is added. */
type AskedApp = {
  client: ClientChange;
  guide: ((given: Credentials) => Guide) | null;
};

/** @throws AdminRefusal for the fields that are wrong */
export function readNewApp(form: FormData): AskedApp {
  const id = textOf(form, 'recipe');
  if (id === '') return { client: readOfKind(form), guide: null };
  const recipe =
    findRecipe(id) ?? refuseAdmin('recipe', sentence('refused.recipe.missing'), 'missing');
  const answers = readAnswers(recipe, form);
  const client = {
    ...clientOf(recipe, answers),
    ...readStrength(form),
    name: textOf(form, 'name'),
    recipe: originOfRecipe(recipe, answers),
    allowInsecureRedirectUri: isOn(form, 'allowInsecureRedirectUri'),
  };
  return { client, guide: (given) => guideOf(recipe, answers, given) };
}

function readOfKind(form: FormData): ClientChange {
  const kind: ClientKind = knownOption(clientKinds, textOf(form, 'kind')) ?? 'web';
  const client = {
    ...startOf(kind),
    ...readNew(kind, form),
    ...readStrength(form),
    recipe: originOfKind(kind),
  };
  refuseNoRedirect(client, form);
  return client;
}

function readAnswers(recipe: Recipe, form: FormData): Answers {
  const typed = Object.keys(recipe.questions).map((name) => [
    name,
    textOf(form, answerField(name)),
  ]);
  const { answers, faults } = judgeAnswers(recipe, Object.fromEntries(typed));
  if (answers) return answers;
  const atFields: Faults = {};
  for (const [name, fault] of Object.entries(faults)) atFields[answerField(name)] = fault;
  refuseFaults(atFields);
  return {};
}
