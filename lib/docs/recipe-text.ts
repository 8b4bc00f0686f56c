import { recipeDocsWords as words } from '../messages/docs.ts';
import { defaultLocale } from '../messages/locales.ts';
import { textIn } from '../messages/text.ts';
import { judgeAnswers } from '../recipes/answers.ts';
import { howKnown } from '../recipes/checked.ts';
import { clientOf, fillRecipe, freshGap } from '../recipes/fill.ts';
import { allRecipes } from '../recipes/list.ts';
import type { Answers, FilledBlock, Recipe } from '../recipes/recipe.ts';
import { exampleIssuer } from './escape.ts';
import { sampleClientId } from './fill.ts';
import type { Source } from './source.ts';

const text = textIn(defaultLocale);

/** The values to fill into a recipe. */
export type RecipeValues = { answers: Answers; issuer: string; clientId: string };

/** Every recipe as a page, with example values. */
export function recipeSources(): Source[] {
  return allRecipes().map((recipe) => ({
    file: `docs/recipes/${recipe.id}.md`,
    path: `recipes/${recipe.id}`,
    text: recipeText(recipe, exampleValues(recipe, exampleIssuer)),
  }));
}

/** The values shown in a recipe until the reader chooses one of their own apps. */
export function exampleValues(recipe: Recipe, issuer: string): RecipeValues {
  const typed = Object.entries(recipe.questions).map(([name, { placeholder }]) => [
    name,
    placeholder,
  ]);
  const { answers, faults } = judgeAnswers(recipe, Object.fromEntries(typed));
  if (!answers) throw new Error(`${recipe.id}: ${Object.values(faults).join(' ')}`);
  return { answers, issuer, clientId: sampleClientId };
}

/**
 * A recipe in Markdown: what to register, what to paste, what goes wrong, and how well it was
 * checked.
 */
export function recipeText(recipe: Recipe, { answers, issuer, clientId }: RecipeValues): string {
  const gaps = { clientSecret: null, freshSecret: freshGap };
  const blocks = fillRecipe(recipe, answers, { issuer, clientId, ...gaps });
  const { name, summary, source, steps, trap } = recipe;
  return [
    `# ${plain(name)}`,
    `<!-- search: ${searchNames(recipe)} -->`,
    `${plain(summary)}. ${howKnown(text, recipe)}`,
    `## ${words.register}`,
    table(registered(recipe, answers)),
    `## ${text('connect.steps')}`,
    steps.map((step, index) => `${index + 1}. ${plain(step)}`).join('\n'),
    `## ${text('connect.blocks')}`,
    ...blocks.flatMap(blockText),
    `## ${text('connect.trap')}`,
    plain(trap),
    `## ${text('connect.sourcePages')}`,
    [`- ${source.version}`, ...source.pages.map((page) => `- ${plain(page)}`)].join('\n'),
    ...notCheckedIn(recipe),
    words.next,
    '',
  ].join('\n\n');
}

/**
 * `Next.js with Auth.js` is found as `next.js`, `next`, `nextjs` and the full name. A one-word
 * summary is another search term.
 */
function searchNames({ name, id, summary, names = '' }: Recipe): string {
  const whole = name.toLowerCase();
  const parts = whole.split(/ with | and |, /);
  const short = parts.map((part) => part.replace(/\.js$/, ''));
  const kind = /^\w+$/.test(summary) ? [summary.toLowerCase()] : [];
  const others = names.split(', ').filter(Boolean);
  const all = [whole, id, id.replaceAll('-', ' '), ...parts, ...short, ...kind, ...others];
  return [...new Set(all)].join(', ');
}

type Row = readonly [label: string, value: string];

function registered(recipe: Recipe, answers: Answers): Row[] {
  const client = clientOf(recipe, answers);
  const rows: Row[] = [
    ...questionsOf(recipe, answers),
    [words.type, words.types[client.type]],
    [words.redirectUris, client.redirectUris.map(code).join(' ')],
    [words.postLogoutRedirectUris, client.postLogoutRedirectUris.map(code).join(' ')],
    [words.backchannelLogoutUri, [client.backchannelLogoutUri ?? []].flat().map(code).join(' ')],
    [words.scopes, client.scopes.map(code).join(' ')],
    [words.grants, client.grants.map(code).join(' ')],
  ];
  return rows.filter(([, value]) => value !== '');
}

const questionsOf = ({ questions }: Recipe, answers: Answers): Row[] =>
  Object.entries(questions).map(([name, { label }]) => [label, code(answers[name] ?? '')]);

const table = (rows: readonly Row[]): string =>
  [
    `| ${text('connect.field')} | ${text('connect.value')} |`,
    '|---|---|',
    ...rows.map(([label, value]) => `| ${plain(label)} | ${value} |`),
  ].join('\n');

/** Escapes characters that Markdown would read as markup. */
const plain = (text: string) => text.replace(/[\\`*_<[\]|]|:(?=\/\/)/g, '\\$&');

const code = (text: string) => `\`${text.replaceAll('|', '\\|')}\``;

function blockText({ title, language, text, fields }: FilledBlock): string[] {
  if (fields)
    return [`### ${title}`, table(fields.map(([label, value]) => [label, value && code(value)]))];
  return [`### ${title}`, `\`\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\``];
}

function notCheckedIn({ source }: Recipe): string[] {
  if (source.notChecked.length === 0) return [];
  const gaps = source.notChecked.map((gap) => `- ${plain(gap)}`).join('\n');
  return [`## ${text('connect.notChecked')}`, gaps];
}
