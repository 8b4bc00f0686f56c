import { execFileSync, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { type Language, literal } from '#lib/recipes/text.ts';

const hostile = [
  'plain',
  "it's",
  'say "hi"',
  'back\\slash',
  '$HOME \u0024{HOME} $(id) `id` #{id}',
  '</script><script>alert(1)</script>',
  "';id;'",
  '\\',
  "\\'",
  '*',
  '~',
  '-n',
  '',
];

const hasPython = spawnSync('python3', ['--version']).status === 0;
const readPython = (source: string) => {
  const program = 'import ast, sys; sys.stdout.write(ast.literal_eval(sys.argv[1]))';
  return execFileSync('python3', ['-c', program, source], { encoding: 'utf8' });
};

/** How the languages themselves read a literal. */
const readers: Partial<Record<Language, (source: string) => string>> = {
  shell: (source) => execFileSync('sh', ['-c', `printf '%s' ${source}`], { encoding: 'utf8' }),
  javascript: (source) => Function(`return ${source}`)(),
  json: (source) => JSON.parse(source),
  ...(hasPython && { python: readPython }),
  // Both languages have two escapes in single quotes: the quote and the backslash.
  ruby: (source) => source.slice(1, -1).replace(/\\([\\'])/g, '$1'),
  php: (source) => source.slice(1, -1).replace(/\\([\\'])/g, '$1'),
};

test.each(Object.entries(readers))(
  'a literal in %s is read back by the language as the same value',
  (language, read) => {
    for (const value of hostile) expect(read(literal(language as Language, value))).toBe(value);
  },
);

test.each(['env', 'ini', 'apache', 'properties', 'text'] as const)(
  'a literal in %s, which has no quoting, accepts plain values only',
  (language) => {
    expect(literal(language, 'https://a.example/b?c=d&e=%20')).toBe(
      'https://a.example/b?c=d&e=%20',
    );
    for (const value of hostile.filter((text) => /[^\w.*~-]/.test(text)))
      expect(() => literal(language, value), value).toThrow('could misread');
  },
);

test('a literal in a script element cannot end the element', () => {
  for (const language of ['javascript', 'typescript', 'json'] as const)
    expect(literal(language, '</script><script>')).not.toContain('<');
});

test('a literal accepts only printable ASCII in any language', () => {
  for (const value of ['a\nb', 'a\0b', '\u2028', 'ä', '\u202e'])
    for (const language of ['shell', 'yaml', 'javascript', 'text'] as const)
      expect(() => literal(language, value)).toThrow('not printable');
});
