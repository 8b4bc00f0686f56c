import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { release } from '#lib/package/release.ts';
import { nextVersion } from '#lib/package/version.ts';
import { commitAndTag, git } from '#lib/tooling/git.ts';

const root = resolve(import.meta.dirname, '../..');
const work = mkdtempSync(resolve(tmpdir(), 'gatehouse-release-'));
afterAll(() => rmSync(work, { recursive: true }));

const now = new Date('2027-01-31T12:00:00Z');
const changes = '### Fixed\n\n- A thing that went wrong.\n';
let checkouts = 0;

/** A separate checkout, with the files that a release changes. */
function checkout(unreleased = changes, version = '1.2.3'): string {
  checkouts += 1;
  const place = resolve(work, String(checkouts));
  mkdirSync(place);
  const manifest = { name: 'gatehouse', version };
  writeFileSync(`${place}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
  const lock = { ...manifest, packages: { '': manifest, other: { version: '9.9.9' } } };
  writeFileSync(`${place}/package-lock.json`, `${JSON.stringify(lock, null, 2)}\n`);
  writeFileSync(
    `${place}/CHANGELOG.md`,
    `# Changelog\n\n## Unreleased\n\n${unreleased}\n## 1.2.3 (2026-12-01)\n\n- The first.\n`,
  );
  git(place, ['init', '--quiet', '--initial-branch', 'main']);
  git(place, ['config', 'user.name', 'Releaser']);
  git(place, ['config', 'user.email', 'releaser@example.org']);
  git(place, ['add', '.']);
  git(place, ['commit', '--quiet', '-m', 'before']);
  git(place, ['tag', 'v1.2.3']);
  return place;
}

const read = (place: string, name: string) => readFileSync(`${place}/${name}`, 'utf8');

/** The output of a release. */
function released(place: string, ...args: string[]): string {
  const said: string[] = [];
  const made = release(place, args, now, (text: string) => said.push(text));
  // Only a real release leads to packages; a dry run or a call for help does not.
  expect(made).toBe(!args.some((arg) => ['--dry-run', '--help'].includes(arg)));
  return said.join('\n');
}

const migration = 'prisma/migrations/sqlite/20270101000000_expand_after_1_2_more/migration.sql';

/** Commits a migration. */
function migrate(place: string): void {
  mkdirSync(dirname(`${place}/${migration}`), { recursive: true });
  writeFileSync(`${place}/${migration}`, 'CREATE TABLE more (id INTEGER);');
  git(place, ['add', '.']);
  git(place, ['commit', '--quiet', '-m', 'more']);
}

const refused = (place: string, ...args: string[]) => expect(() => released(place, ...args));
const stateOf = (place: string) => [
  git(place, ['rev-parse', 'HEAD']),
  git(place, ['tag']),
  git(place, ['status', '--porcelain']),
];

describe('a release', () => {
  test('sets the version, moves the changes under it, commits and tags', () => {
    const place = checkout();
    const said = released(place);
    expect(said).toContain('A thing that went wrong.');
    expect(said).toContain('git push --atomic origin main v1.2.4');
    expect(read(place, 'CHANGELOG.md')).toBe(
      `# Changelog\n\n## Unreleased\n\n## 1.2.4 (2027-01-31)\n\n${changes}\n## 1.2.3 (2026-12-01)\n\n- The first.\n`,
    );
    expect(JSON.parse(read(place, 'package.json')).version).toBe('1.2.4');
    const lock = JSON.parse(read(place, 'package-lock.json'));
    expect([lock.version, lock.packages[''].version, lock.packages.other.version]).toEqual([
      '1.2.4',
      '1.2.4',
      '9.9.9',
    ]);
    expect(git(place, ['status', '--porcelain'])).toBe('');
    expect(git(place, ['log', '-1', '--format=%s %an'])).toBe('Gatehouse 1.2.4 Releaser');
    expect(git(place, ['cat-file', '-t', 'v1.2.4'])).toBe('tag');
    expect(git(place, ['rev-parse', 'v1.2.4^{commit}'])).toBe(git(place, ['rev-parse', 'HEAD']));
    expect(git(place, ['for-each-ref', 'refs/tags/v1.2.4', '--format=%(contents)'])).toContain(
      'A thing that went wrong.',
    );
  });

  test.each([
    ['fixes', changes, [], '1.2.4'],
    ['something new', '### Added\n\n- A thing.\n', [], '1.3.0'],
    ['a version that is asked for', changes, ['2.0.0'], '2.0.0'],
    ['a kind that is asked for', changes, ['major'], '2.0.0'],
  ])('of %s gets the next version', (_, unreleased, args, version) => {
    expect(released(checkout(unreleased), ...args)).toContain(`tagged v${version}.`);
  });

  test('of a version that was never released gets that version', () => {
    const place = checkout('### Added\n\n- Everything.\n', '0.1.0');
    expect(released(place)).toContain('tagged v0.1.0.');
    expect(JSON.parse(read(place, 'package.json')).version).toBe('0.1.0');
  });

  test('with a migration is not a patch release', () => {
    const place = checkout();
    migrate(place);
    expect(released(place)).toContain('tagged v1.3.0.');
    // The next release has the tables of the last one.
    const changelog = read(place, 'CHANGELOG.md').replace(
      'Unreleased\n',
      `Unreleased\n\n${changes}`,
    );
    writeFileSync(`${place}/CHANGELOG.md`, changelog);
    git(place, ['commit', '--quiet', '-am', 'a fix']);
    expect(released(place)).toContain('tagged v1.3.1.');
  });

  test('that is the first may have any migration', () => {
    const place = checkout(changes, '1.2.3');
    git(place, ['tag', '--delete', 'v1.2.3']);
    migrate(place);
    expect(released(place)).toContain('tagged v1.2.3.');
  });

  test('with --dry-run says what it would do and changes nothing', () => {
    const place = checkout();
    const before = stateOf(place);
    expect(released(place, '--dry-run')).toMatch(/A thing that went wrong.*Nothing was changed/s);
    expect(stateOf(place)).toEqual(before);
  });
});

