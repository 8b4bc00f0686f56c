import { resolve } from 'node:path';
import { settingsFolderOf } from './data-folder.ts';
import { type OperatorRow, operatorTable } from './operator.ts';
import { NotText, readTextFile } from './text-file.ts';

type Environment = Record<string, string | undefined>;

type Table = typeof operatorTable;
/** The variables whose value can be kept in a file, because they hold a secret. */
type SecretName = {
  [Name in keyof Table]: Table[Name] extends { secret: true } ? Name : never;
}[keyof Table];

export const secretNames = Object.entries(operatorTable as Record<string, OperatorRow>)
  .filter(([, row]) => row.secret)
  .map(([name]) => name as SecretName);

export const fileVariable = <Name extends SecretName>(name: Name) => `${name}_FILE` as const;

/**
 * Adds the secrets that are kept in files, as Docker, Kubernetes and systemd provide them:
 * `MAIL_URL_FILE` names the file that holds `MAIL_URL`.
 * @param root the folder of Gatehouse
 * @returns the environment with these secrets, and the paths of the files
 * @throws Error with a sentence for the operator
 */
export function withSecretFiles(
  env: Environment,
  root: string,
): { env: Environment; files: string[] } {
  const named = secretNames.filter((name) => env[fileVariable(name)]);
  const path = (name: SecretName) =>
    resolve(/* turbopackIgnore: true */ settingsFolderOf(env, root), env[fileVariable(name)] ?? '');
  const read = named.map((name) => [name, readSecret(name, path(name), env)]);
  return { env: { ...env, ...Object.fromEntries(read) }, files: named.map(path) };
}

function readSecret(name: SecretName, path: string, env: Environment): string {
  const variable = fileVariable(name);
  if (env[name]) throw new Error(`${name} and ${variable} are both set. Keep one of them.`);
  try {
    const text = readTextFile(path).trim();
    if (text !== '') return text;
  } catch (error) {
    if (error instanceof NotText) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const advice =
      code === 'ENOENT'
        ? `Put the secret there, or correct ${variable}.`
        : `Give the user that runs this server the right to read it, or correct ${variable}.`;
    throw new Error(`The secret in ${path} cannot be read (${code}). ${advice}`);
  }
  throw new Error(`The file ${path} is empty: ${variable} wants the value of ${name} in it.`);
}
