import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/** The rooms, in one strict order: each may import only rooms that come before it. */
const rooms = [
  'lib/once.ts',
  'lib/places.ts',
  'lib/colours.ts',
  'lib/brand.ts',
  'lib/own-words.ts',
  'lib/oauth',
  'lib/marks',
  'lib/people',
  'lib/settings',
  'lib/config.ts',
  'lib/telemetry',
  'lib/store',
  'lib/messages',
  'lib/http',
  'lib/sealed',
  'lib/backup',
  'lib/queue.ts',
  'lib/mail',
  'lib/identity',
  'lib/registration',
  'lib/access',
  'lib/ldap',
  'lib/interaction',
  'lib/management',
  'lib/import',
  'lib/config-file',
  'lib/endpoints',
  'lib/jobs.ts',
  'lib/doctor',
  'lib/recipes',
  'lib/docs',
  'app',
  'proxy.ts',
  'lib/tooling',
  'lib/server',
  'lib/server.ts',
  'lib/cli',
  'lib/cli.ts',
  'lib/reference',
];

/**
 * Rooms that follow what other programs and releases do, and the doors to them: no other file of the
 * order above imports them. Those that are not in it import what they like of it. `tests/` is beyond
 * all doors.
 */
const outer: Record<string, readonly string[]> = {
  'lib/import/formats': ['lib/import/table.ts'],
  'lib/recipes': ['lib/docs', 'lib/cli', 'lib/reference', 'app/admin', 'app/docs', 'app/ui'],
  'lib/package': ['lib/tooling/commands.ts'],
  'lib/demo': ['lib/demo.ts'],
  'lib/demo.ts': [],
};

/** Packages that only certain parts may import. */
const keepers: [packages: RegExp, parts: readonly string[]][] = [
  [
    /^(@prisma\/|better-sqlite3$|pg$|prisma\/)/,
    ['lib/store', 'lib/backup', 'lib/tooling', 'lib/package'],
  ],
  [/^(next|react|react-dom)(\/|$)/, ['app', 'proxy.ts', 'lib/server/pages.ts', 'lib/http/next.ts']],
  [/^(server-only|client-only)$/, []],
  [/^(bcryptjs$|@zxcvbn-ts\/)/, ['lib/identity']],
  [/^prom-client$/, ['lib/telemetry/metrics.ts']],
  [/^age-encryption$/, ['lib/backup']],
  [/^nodemailer$/, ['lib/mail']],
  [/^commander$/, ['lib/cli']],
  [/^marked$/, ['lib/docs', 'lib/recipes']],
  [/^simple-icons$/, ['lib/reference']],
  [
    /^yaml$/,
    [
      'lib/config-file',
      'lib/identity/directory/configured.ts',
      'lib/import/formats/authelia.ts',
      'lib/recipes/page.ts',
    ],
  ],
  [/^ldapts$/, ['lib/identity/directory']],
  [/^sharp$/, ['lib/management/pictures.ts']],
];
/** Pure functions: values in, values out. */
const rules = ['lib/oauth', 'lib/people'];
/** The packages that the rules may import. */
const packagesOfRules = ['zod', 'jose', 'node:crypto', 'node:url'];

/**
 * lib/tooling runs before there is a configuration. The others are started with environment
 * variables that say how and from where they run.
 */
const readsEnvironment = [
  'lib/config.ts',
  'lib/tooling',
  'lib/package',
  'lib/server.ts',
  'lib/server/serve.ts',
  'lib/server/primary.ts',
  'lib/server/environment.ts',
  'lib/server/dev.ts',
  'lib/cli.ts',
  'lib/cli',
  'lib/doctor',
  'lib/demo',
  'proxy.ts',
];

/**
 * What reads for a page and what answers a form is mounted by our server, which does not understand
 * JSX.
 */
const servedByNode = /^app\/(mounts|paths)\.ts$|^app\/.*\/(screen|submit)[\w-]*\.ts$/;

type Source = { file: string; text: string };

