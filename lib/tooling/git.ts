import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { SetupError } from './child.mjs';

type Run = { input?: string; env?: Record<string, string> };

/** Runs git in a checkout and returns its output. @throws SetupError with git's error message */
export function git(root: string, args: string[], { input = '', env = {} }: Run = {}): string {
  const { status, stdout, stderr, error } = spawnSync('git', args, {
    cwd: root,
    input,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error) throw new SetupError(`git cannot be run (${(error as NodeJS.ErrnoException).code}).`);
  if (status !== 0) throw new SetupError(`git ${args[0]} failed: ${stderr.trim()}`);
  return stdout.trimEnd();
}

export const hasTag = (root: string, tag: string): boolean =>
  git(root, ['tag', '--list', tag]) !== '';

/** The latest version tagged at or before HEAD; null if there is none. */
export function lastTag(root: string): string | null {
  const tags = git(root, ['tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-version:refname']);
  return tags.split('\n')[0] || null;
}

export type Change = Record<string, string>;

/**
 * Commits a change to files on top of a branch's head and tags the commit, atomically: both happen
 * or neither. The files and the index of the checkout are not touched.
 * @returns the commit
 */
export function commitAndTag(
  root: string,
  change: Change,
  { branch, tag, message, notes }: { branch: string; tag: string; message: string; notes: string },
): string {
  const head = git(root, ['rev-parse', 'HEAD']);
  const tree = treeWith(root, change);
  const commit = git(root, ['commit-tree', tree, '-p', head], { input: `${message}\n` });
  const tagger = git(root, ['var', 'GIT_COMMITTER_IDENT']);
  const text = `object ${commit}\ntype commit\ntag ${tag}\ntagger ${tagger}\n\n${message}\n\n${notes}\n`;
  const object = git(root, ['mktag'], { input: text });
  const none = '0'.repeat(head.length);
  git(root, ['update-ref', '--stdin'], {
    input: `start\nupdate refs/heads/${branch} ${commit} ${head}\nupdate refs/tags/${tag} ${object} ${none}\ncommit\n`,
  });
  return commit;
}

function treeWith(root: string, change: Change): string {
  const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-index-'));
  const env = { GIT_INDEX_FILE: resolve(folder, 'index') };
  try {
    git(root, ['read-tree', 'HEAD'], { env });
    for (const [path, text] of Object.entries(change)) {
      const blob = git(root, ['hash-object', '-w', '--stdin', '--path', path], { input: text });
      git(root, ['update-index', '--cacheinfo', `100644,${blob},${path}`], { env });
    }
    return git(root, ['write-tree'], { env });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
