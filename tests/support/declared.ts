import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** How each kind of name is declared, which stands beside its user and in no list. */
export const declarations = {
  seal: /\bsealed\(\s*'([\w-]+)'/g,
  'derived key': /\b(?:derivedKeys\(|deriveKey\([^()]*(?:\([^()]*\))?[^()]*,)\s*'([\w-]+)'/g,
  'process-wide value': /(?<![.\w])once\(\s*'([\w.-]+)'/g,
  cookie: /\b(?:setCookie\(|clearCookie\(|cookieName\(|cookieOf\(\w+,)\s*'(\w+)'/g,
};

const texts = globSync(['lib/**/*.ts', 'app/**/*.{ts,tsx}', 'proxy.ts'], { cwd: root }).map(
  (file) => readFileSync(resolve(root, file), 'utf8'),
);

/** The names of a kind: once for each file that uses it. */
export const namesIn = (declaration: RegExp): string[] =>
  texts.flatMap((text) => [
    ...new Set([...text.matchAll(declaration)].map(([, name]) => String(name))),
  ]);
