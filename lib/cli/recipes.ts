import type { Command } from 'commander';
import { defaultLocale } from '../messages/locales.ts';
import { textIn } from '../messages/text.ts';
import { howKnown } from '../recipes/checked.ts';
import { clientOf, fillRecipe, suggestedName } from '../recipes/fill.ts';
import type { Answers, FilledBlock, Recipe } from '../recipes/recipe.ts';
import { type Answer, printing } from './answer.ts';
import { collect } from './options.ts';
import {
  answersFor,
  namedRecipe,
  readAnswers,
  readRecipeOption,
  readRecipes,
} from './recipe-answers.ts';
import { facts, table } from './text.ts';
import { askLine } from './typed.ts';

const say = textIn(defaultLocale);

const configOf = () => import('../config.ts');

/** The option for answers to a recipe's questions. */
export const answerOption = [
  '--answer <question=answer>',
  'an answer to what the recipe asks; can be repeated',
  collect,
] as const;

/** Commands about recipes. They need no database. */
export function addRecipeCommands(program: Command): void {
  const recipe = program.command('recipe').description('how known software is connected');
  recipe
    .command('list')
    .description('list what there is a recipe for')
    .option('--search <text>', 'part of its id, name or summary')
    .action(printing(async ({ search = '' }: { search?: string }) => listed(search)));
  recipe
    .command('show')
    .description('what a recipe asks, the client it needs and the text to paste')
    .argument('<id>', 'its id')
    .option(...answerOption)
    .action(
      printing(async (id: string, { answer }: { answer?: string[] }) =>
        shown(await namedRecipe(id), answer),
      ),
    );
}

async function listed(search: string): Promise<Answer> {
  const wanted = search.toLowerCase();
  const found = (await readRecipes()).filter(({ id, name, summary }) =>
    `${id} ${name} ${summary}`.toLowerCase().includes(wanted),
  );
  const rows = found.map(({ id, name, kind, summary }) => ({ id, name, kind, summary }));
  return {
    json: { recipes: rows },
    text: table(
      ['id', 'name', 'kind', 'what it is'],
      rows.map((row) => Object.values(row)),
      'No recipe.',
    ),
  };
}

/**
 * Shows a recipe filled in with the examples of its questions, except where an answer was given.
 */
async function shown(recipe: Recipe, given: string[] | undefined): Promise<Answer> {
  const questions = Object.entries(recipe.questions);
  const examples = questions.map(([name, { placeholder }]) => [name, placeholder]);
  const typed = { ...Object.fromEntries(examples), ...readAnswers(recipe, given) };
  const answers = await answersFor(recipe, typed);
  const { name: title, id, kind, summary } = recipe;
  const { type, grants, scopes, redirectUris, requirePkce, sendIss } = clientOf(recipe, answers);
  const guide = await guideOf(recipe, answers, { id: 'YOUR-CLIENT-ID', secret: null });
  const asked = questions.map(([name, { label, hint }]) => ({ name, label, hint }));
  const client = { type, grants, scopes, redirectUris, requirePkce: requirePkce ?? false, sendIss };
  const about: [string, string][] = [
    ...asked.map((one): [string, string] => [`asks ${one.name}`, `${one.label} ${one.hint}`]),
    ['type', type],
    ['grants', grants.join(' ')],
    ['scope', scopes.join(' ')],
    ['redirect_uris', redirectUris.join(' ')],
  ];
  return {
    json: { id, name: title, kind, summary, questions: asked, client, ...guide.json },
    text: `${title}: ${summary}\n\n${facts(about)}\n\n${guide.text}`,
  };
}

/** The settings of a new client that follows a recipe, and the guide to print once it is made. */
type Followed = {
  client: ReturnType<typeof clientOf> & { name: string; recipe: string };
  guide: (made: { id: string; secret: string | null }) => Promise<Answer>;
};

/**
 * Follows the recipe named in `client create`; at a terminal, asks for missing answers.
 * @throws CommandRefused
 */
export async function followRecipe(
  given: string,
  answered: string[] | undefined,
  name: string | undefined,
): Promise<Followed> {
  const { recipe, typed } = await readRecipeOption(given);
  const answers = await answersFor(recipe, { ...typed, ...readAnswers(recipe, answered) });
  const { originOfRecipe } = await import('../recipes/origin.ts');
  return {
    client: {
      ...clientOf(recipe, answers),
      name: name ?? (await nameFor(recipe)),
      recipe: originOfRecipe(recipe, answers),
    },
    guide: (made) => guideOf(recipe, answers, made),
  };
}

async function nameFor(recipe: Recipe): Promise<string> {
  const suggested = suggestedName(recipe);
  return suggested || !process.stdin.isTTY ? suggested : askLine('What is the app called? ');
}

async function guideOf(
  recipe: Recipe,
  answers: Answers,
  { id, secret }: { id: string; secret: string | null },
): Promise<Answer> {
  const { steps, trap, source, checked } = recipe;
  const { issuer } = (await configOf()).config();
  const blocks = fillRecipe(recipe, answers, { issuer, clientId: id, clientSecret: secret });
  const json = {
    steps,
    blocks: blocks.map(({ title, language, text }) => ({ title, language, text })),
  };
  const text = [
    steps.map((step, index) => `${index + 1}. ${step}`).join('\n'),
    ...blocks.map(blockText),
    `${say('connect.trap')}: ${trap}\n${howKnown(say, recipe)}`,
  ];
  return { json: { ...json, trap, checked, version: source.version }, text: text.join('\n\n') };
}

const blockText = ({ title, text }: FilledBlock) => `--- ${title} ---\n${text.trimEnd()}`;
