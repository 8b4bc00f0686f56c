import { globSync, readFileSync } from 'node:fs';
import { posix, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/**
 * Finds the doors of a meaning: the files of lib and app that import the one function for it. A
 * test over a table of `tests/world` compares them with the doors that it tries, so that a new door
 * without the table is red.
 * @param name the function's name
 * @param from the module that exports it, such as `lib/people/email.ts`
 * @returns paths from the root, in order
 */
export function filesThatUse(name: string, from: string): string[] {
  return sources().filter((file) => importsOf(file).some(isThis(name, from)));
}

/**
 * Finds where a primitive stands that only the function for a meaning may use.
 * @returns `path: line` of each match in the code of lib and app, in order
 */
export function linesWith(primitive: RegExp): string[] {
  return sources().flatMap((file) =>
    textOf(file)
      .split('\n')
      .filter((line) => primitive.test(line) && !/^\s*(\/\/|\*|\/\*)/.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
}

type Import = { names: string[]; target: string };

const isThis = (name: string, from: string) => (found: Import) =>
  found.target === from && found.names.includes(name);

const sources = (): string[] =>
  globSync('{lib,app}/**/*.{ts,tsx,mjs}', { cwd: root })
    .filter((file) => !file.includes('/compiled/'))
    .map((file) => file.replaceAll('\\', '/'))
    .sort();

const textOf = (file: string): string => readFileSync(resolve(root, file), 'utf8');

/** Both `import … from` and `await import(…)` with destructured names. */
function importsOf(file: string): Import[] {
  const text = textOf(file);
  const named = /import\s+(?:type\s+)?(?:\w+,\s*)?\{([^}]*)\}\s*from\s*'([^']+)'/g;
  const late = /\{([^{}]*)\}\s*=\s*await\s+import\(\s*'([^']+)'\s*\)/g;
  return [...text.matchAll(named), ...text.matchAll(late)].map(([, names = '', target = '']) => ({
    names: names.split(',').map(
      (each) =>
        each
          .trim()
          .replace(/^type\s+/, '')
          .split(/\s+as\s+|:/)[0]
          ?.trim() ?? '',
    ),
    target: target.startsWith('#')
      ? target.slice(1)
      : posix.normalize(posix.join(posix.dirname(file), target)),
  }));
}
