import { globSync, readFileSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/** Single files that stand below all parts but the rules: what a process is told, and how it presents itself. */
const ground = [
  'lib/once.ts',
  'lib/config.ts',
  'lib/log.ts',
  'lib/brand.ts',
  'lib/colours.ts',
  'lib/settings',
];

/** What each part may import of the others. Arrows point one way, and no part may do without a row. */
const arrows: Record<string, readonly string[]> = {
  // The rules: value in, value out.
  'lib/oauth': [],
  'lib/once.ts': [],
  'lib/colours.ts': [],
  'lib/brand.ts': ['lib/once.ts'],
  // The one table of settings.
  'lib/settings': ['lib/oauth'],
  'lib/config.ts': ['lib/oauth', 'lib/once.ts', 'lib/settings'],
  'lib/log-output.ts': [],
  'lib/log.ts': ['lib/config.ts', 'lib/log-output.ts', 'lib/once.ts'],
  'lib/messages': ['lib/oauth', ...ground],
  // The sentences of the dashboard have one for each kind of event.
  'lib/messages/admin': ['lib/messages', 'lib/oauth', 'lib/store/audit.ts'],
  'lib/store': ['lib/oauth', 'prisma', ...ground],
  'lib/http': [
    'lib/oauth',
    'lib/messages',
    // A refusal is written down where it leaves.
    'lib/store/audit.ts',
    'lib/store/usage.ts',
    ...ground,
  ],
  'lib/identity': ['lib/store', 'lib/http', 'lib/oauth', 'lib/messages', ...ground],
  'lib/management': ['lib/identity', 'lib/store', 'lib/oauth', 'lib/messages', ...ground],
  'lib/endpoints': [
    'lib/management',
    'lib/identity',
    'lib/store',
    'lib/http',
    'lib/oauth',
    'lib/messages',
    ...ground,
  ],
  'lib/jobs.ts': ['lib/identity', 'lib/store', 'lib/http', ...ground],
  'lib/tooling': ['lib/config.ts', 'lib/oauth'],
  app: [
    'lib/endpoints',
    'lib/management',
    'lib/identity',
    'lib/store',
    'lib/http',
    'lib/oauth',
    'lib/messages',
    ...ground,
  ],
  'proxy.ts': ['lib/endpoints', 'lib/http', 'lib/identity', ...ground],
};
/** Where everything meets: these may use all of lib. */
const roots = ['lib/server.ts', 'lib/server', 'lib/cli.ts', 'lib/cli', 'lib/demo.ts', 'lib/demo'];

/** Packages that only some parts may import. */
const keepers: [packages: RegExp, parts: readonly string[]][] = [
  [/^(@prisma\/|better-sqlite3$|pg$)/, ['lib/store', 'lib/tooling']],
  [/^(next|react|react-dom)(\/|$)/, ['app', 'proxy.ts', 'lib/server.ts', 'lib/http/next.ts']],
  [/^(server-only|client-only)$/, []],
  [/^bcryptjs$/, ['lib/identity']],
  [/^nodemailer$/, ['lib/identity/mail']],
  [/^commander$/, ['lib/cli']],
  [/^sharp$/, ['lib/management/pictures.ts']],
];
/** What the rules may import beside themselves. */
const packagesOfRules = ['zod', 'jose', 'node:crypto'];

/** lib/setup runs before there is a configuration; the others are told in the environment how and from where they run. */
const readsEnvironment = [
  'lib/config.ts',
  'lib/tooling',
  'lib/server.ts',
  'lib/cli.ts',
  'lib/cli',
  'lib/demo',
  'proxy.ts',
];

type Source = { file: string; text: string };

/** Everything that is forbidden in a source file, in sentences. */
function faultsOf({ file, text }: Source): string[] {
  const part = partOf(file);
  const faults = importsOf(file, text).flatMap((target) => importFaults(file, part, target));
  if (/\bprocess\.env\b/.test(text) && !readsEnvironment.some((place) => isIn(file, place)))
    faults.push(`${file} reads process.env`);
  if (part === 'lib/oauth' && /\bnew Date\(\)|\bDate\.now\(\)/.test(text))
    faults.push(`${file} reads the clock; rules are given the time`);
  return faults;
}

function importFaults(file: string, part: string, target: string): string[] {
  if (/^(lib|app|prisma|proxy\.ts)\b/.test(target)) {
    const other = target.startsWith('prisma') ? 'prisma' : partOf(target);
    if (other === part || roots.includes(part) || isIn(other, part)) return [];
    const allowed = arrows[part];
    if (!allowed) return [`${part} has no row in the table of arrows`];
    return allowed.some((place) => place === other || isIn(target, place))
      ? []
      : [`${file} imports ${target}`];
  }
  const keeper = keepers.find(([packages]) => packages.test(target));
  if (keeper && !keeper[1].some((place) => isIn(file, place))) return [`${file} imports ${target}`];
  return part === 'lib/oauth' && !packagesOfRules.includes(target)
    ? [`${file} imports ${target}`]
    : [];
}

/** The part that a file belongs to: the most particular of the rows, else its folder. */
function partOf(file: string): string {
  const known = [...Object.keys(arrows), ...roots]
    .filter((place) => isIn(file, place))
    .sort((one, other) => other.length - one.length);
  return known[0] ?? file.split('/').slice(0, 2).join('/');
}

const isIn = (file: string, place: string) => file === place || file.startsWith(`${place}/`);

/** What a file imports, inside this repository as a path from its root. */
function importsOf(file: string, text: string): string[] {
  const statements = text.matchAll(
    /^\s*(?:import|export)\b[^;'"]*?\bfrom\s*'([^']+)'|^\s*import\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)|new URL\('(\.[^']+)'/gm,
  );
  return [...statements].map(([, from, bare, dynamic, url]) => {
    const target = from ?? bare ?? dynamic ?? url ?? '';
    if (target.startsWith('#')) return target.slice(1);
    return target.startsWith('.') ? posix.join(posix.dirname(file), target) : target;
  });
}

const sources = globSync(['lib/**/*.{ts,mjs}', 'app/**/*.{ts,tsx}', 'proxy.ts'], { cwd: root }).map(
  (file) => ({
    file,
    text: readFileSync(resolve(root, file), 'utf8'),
  }),
);

test('imports follow the arrows of the design', () => {
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.flatMap(faultsOf)).toEqual([]);
});

describe('a forbidden import is found', () => {
  test.each<[string, string]>([
    ['lib/oauth/scope.ts', "import { read } from '../store/database.ts';"],
    ['lib/oauth/scope.ts', "import type { Grant } from '../store/grants.ts';"],
    ['lib/oauth/scope.ts', "import { readFileSync } from 'node:fs';"],
    ['lib/oauth/scope.ts', "import { config } from '#lib/config.ts';"],
    ['lib/store/users.ts', "import { hashPassword } from '../identity/passwords.ts';"],
    ['lib/store/users.ts', "import { json } from '../http/answers.ts';"],
    ['lib/http/serve.ts', "import {\n  findUser,\n  storeUser,\n} from '../store/users.ts';"],
    ['lib/identity/sign-in.ts', "import { token } from '../endpoints/token.ts';"],
    ['lib/endpoints/token.ts', "import { cookies } from 'next/headers';"],
    [
      'lib/endpoints/token.ts',
      "import { PrismaClient } from '#prisma/generated/sqlite/client.ts';",
    ],
    ['lib/endpoints/token.ts', "import pg from 'pg';"],
    ['lib/endpoints/token.ts', "const late = await import('../../app/ui/card.tsx');"],
    ['lib/endpoints/token.ts', "export { start } from '../server.ts';"],
    ['lib/endpoints/token.ts', 'const url = process.env.ISSUER;'],
    ['lib/oauth/replay.ts', 'const late = new Date() > until;'],
    ['lib/identity/session.ts', "import 'server-only';"],
    ['app/page.tsx', "import Database from 'better-sqlite3';"],
    ['lib/drawer/things.ts', "import { once } from '../once.ts';"],
  ])('%s: %s', (file, text) => {
    expect(faultsOf({ file, text })).toHaveLength(1);
  });
});

test('the top level and lib have no drawers', () => {
  const folders = new Set(sources.flatMap(({ file }) => file.split('/').slice(0, -1)));
  for (const drawer of [
    'utils',
    'util',
    'helpers',
    'services',
    'types',
    'common',
    'shared',
    'misc',
  ])
    expect(folders).not.toContain(drawer);
});
