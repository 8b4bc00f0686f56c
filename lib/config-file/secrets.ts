import { resolve } from 'node:path';
import { digest } from '../oauth/secrets.ts';
import { readTextFile } from '../settings/text-file.ts';
import type { Run } from './run.ts';
import type { FileApp, SecretSource } from './schema.ts';

/**
 * Digests of an app's secrets, as far as their sources exist here; `missing` names the sources that
 * don't. `ended`: one of them was ended by hand, and is left out.
 */
export type Secrets = { hashes: string[]; missing: string[]; wrong: string[]; ended: boolean };

/** Characters. Secrets are stored as plain digests, which only protect what can't be guessed. */
const least = 32;
const most = 500;
const digestPattern = /^[A-Za-z0-9_-]{43}$/;

/** The secrets that an app's sources hold; null if the file says nothing about its secret. */
export function secretsOf(run: Run, app: FileApp): Secrets | null {
  const said = app.secret as SecretSource | SecretSource[] | undefined;
  if (said === undefined) return null;
  const found: Secrets = { hashes: [], missing: [], wrong: [], ended: false };
  for (const source of Array.isArray(said) ? said : [said]) take(run, source, found);
  return found;
}

function take(run: Run, source: SecretSource, found: Secrets): void {
  if ('hash' in source) {
    if (digestPattern.test(source.hash)) found.hashes.push(source.hash);
    else found.wrong.push('takes the SHA-256 of the secret in base64url, 43 characters, as hash.');
    return;
  }
  const [name, text] = sourceText(run, source);
  if (text === null) return void found.missing.push(name);
  const fault = faultOf(name, text);
  if (fault) found.wrong.push(fault);
  else found.hashes.push(digest(text));
}

/** The name of a source for messages, and what it holds; null if it does not exist here. */
export const sourceText = (
  run: Run,
  source: Exclude<SecretSource, { hash: string }>,
): [name: string, text: string | null] =>
  'env' in source ? fromEnvironment(run, source.env) : fromFile(run, source.file);

function fromEnvironment(run: Run, name: string): [name: string, text: string | null] {
  // Anything that doesn't look like a variable may be the secret itself, and is not repeated.
  const said = /^[A-Z_][A-Z0-9_]*$/.test(name) ? name : 'the variable that env names';
  return [said, run.around.env[name] || null];
}

function fromFile(run: Run, file: string): [name: string, text: string | null] {
  const path = resolve(run.source.folder, file);
  try {
    return [path, readTextFile(path).trim() || null];
  } catch {
    return [path, null];
  }
}

function faultOf(name: string, text: string): string | null {
  if (text.length < least || text.length > most)
    return `needs a secret of ${least} to ${most} characters in ${name}, which has ${text.length}. "openssl rand -hex 24" makes one.`;
  return /^[\x21-\x7e]+$/.test(text)
    ? null
    : `needs a secret of visible ASCII characters without spaces in ${name}.`;
}