describe('a release is refused', () => {
  test('with uncommitted changes, which are named', () => {
    const place = checkout();
    writeFileSync(`${place}/new.txt`, 'x');
    refused(place).toThrow(/not committed:\n\?\? new\.txt/);
  });

  test('if the changelog has no entries', () => {
    refused(checkout('')).toThrow('nothing to release');
    refused(checkout('### Added\n')).toThrow('nothing to release');
  });

  test('for a version that was released, is not later, or is not one', () => {
    const place = checkout();
    git(place, ['tag', 'v1.3.0']);
    const before = stateOf(place);
    refused(place, 'minor').toThrow('v1.3.0 was released before');
    refused(place, '1.2.3').toThrow('not later than 1.2.3');
    refused(place, '0.9.0').toThrow('not later than 1.2.3');
    refused(place, '1.3').toThrow('"1.3" is no version');
    refused(place, '--froce').toThrow('"--froce" is not known');
    expect(stateOf(place)).toEqual(before);
  });

  test('as a patch with a migration that the last release does not have, which is named', () => {
    const place = checkout();
    migrate(place);
    const before = stateOf(place);
    const sentence = `1.2.4 would have a migration that 1.2.3 does not have (${migration}), and releases of 1.2 have the same tables. Release 1.3.0.`;
    refused(place, 'patch').toThrow(sentence);
    refused(place, '1.2.4', '--dry-run').toThrow(sentence);
    expect(stateOf(place)).toEqual(before);
  });

  test('on a branch other than main', () => {
    const place = checkout();
    git(place, ['switch', '--quiet', '-c', 'mine']);
    refused(place).toThrow('Releases are made on main; this is mine');
  });
});

describe('a release that is interrupted', () => {
  test('between its commit and the working files is finished by the next, which releases nothing twice', () => {
    const place = checkout();
    const change = { 'CHANGELOG.md': '# Changelog\n\n## Unreleased\n\n## 1.2.4\n\n- x\n' };
    const what = { branch: 'main', tag: 'v1.2.4', message: 'Gatehouse 1.2.4', notes: '- x' };
    commitAndTag(place, change, what);
    expect(git(place, ['status', '--porcelain'])).not.toBe('');
    refused(place).toThrow('nothing to release');
    expect(git(place, ['status', '--porcelain'])).toBe('');
    expect(read(place, 'CHANGELOG.md')).toContain('## 1.2.4');
  });

  test('at any moment has happened completely or not at all', { timeout: 120_000 }, async () => {
    for (const after of [40, 80, 120, 160, 220, 300]) {
      const place = checkout();
      await killedAfter(place, after);
      const isTagged = git(place, ['tag']).includes('v1.2.4');
      expect(git(place, ['log', '-1', '--format=%s'])).toBe(
        isTagged ? 'Gatehouse 1.2.4' : 'before',
      );
      // git itself was killed while it held the index lock.
      rmSync(`${place}/.git/index.lock`, { force: true });
      if (isTagged) refused(place).toThrow('nothing to release');
      else expect(released(place)).toContain('tagged v1.2.4.');
      expect(git(place, ['status', '--porcelain'])).toBe('');
    }
  });
});

/** Runs a release in a separate process and kills it. */
async function killedAfter(place: string, milliseconds: number): Promise<void> {
  const program = `import { release } from '${root}/lib/package/release.ts'; release('${place}', [], new Date());`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds);
  await ended;
  clearTimeout(timer);
}

test('package.json and package-lock.json have the same version', () => {
  const { version } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'));
  const lock = JSON.parse(readFileSync(resolve(root, 'package-lock.json'), 'utf8'));
  expect([lock.version, lock.packages[''].version]).toEqual([version, version]);
  expect(nextVersion(version, 'patch')).not.toBe(version);
});
