import { basename, dirname } from 'node:path';
import { ConfigError, config } from '../config.ts';
import { NotText, readTextFile } from '../settings/text-file.ts';
import { log } from '../telemetry/log.ts';
import { applyFile } from './apply.ts';
import { FileRefused } from './faults.ts';
import type { Plan } from './planned.ts';
import { readConfigFile } from './read.ts';
import type { Surroundings } from './run.ts';
import { plain, sumOf } from './say.ts';

/**
 * Applies the file in CONFIG_FILE, if there is one. If several servers start at the same moment,
 * one of them applies it and the others find nothing to do. No one is asked, so nothing is removed
 * unless the environment allows it.
 * @throws ConfigError if the file cannot be applied
 */
export async function applyConfigFile(env: Surroundings['env']): Promise<void> {
  const { configFile, configFileRemoves } = config();
  if (configFile === null) return;
  try {
    const text = textOf(configFile);
    const source = readConfigFile(text, basename(configFile), dirname(configFile));
    const around = { env, now: new Date(), asked: false };
    const mayDo = ({ removes }: Plan) => configFileRemoves || removes.length === 0;
    const { plan } = await applyFile(source, around, mayDo);
    if (!mayDo(plan)) throw new ConfigError(refusalOf(plan, configFile));
    // Only their number: names and addresses of people don't belong in a log.
    const notes = plan.notes.length;
    log().info({ configFile, notes }, `configuration file: ${sumOf(plan)}${hint(notes)}`);
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    throw new ConfigError(
      `CONFIG_FILE cannot be applied, and nothing of it was:\n${error.message}`,
    );
  }
}

const hint = (notes: number) =>
  notes === 0 ? '' : ' There is more to know: "npm run cli -- apply FILE --dry-run" says it.';

const mostNamed = 20;

function refusalOf({ removes }: Plan, file: string): string {
  const more = removes.length - mostNamed;
  const named = [...removes.slice(0, mostNamed), ...(more > 0 ? [`${more} more`] : [])];
  return plain(
    `CONFIG_FILE is not applied, and nothing was changed: a start removes nothing unasked, and this would remove ${named.join(', ')}. If the file is as you mean it, run "npm run cli -- apply ${file}" once, or set CONFIG_FILE_REMOVES=on. Otherwise put back into it what is missing.`,
  );
}

function textOf(file: string): string {
  try {
    return readTextFile(file);
  } catch (error) {
    if (error instanceof NotText) throw new ConfigError(`CONFIG_FILE: ${error.message}`);
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`CONFIG_FILE names ${file}, which cannot be read (${code}).`);
  }
}
