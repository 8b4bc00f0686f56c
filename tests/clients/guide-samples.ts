import { execFileSync, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { fillPage } from '#lib/docs/fill.ts';
import { type Block, blocksOf, placeOf } from '../docs/blocks.ts';
import { missing } from '../support/missing.ts';
import type { TestClient } from '../support/seed.ts';
import { pythonWith } from './python.ts';
import { newFolder, write } from './recipe-app.ts';

/** The packages that the samples use, in the versions of the recipes for Python. */
const python = await pythonWith([
  'Authlib==1.9.9',
  'Flask==3.1.3',
  'requests==2.34.2',
  'PyJWT[crypto]==2.15.1',
  'Django==5.2.19',
  'mozilla-django-oidc==5.0.2',
  'django-allauth[socialaccount]==65.21.1',
]);
const goOidc = ['list', '-m', 'github.com/coreos/go-oidc/v3@v3.21.0'];
const hasGo = spawnSync('go', goOidc, { cwd: tmpdir() }).status === 0;
if (!hasGo) missing('Go and its modules', 'apt-get install golang-go');

/** Whether samples in this language can run on this machine. */
export const canRun = (language: string) =>
  language === 'go' ? hasGo : language !== 'python' || python !== null;

const guides = [
  'docs/guides/sign-in.md',
  'docs/guides/sign-out.md',
  'docs/guides/refresh.md',
  'docs/guides/claims.md',
  'docs/guides/roles.md',
  'docs/guides/errors.md',
  'docs/guides/api-tokens.md',
] as const;
type Guide = (typeof guides)[number];

const ran = new Set<string>();

/** The samples of a page in one language; with a number, only that one of several. */
export function samplesIn(guide: Guide, language: string, number?: number): Block[] {
  const found = blocksOf(guide).filter((block) => block.language === language && block.runBy);
  const wanted = number === undefined ? found : found.slice(number, number + 1);
  if (wanted.length === 0) throw new Error(`${guide} has no sample in ${language}.`);
  for (const block of wanted) ran.add(placeOf(block));
  return wanted;
}

/** The samples that no test has used. */
export const notRun = (runBy: string): string[] =>
  guides
    .flatMap((guide) => blocksOf(guide))
    .filter((block) => block.runBy === runBy && canRun(block.language))
    .map(placeOf)
    .filter((place) => !ran.has(place));

/** What a sample needs to run. */
export type Around = {
  issuer: string;
  client: TestClient;
  postLogoutRedirectUris?: string[];
  env?: Record<string, string>;
  /** Replacements in the text, where the test's API has another name than the page's. */
  named?: Record<string, string>;
  /** A program that uses what the sample exports. */
  driver?: string;
};

type Program = { command: string; args: string[]; folder: string; env: NodeJS.ProcessEnv };

/** Writes a sample to a file as the page shows it to a reader who has chosen the app. */
export function programOf(blocks: readonly Block[], around: Around): Program {
  const { client, issuer, env = {}, named = {}, postLogoutRedirectUris = [], driver } = around;
  const app = { id: client.id, redirectUris: [client.redirectUri], postLogoutRedirectUris };
  const shown = fillPage(blocks.map(({ text }) => `${text}\n`).join('\n'), issuer, app);
  const text = Object.entries(named).reduce(
    (whole, [from, to]) => whole.replaceAll(from, to),
    shown,
  );
  const folder = newFolder('guide');
  const all = { ...process.env, CLIENT_SECRET: client.secret, ...env };
  const [{ language = '' } = {}] = blocks;
  return { ...commandFor(language, text, folder, driver), folder, env: all };
}

function commandFor(language: string, text: string, folder: string, driver?: string) {
  switch (language) {
    case 'sh':
      return { command: 'sh', args: ['-ec', text] };
    case 'js':
      write(folder, 'sample.mjs', text);
      if (driver) write(folder, 'driver.mjs', driver);
      return { command: process.execPath, args: [driver ? 'driver.mjs' : 'sample.mjs'] };
    case 'python':
      write(folder, 'sample.py', text);
      if (driver) write(folder, 'driver.py', driver);
      return { command: `${python}/python`, args: [driver ? 'driver.py' : 'sample.py'] };
    case 'go':
      return goProgram(text, folder, driver);
    default:
      throw new Error(`No sample in ${language} can be run.`);
  }
}

function goProgram(text: string, folder: string, driver?: string) {
  write(folder, 'main.go', text);
  if (driver) write(folder, 'driver.go', driver);
  const [, modules = ''] = /^\/\/ go get (.+)$/m.exec(text) ?? [];
  const go = (...args: string[]) => execFileSync('go', args, { cwd: folder, stdio: 'pipe' });
  go('mod', 'init', 'example.org/sample');
  if (modules) go('get', ...modules.split(' '));
  return { command: 'go', args: ['run', '.'] };
}

/** Runs a sample to its end and returns its output. */
export function output(blocks: readonly Block[], around: Around): string {
  const { command, args, folder, env } = programOf(blocks, around);
  const done: SpawnSyncReturns<string> = spawnSync(command, args, {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  if (done.status !== 0) throw new Error(`It ended with ${done.status}:\n${done.stderr}`);
  return done.stdout.trim();
}

/**
 * Runs a sample that first prints an address and then reads the address where the browser ends up.
 */
export async function converse(
  blocks: readonly Block[],
  around: Around,
  visit: (address: string) => Promise<URL>,
): Promise<string[]> {
  const { command, args, folder, env } = programOf(blocks, around);
  const child = spawn(command, args, { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] });
  let complaints = '';
  child.stderr.on('data', (chunk) => {
    complaints += chunk;
  });
  const printed: string[] = [];
  const closed = once(child, 'close');
  for await (const line of createInterface(child.stdout)) {
    printed.push(line);
    if (printed.length === 1) child.stdin.end(`${await visit(line)}\n`);
  }
  const [code] = await closed;
  if (code !== 0) throw new Error(`It ended with ${code}:\n${complaints}`);
  return printed;
}
