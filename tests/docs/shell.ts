import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { apart } from '../support/apart.ts';
import { createDatabase } from '../support/database.ts';
import { sharedEnv } from '../support/shared-env.ts';

const root = resolve(import.meta.dirname, '../..');
const betweenBlocks = '--- the next block ---';

/**
 * A replacement for npm that only runs the command line, without checking what is installed. A
 * command that asks for a password gets one.
 */
const npm = `#!/bin/sh
[ "$1" = run ] && shift
[ "$1" = --silent ] && shift
[ "$1" = cli ] && [ "$2" = -- ] || { echo "npm $*: only the command line runs here" >&2; exit 64; }
shift 2
export INIT_CWD="$PWD"
case " $* " in
  *" - "*) [ -p /dev/stdin ] || exec "${process.execPath}" "${root}/lib/cli.ts" "$@" < "$TYPED" ;;
esac
exec "${process.execPath}" "${root}/lib/cli.ts" "$@"
`;

/** Runs blocks in one shell on a new database, in a new folder, and returns the output of each. */
export async function runInShell(blocks: readonly string[], folder: string): Promise<string[]> {
  const cwd = mkdtempSync(resolve(folder, 'docs-'));
  const bin = resolve(cwd, 'bin');
  mkdirSync(bin);
  writeFileSync(resolve(bin, 'npm'), npm);
  chmodSync(resolve(bin, 'npm'), 0o755);
  writeFileSync(resolve(cwd, 'typed'), 'let me through the gate\n');
  const env = {
    ...apart(),
    PATH: `${bin}:${process.env.PATH}`,
    HOME: cwd,
    TYPED: resolve(cwd, 'typed'),
    NODE_ENV: 'production' as const,
    DATABASE_URL: await createDatabase('sqlite'),
    DATA_DIR: resolve(cwd, 'data'),
    ...sharedEnv,
  };
  const script = blocks.join(`\necho '${betweenBlocks}'\n`);
  const { stdout } = await promisify(execFile)('sh', ['-euc', script], { cwd, env });
  return stdout.split(`${betweenBlocks}\n`);
}
