import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Applied, applyFile } from '#lib/config-file/apply.ts';
import { readConfigFile } from '#lib/config-file/read.ts';
import { newFolder } from '../support/database.ts';

/** The folder for files that name other files. */
export const folder = newFolder('file');

export const put = (name: string, content: string | Uint8Array) =>
  writeFileSync(join(folder, name), content);

/** A secret that is long enough; the same name gives the same secret. */
export const secretFor = (name: string) => `${name}-`.padEnd(40, 'x');

const around = (env: Record<string, string>) => ({ env, now: new Date(), asked: true });

/** Applies a configuration text, as `apply --yes` does. */
export const apply = (text: string, env: Record<string, string> = {}): Promise<Applied> =>
  applyFile(readConfigFile(text, 'gatehouse.yaml', folder), around(env), () => true);

/** The plan for a configuration text. */
export const planFor = async (text: string, env: Record<string, string> = {}) =>
  (await applyFile(readConfigFile(text, 'gatehouse.yaml', folder), around(env), () => false)).plan;

/** The faults of a configuration text, line by line. */
export async function faultsOf(text: string, env: Record<string, string> = {}): Promise<string[]> {
  try {
    await apply(text, env);
  } catch (error) {
    return String((error as Error).message).split('\n');
  }
  throw new Error('Nothing was refused.');
}