/** Everything forbidden in a source file, in sentences. */
function faultsOf({ file, text }: Source): string[] {
  const room = roomOf(file);
  const faults = importsOf(file, text).flatMap((target) => importFaults(file, room, target));
  faults.push(...habitsOf({ file, text }));
  if (/\bprocess\.env\b/.test(text) && !readsEnvironment.some((place) => isIn(file, place)))
    faults.push(`${file} reads process.env`);
  if (room !== 'lib/sealed' && /\bunseal\b[^;]*\/seal\.ts'/.test(text))
    faults.push(`${file} opens a sealed value by itself; \`sealed\` knows its shape and terms`);
  if (rules.includes(room) && /\bnew Date\(\)|\bDate\.now\(\)/.test(text))
    faults.push(`${file} reads the clock; rules are given the time`);
  return faults;
}

/** Ways of saving lines that make them harder to read; forbidden in tests, too. */
function habitsOf({ file, text }: Source): string[] {
  const faults: string[] = [];
  if (/\b(?:const|let) \[[^\]]*\] = \[[^;]*\bawait\b/.test(text))
    faults.push(`${file} awaits one after the other what looks as if it were at once`);
  if (/\.\.\.\{/.test(text)) faults.push(`${file} spreads an object that is written out there`);
  if (/\.\.\.\[(?:[^[\]]|\[[^[\]]*\])*\](?!\s*[.[:])/.test(text))
    faults.push(`${file} spreads a list that is written out there`);
  return faults;
}

function importFaults(file: string, room: string, target: string): string[] {
  if (/^tests\b/.test(target)) return [`${file} imports ${target}`];
  if (/^(lib|app|proxy\.ts)\b/.test(target)) {
    const [own, other] = [positionOf(file), positionOf(target)];
    if (own < 0) return [`${file} is in no room of the list`];
    const ring = outerOf(target);
    const isOpen = ring
      ? ring === outerOf(file) || outer[ring]?.some((door) => isIn(file, door))
      : other >= 0 && other <= own;
    const beyond = room === 'lib/oauth' && other !== own;
    const markup = servedByNode.test(file) && target.endsWith('.tsx');
    return !isOpen || beyond || markup ? [`${file} imports ${target}`] : [];
  }
  const keeper = keepers.find(([packages]) => packages.test(target));
  if (keeper && !keeper[1].some((place) => isIn(file, place))) return [`${file} imports ${target}`];
  if (servedByNode.test(file) && /^(next|react|react-dom)(\/|$)/.test(target))
    return [`${file} imports ${target}; the server mounts it without Next.js`];
  return rules.includes(room) && !packagesOfRules.includes(target)
    ? [`${file} imports ${target}`]
    : [];
}

/** The room that a file belongs to, or else its folder. */
function roomOf(file: string): string {
  return rooms.find((room) => isIn(file, room)) ?? file.split('/').slice(0, 2).join('/');
}

/** The place of a file's room in the order; after all of them outside of it, and -1 in no room. */
function positionOf(file: string): number {
  const at = rooms.indexOf(roomOf(file));
  return at < 0 && outerOf(file) ? rooms.length : at;
}

const outerOf = (file: string) => Object.keys(outer).find((place) => isIn(file, place));

const isIn = (file: string, place: string) => file === place || file.startsWith(`${place}/`);

/** The imports of a file. Those inside this repository are paths from its root. */
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

const readSource = (file: string) => ({
  file,
  text: ownCode(file, readFileSync(resolve(root, file), 'utf8')),
});
const sources = globSync(['lib/**/*.{ts,mjs}', 'app/**/*.{ts,tsx}', 'proxy.ts'], {
  cwd: root,
}).map(readSource);

/** The text without quoted code: `rows.ts` writes modules, and this file shows what is forbidden. */
function ownCode(file: string, text: string): string {
  if (file === 'lib/tooling/rows.ts') return text.replace(/`[^`]*`/g, '``');
  return file === 'tests/architecture.test.ts'
    ? text.replace(/'[^'\n]*;'|"[^"\n]*;"/g, "''")
    : text;
}

const tests = globSync(['tests/**/*.{ts,mjs}', 'next.config.js'], {
  cwd: root,
  exclude: ['**/node_modules'],
}).map(readSource);

test('imports follow the one order of folders', () => {
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.flatMap(faultsOf)).toEqual([]);
});

test('tests are written out like the code', () => {
  expect(tests.length).toBeGreaterThan(100);
  expect(tests.flatMap(habitsOf)).toEqual([]);
});

/** Acts, their fields, and what both are made of. */
const ofActs =
  /^lib\/management\/([\w-]+\/(acts|fields)|act|told|values|refusal|shape-faults)\.ts$/;

test('the configuration file performs acts, except for what none takes', () => {
  const imported = sources
    .filter(({ file }) => isIn(file, 'lib/config-file'))
    .flatMap(({ file, text }) => importsOf(file, text))
    .filter((target) => isIn(target, 'lib/management') && !ofActs.test(target));
  expect([...new Set(imported)].toSorted()).toEqual([
    // Pictures are drawn ahead of the transaction.
    'lib/management/client/logos.ts',
    // The file names groups by name or id.
    'lib/management/group/groups.ts',
    'lib/management/pictures.ts',
    // It knows secrets by their digests.
    'lib/management/secret/secrets.ts',
    // The word `default` resets a setting in an act. In the file, leaving it out does.
    'lib/management/setting/settings.ts',
  ]);
});

/** Names that Next.js reads from a page, a route or the proxy. */
const readByNext = new Set([
  'GET',
  'HEAD',
  'config',
  'dynamic',
  'generateMetadata',
  'metadata',
  'proxy',
  'runtime',
  'viewport',
]);
const exported =
  /^export (?:async )?(?:function\*?|const|let|class|type|interface) ([A-Za-z_$][\w$]*)/gm;

test('no files import each other in a circle, types among them', () => {
  const figures = execFileSync(process.execPath, ['tests/measure.ts'], { cwd: root }).toString();
  expect(figures).toMatch(/^ +0 {2}circles of imports, types among them$/m);
});

test('every export is used by a file that imports it', () => {
  const all = [...sources, ...tests];
  const importers = new Map<string, Set<string>[]>();
  for (const { file, text } of all) {
    const words = new Set(text.match(/[A-Za-z_$][\w$]*/g));
    for (const target of new Set(importsOf(file, text)))
      importers.set(target, [...(importers.get(target) ?? []), words]);
  }
  const isUsed = (name: string, file: string) =>
    readByNext.has(name) || importers.get(file)?.some((words) => words.has(name));
  const unused = all.flatMap(({ file, text }) =>
    [...text.matchAll(exported)].flatMap(([, name = '']) =>
      isUsed(name, file) ? [] : [`${name} of ${file}`],
    ),
  );
  expect(unused).toEqual([]);
});

test('every package that the server imports is a dependency, not a development dependency', () => {
  const { dependencies } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'));
  const packageOf = (target: string) => /^(@[^/]+\/)?[^/]+/.exec(target)?.[0] ?? target;
  const isOurs = (target: string) => /^(node:|lib\b|app\b|prisma\/|proxy\.ts)/.test(target);
  // One tool starts a browser for the tests, another writes files that are committed.
  const isElsewhere = (file: string) =>
    /^lib\/(tooling\/browser\.ts|reference\/marks\.ts)/.test(file);
  const served = sources.filter(({ file }) => !isElsewhere(file));
  const missing = served.flatMap(({ file, text }) =>
    importsOf(file, text)
      .filter((target) => !isOurs(target) && !Object.hasOwn(dependencies, packageOf(target)))
      .map((target) => `${file} imports ${target}`),
  );
  expect(missing).toEqual([]);
});

/** Everything that these files import, directly or indirectly. */
function reachedFrom(files: readonly string[]): string[] {
  const imported = new Map(sources.map(({ file, text }) => [file, importsOf(file, text)]));
  const reached = new Set(files);
  for (const file of reached) for (const target of imported.get(file) ?? []) reached.add(target);
  return [...reached];
}

/** Recipes are data for dashboard pages and commands. Answering requests works without them. */
test('code that answers requests of apps and forms does not import recipes', () => {
  const reached = reachedFrom(['app/mounts.ts', 'lib/server/serve.ts', 'lib/jobs.ts']);
  expect(reached).toContain('lib/endpoints/token.ts');
  expect(reached.filter((file) => isIn(file, 'lib/recipes'))).toEqual([]);
});

/** Outside the dashboard and the developers' pages, nothing needs React in the browser. */
test('pages outside of the dashboard and the developers’ pages have no client components', () => {
  const pages = sources.map(({ file }) => file).filter((file) => /^app\/.*\bpage\.tsx$/.test(file));
  const others = pages.filter((file) => !/^app\/(admin|account\/developer)\//.test(file));
  const reached = reachedFrom([...others, 'app/layout.tsx', 'app/not-found.tsx', 'app/error.tsx']);
  expect(reached).toContain('app/ui/attempts/step-card.tsx');
  const inBrowser = sources.filter(({ text }) => /^'use client'/m.test(text));
  expect(
    inBrowser.flatMap(({ file }) => (reached.includes(file) ? [file] : [])).toSorted(),
  ).toEqual(['app/error.tsx', 'app/failure-words.tsx']);
});

test('a component that calls a hook begins with the use client directive', () => {
  const unsaid = sources.filter(
    ({ file, text }) =>
      file.endsWith('.tsx') && /\buse[A-Z]\w*\(/.test(text) && !text.startsWith("'use client'"),
  );
  expect(unsaid.map(({ file }) => file)).toEqual([]);
});

test('a component used by both account and dashboard is in app/ui', () => {
  const area = (file: string) => /^app\/(account|admin)\//.exec(file)?.[1];
  const strays = sources.flatMap(({ file, text }) =>
    importsOf(file, text)
      .filter((target) => target.endsWith('.tsx') && area(target) && area(target) !== area(file))
      .map((target) => `${file} imports ${target}`),
  );
  expect(strays).toEqual([]);
});

describe('the check of imports finds what is forbidden', () => {
  test.each<[string, string]>([
    ['lib/oauth/scope.ts', "import { read } from '../store/database.ts';"],
    ['lib/oauth/scope.ts', "import type { Grant } from '../store/grants.ts';"],
    ['lib/oauth/scope.ts', "import { readFileSync } from 'node:fs';"],
    ['lib/oauth/scope.ts', "import { config } from '#lib/config.ts';"],
    ['lib/store/users.ts', "import { hashPassword } from '../identity/passwords.ts';"],
    ['lib/store/users.ts', "import { json } from '../http/answers.ts';"],
    ['lib/sealed/seal.ts', "import { post } from '../mail/post.ts';"],
    ['lib/endpoints/token.ts', "import { findTarget } from '#app/mounts.ts';"],
    [
      'lib/http/serve.ts',
      "import {\n  readSession,\n  endSession,\n} from '../identity/session.ts';",
    ],
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
    ['lib/identity/totp.ts', "import { seal, unseal } from '../sealed/seal.ts';"],
    ['lib/oauth/replay.ts', 'const late = new Date() > until;'],
    ['lib/people/roles.ts', "import { readFileSync } from 'node:fs';"],
    ['lib/identity/session.ts', "import 'server-only';"],
    ['lib/identity/session.ts', 'const [one, other] = [await first(), await second()];'],
    ['lib/identity/session.ts', 'return { ...{ id, name }, at };'],
    ['lib/identity/session.ts', "return [...['id', 'name'], at];"],
    ['app/page.tsx', "import Database from 'better-sqlite3';"],
    ['app/login/submit.ts', "import { cookies } from 'next/headers';"],
    ['app/login/screen.ts', "import { Button } from '#app/ui/button.tsx';"],
    ['lib/import/judge.ts', "import { readKeycloak } from './formats/keycloak.ts';"],
    ['lib/endpoints/token.ts', "import { readFacts } from '../recipes/facts.ts';"],
    ['lib/tooling/prepare.ts', "import { release } from '../package/release.ts';"],
    ['lib/cli/run.ts', "import { serveAgent } from '../demo/agents/serve.ts';"],
    ['lib/demo/seed.ts', "import { release } from '../package/release.ts';"],
    ['lib/demo/seed.ts', "import { runBench } from '../../tests/lab/bench/run.ts';"],
    ['lib/drawer/things.ts', "import { once } from '../once.ts';"],
  ])('%s: %s', (file, text) => {
    expect(faultsOf({ file, text })).toHaveLength(1);
  });
});

test('there are no folders such as utils, helpers or common', () => {
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

test('the subject of the last commit has at most 72 characters', ({ skip }) => {
  if (!existsSync(resolve(root, '.git'))) return skip('This is a copy without its history.');
  const log = ['log', '-1', '--no-merges', '--format=%s'];
  const subject = execFileSync('git', log, { cwd: root }).toString().trim();
  expect(subject.length, subject).toBeLessThanOrEqual(72);
});
