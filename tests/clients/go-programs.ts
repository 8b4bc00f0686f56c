import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { promisify } from 'node:util';
import { missing } from '../support/missing.ts';

const run = promisify(execFile);
const cache = resolve(import.meta.dirname, '../../node_modules/.cache');

/**
 * A program of a published Go module, as `go install` builds it (`path@version`): once, beside this
 * project's own packages. Null if it cannot be had; a line in the output says why.
 */
export function programFromGo(path: string): Promise<string | null> {
  // Go leaves the major version out of the name.
  const parts = path.replace(/@.*/, '').split('/');
  const program = parts.findLast((part) => !/^v\d+$/.test(part)) ?? '';
  return build(program, path, (folder) =>
    run('go', ['install', path], { env: { ...process.env, GOBIN: folder, CGO_ENABLED: '0' } }),
  );
}

/** The same for a file of the tests, which uses this module (`path@version`). */
export function programWithGo(source: string, module: string): Promise<string | null> {
  const text = readFileSync(source, 'utf8');
  return build(basename(source, '.go'), module + text, async (folder) => {
    writeFileSync(resolve(folder, 'main.go'), text);
    const options = { cwd: folder, env: { ...process.env, CGO_ENABLED: '0' } };
    writeFileSync(resolve(folder, 'go.mod'), 'module example.org/app\n');
    await run('go', ['get', module], options);
    await run('go', ['mod', 'tidy'], options);
    await run('go', ['build', '-o', basename(source, '.go'), '.'], options);
  });
}

async function build(
  program: string,
  source: string,
  make: (folder: string) => Promise<unknown>,
): Promise<string | null> {
  const name = createHash('sha256').update(source).digest('hex').slice(0, 12);
  const folder = resolve(cache, `go-${program}-${name}`);
  const path = resolve(folder, program);
  if (existsSync(path)) return path;
  try {
    mkdirSync(folder, { recursive: true });
    await make(folder);
    return path;
  } catch (error) {
    missing(`${program}, which Go builds`, 'apt-get install golang-go', error);
    return null;
  }
}
