import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { ConfigError, config } from '../config.ts';
import { log } from '../log.ts';
import { applyFile } from './apply.ts';
import { FileRefused } from './faults.ts';
import { isEmpty } from './plan.ts';
import { readConfigFile } from './read.ts';
import type { Surroundings } from './run.ts';
import { called, sumOf } from './say.ts';

/**
 * Makes the server be as the file in CONFIG_FILE says, if there is one. Of several that start at the
 * same moment one does it, and the others find nothing to do.
 * @throws ConfigError if the file cannot be applied
 */
export async function applyConfigFile(env: Surroundings['env']): Promise<void> {
  const { configFile } = config();
  if (configFile === null) return;
  try {
    const text = textOf(configFile);
    const source = readConfigFile(text, basename(configFile), dirname(configFile));
    const around = { env, now: new Date(), showsLinks: false };
    const { plan } = await applyFile(source, around, () => true);
    const things = plan.changes.map((change) => `${change.action} ${called(change)}`);
    const said = isEmpty(plan) ? 'Nothing to change.' : sumOf(plan);
    log().info({ configFile, changes: things, notes: plan.notes }, `configuration file: ${said}`);
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    throw new ConfigError(
      `CONFIG_FILE cannot be applied, and nothing of it was:\n${error.message}`,
    );
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`CONFIG_FILE names ${file}, which cannot be read (${code}).`);
  }
}
