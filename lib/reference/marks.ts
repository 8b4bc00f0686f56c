import * as icons from 'simple-icons';
import { allRecipes } from '../recipes/list.ts';

const bySlug = new Map(Object.values(icons).map((icon) => [icon.slug, icon]));

/**
 * Accepted licences of an icon, if it names one: they require nothing, or a notice that the package
 * includes.
 */
const usable: readonly string[] = ['CC0-1.0', 'MIT', 'Apache-2.0'];

/** Icons of identity providers that no recipe has. */
const providers = ['apple', 'auth0', 'authentik', 'discord', 'github', 'google', 'okta', 'openid'];

/** The module with the marks of the recipes, from the package `simple-icons`. */
export function marksModule(): string {
  const rows = allRecipes().flatMap(({ id, kind, mark }) => {
    if (mark === undefined) return [];
    const { path, hex } = iconOf(mark);
    return [
      `  ${/^\w+$/.test(id) ? id : `'${id}'`}: {`,
      `    ofProgram: ${kind === 'program'},`,
      `    colour: '#${hex.toLowerCase()}',`,
      `    path: '${path}',`,
      '  },',
    ];
  });
  const provided = providers.flatMap((mark) => {
    const { path, hex } = iconOf(mark);
    return [`  ${mark}: {`, `    colour: '#${hex.toLowerCase()}',`, `    path: '${path}',`, '  },'];
  });
  return [
    '// Written by `npm run docs` from the package simple-icons (CC0-1.0); see docs/decisions/0033-marks.md.',
    '',
    '/** The marks of recipes by their ids, each a path on a square of 24, and the colour of the brand. */',
    'export const recipeMarks: Readonly<',
    '  Record<string, { ofProgram: boolean; colour: string; path: string }>',
    '> = {',
    ...rows,
    '};',
    '',
    '/** The marks of those that people sign in with elsewhere, where no recipe has them. */',
    'export const providerMarks: Readonly<Record<string, { colour: string; path: string }>> = {',
    ...provided,
    '};',
    '',
  ].join('\n');
}

function iconOf(slug: string) {
  const icon = bySlug.get(slug);
  if (!icon) throw new Error(`simple-icons has no icon ${slug}`);
  if (icon.license && !usable.includes(icon.license.type))
    throw new Error(`The icon ${slug} is licensed as ${icon.license.type}`);
  return icon;
}
