import { config } from '../config.ts';
import { keepsNextFromEnvFiles, readEnvFile } from '../settings/env-file.ts';
import { closeStore } from '../store/engine/database.ts';
import { runChild } from '../tooling/child.mjs';
import { applyMigrations } from '../tooling/migrate.ts';
import { showSetUpLink } from './greet.ts';
import { checkNames } from './misspelt.ts';
import { isFree, portTaken } from './port-holder.ts';
import { exitCodeOf, startFailure } from './start-failure.ts';

const next = 'node_modules/next/dist/bin/next';

try {
  const { databaseUrl, host, port } = config();
  const { others } = readEnvFile(process.env, process.cwd());
  for (const warning of [...(others ? [others] : []), ...checkNames(process.env)])
    console.warn(`WARNING: ${warning}`);
  if (port !== 0 && !(await isFree(port, host))) refuse(await portTaken(port, host));
  await applyMigrations(databaseUrl);
  await showSetUpLink();
  await closeStore();
  const given = ['--hostname', host, '--port', String(port), ...process.argv.slice(2)];
  process.exitCode = await runChild(
    process.execPath,
    [next, 'dev', ...given],
    keepsNextFromEnvFiles,
  );
} catch (error) {
  const sentence = await startFailure(error);
  if (!sentence) throw error;
  refuse(sentence, exitCodeOf(error));
}

function refuse(sentence: string, code = 1): never {
  console.error(`Gatehouse cannot start: ${sentence}`);
  process.exit(code);
}
