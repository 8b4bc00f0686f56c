import { nearest } from '../management/nearest.ts';
import { judgeAnswers } from '../recipes/answers.ts';
import type { Answers, Recipe } from '../recipes/recipe.ts';
import type { Question } from '../recipes/shape.ts';
import { refuseCommand } from './refuse.ts';
import { cellText } from './text.ts';
import { askLine } from './typed.ts';

/** Reading recipes takes a while, which other commands do without. */
export const readRecipes = async () => (await import('../recipes/list.ts')).allRecipes();

/** Finds a recipe by its id. @throws CommandRefused that suggests the one probably meant */
export async function namedRecipe(id: string): Promise<Recipe> {
  const recipes = await readRecipes();
  return (
    recipes.find((recipe) => recipe.id === id) ??
    refuseCommand(`There is no recipe ${cellText(id)}. ${meant(id, recipes)}`)
  );
}

function meant(id: string, recipes: readonly Recipe[]): string {
  const wanted = id.toLowerCase();
  const known = recipes.map((recipe) => recipe.id);
  const close =
    nearest(id, known) ??
    recipes.find(({ id, name }) => name.toLowerCase().includes(wanted) || wanted.includes(id))?.id;
  return close ? `Did you mean ${close}?` : 'See `recipe list`.';
}

/**
 * Splits `gitea?address=https://git.example.org` into a recipe and its first answers.
 * @throws CommandRefused
 */
export async function readRecipeOption(
  given: string,
): Promise<{ recipe: Recipe; typed: Record<string, string> }> {
  const [id = '', ...query] = given.split('?');
  return {
    recipe: await namedRecipe(id),
    typed: Object.fromEntries(new URLSearchParams(query.join('?'))),
  };
}

/**
 * Reads `question=answer` of a repeated option, checked against the recipe's questions.
 * @throws CommandRefused
 */
export function readAnswers(
  { id, questions }: Recipe,
  given: readonly string[] = [],
): Record<string, string> {
  const asks = Object.keys(questions).join(', ') || 'nothing';
  const pairs = given.map((text): [string, string] => {
    const [, name = '', answer = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
    if (Object.hasOwn(questions, name)) return [name, answer];
    return refuseCommand(
      `--answer takes question=answer, not "${cellText(text.slice(0, 80))}": ${id} asks ${asks}.`,
    );
  });
  return Object.fromEntries(pairs);
}

/**
 * The checked answers: those given, else the recipe's suggestions. At a terminal, the user is asked
 * for missing or wrong ones.
 * @throws CommandRefused that names what is missing
 */
export async function answersFor(recipe: Recipe, given: Record<string, string>): Promise<Answers> {
  const atTerminal = process.stdin.isTTY && process.stderr.isTTY;
  const typed = { ...given };
  for (const [name, { suggestion }] of Object.entries(recipe.questions))
    if (typed[name] === undefined && suggestion && !atTerminal) typed[name] = suggestion;
  for (;;) {
    const { answers, faults } = await judged(recipe, typed);
    if (answers) return answers;
    if (!atTerminal) return refuseCommand(missing(recipe, faults));
    for (const [name, fault] of Object.entries(faults)) {
      const question = recipe.questions[name];
      if (typed[name] !== undefined) process.stderr.write(`${fault}\n`);
      if (question) typed[name] = await ask(question);
    }
  }
}

/** Faults are sentences. Late imports: printing help does not load messages. */
async function judged(recipe: Recipe, typed: Record<string, string>) {
  const { answers, faults } = judgeAnswers(recipe, typed);
  if (answers) return { answers, faults: {} };
  const { sentencesIn } = await import('../messages/text.ts');
  return { answers, faults: sentencesIn('en', faults) };
}

function missing({ id, questions }: Recipe, faults: Readonly<Record<string, string>>): string {
  const said = Object.entries(faults).map(
    ([name, fault]) => `--answer ${name}=… (${questions[name]?.label} ${fault})`,
  );
  return `${id} needs ${said.join(' and ')}`;
}

async function ask({ label, suggestion, placeholder }: Question): Promise<string> {
  const hint = suggestion ? `[${suggestion}]` : `(such as ${placeholder})`;
  return (await askLine(`${label} ${hint} `)) || suggestion;
}
