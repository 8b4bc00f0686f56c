import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SetupError } from '../tooling/child.mjs';
import { type Change, commitAndTag, git, hasTag, lastTag } from '../tooling/git.ts';
import { lineOf } from '../tooling/migration-name.ts';
import { isMoreThanFixes, releaseChanges } from './changelog.ts';
import { nextVersion } from './version.ts';

const help = `npm run release [-- [major|minor|patch|X.Y.Z] [--dry-run]]

Makes a release of what is on main: sets the version, moves "Unreleased" in CHANGELOG.md to it,
commits, and tags the commit; then makes its packages in dist, as npm run package does. Nothing leaves
this machine; it says what to push.

Without a version it is the one in package.json while that has never been released; after that the
next minor version if something was added, changed or removed, or the tables are others, and else the
next patch.

  --dry-run   say what would be released, and change nothing
`;

const branch = 'main';
const files = ['CHANGELOG.md', 'package.json', 'package-lock.json'];

type Wish = { wanted: string | null; dryRun: boolean };

/**
 * Releases the checkout in this folder, all or nothing, and prints what it did.
 * @param now its day goes into the changelog
 * @returns whether a release was made; false after `--help` or `--dry-run`
 * @throws SetupError that says what is in the way
 */
export function release(root: string, args: string[], now: Date, say = console.log): boolean {
  if (args.includes('--help') || args.includes('-h')) {
    say(help);
    return false;
  }
  const { wanted, dryRun } = wishOf(args);
  checkBranch(root);
  takeUpFiles(root, say);
  checkClean(root);
  const { version, notes, change } = planned(root, wanted, now);
  const tag = `v${version}`;
  if (hasTag(root, tag))
    throw new SetupError(`${tag} was released before. Choose another version.`);
  say(`Gatehouse ${version}\n\n${notes}\n`);
  say(
    dryRun
      ? `It would be committed to ${branch} as ${tag}. Nothing was changed.`
      : carriedOut(root, { version, notes, change }),
  );
  return !dryRun;
}

type Planned = { version: string; notes: string; change: Change };

function carriedOut(root: string, { version, notes, change }: Planned): string {
  const [tag, message] = [`v${version}`, messageOf(version)];
  const commit = commitAndTag(root, change, { branch, tag, message, notes });
  git(root, ['checkout', '--quiet', 'HEAD', '--', ...files]);
  return `Committed as ${commit.slice(0, 12)} and tagged ${tag}. To publish both:\n\n  git push --atomic origin ${branch} ${tag}\n\nTo take it back before that:\n\n  git tag -d ${tag} && git reset --hard HEAD~1`;
}

const messageOf = (version: string) => `Gatehouse ${version}`;

function wishOf(args: string[]): Wish {
  const options = args.filter((arg) => arg.startsWith('-'));
  const versions = args.filter((arg) => !arg.startsWith('-'));
  const unknown = options.find((option) => option !== '--dry-run') ?? versions[1];
  if (unknown !== undefined) throw new SetupError(`"${unknown}" is not known.\n\n${help}`);
  return { wanted: versions[0] ?? null, dryRun: options.length > 0 };
}

function checkBranch(root: string): void {
  const [current] = [git(root, ['rev-parse', '--abbrev-ref', 'HEAD'])];
  if (current !== branch)
    throw new SetupError(
      `Releases are made on ${branch}; this is ${current}. Run git switch ${branch}.`,
    );
}

function checkClean(root: string): void {
  const status = git(root, ['status', '--porcelain']);
  if (status !== '')
    throw new SetupError(`Commit or remove first what is not committed:\n${status}`);
}

/**
 * Finishes a release that was stopped after its commit: the files here are still the previous ones.
 */
function takeUpFiles(root: string, say: (text: string) => void): void {
  const [tag = ''] = git(root, ['tag', '--list', 'v*', '--points-at', 'HEAD']).split('\n');
  const isRelease = git(root, ['log', '-1', '--format=%s']) === messageOf(tag.slice(1));
  if (!isRelease || git(root, ['status', '--porcelain']) === '') return;
  const isAsBefore = git(root, ['diff', '--name-only', 'HEAD~1']) === '';
  if (!isAsBefore) return;
  git(root, ['checkout', '--quiet', 'HEAD', '--', ...files]);
  say(
    `The release ${tag} was made before, and stopped short of the files here: they are up to date now.\n`,
  );
}

/** Works out what the release would be, without doing anything. */
function planned(root: string, wanted: string | null, now: Date): Planned {
  const read = (name: string) => readFileSync(resolve(root, name), 'utf8');
  const changelog = read('CHANGELOG.md');
  const { version: current } = JSON.parse(read('package.json')) as { version: string };
  const isNew = !hasTag(root, `v${current}`);
  const day = now.toISOString().slice(0, 10);
  const draft = releaseChanges(changelog, current, day);
  if (!draft)
    throw new SetupError(
      'CHANGELOG.md has nothing under "## Unreleased": there is nothing to release.',
    );
  const migrations = newMigrations(root);
  const isMinor = isMoreThanFixes(draft.notes) || migrations.length > 0;
  const usual = isNew ? current : isMinor ? 'minor' : 'patch';
  const chosen = wanted ?? usual;
  const version = isNew && chosen === current ? current : nextVersion(current, chosen);
  checkTables(root, version, migrations);
  const change: Change = {
    'CHANGELOG.md': releaseChanges(changelog, version, day)?.changelog ?? '',
    'package.json': withVersion(read('package.json'), version),
    'package-lock.json': withVersion(read('package-lock.json'), version),
  };
  return { version, notes: draft.notes, change };
}

/**
 * Lists the migration files that the last release did not have; none if there was no release yet.
 */
function newMigrations(root: string): string[] {
  const last = lastTag(root);
  if (last === null) return [];
  const added = ['--name-only', '--no-renames', '--diff-filter=A'];
  return git(root, ['diff', ...added, last, 'HEAD', '--', 'prisma/migrations'])
    .split('\n')
    .filter(Boolean);
}

/**
 * Releases of one line have the same tables, because each has to work beside each release of the
 * line before.
 * @throws SetupError
 */
function checkTables(root: string, version: string, migrations: string[]): void {
  const last = lastTag(root)?.slice(1);
  if (last === undefined || migrations.length === 0 || lineOf(last) !== lineOf(version)) return;
  throw new SetupError(
    `${version} would have a migration that ${last} does not have (${migrations[0]}), and releases of ${lineOf(version)} have the same tables. Release ${nextVersion(last, 'minor')}.`,
  );
}

type Manifest = { version: string; packages?: Record<string, { version?: string }> };

/** Returns package.json or its lock file with another version of this package. */
function withVersion(text: string, version: string): string {
  const manifest = JSON.parse(text) as Manifest;
  manifest.version = version;
  const own = manifest.packages?.[''];
  if (own) own.version = version;
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
