import { resolve } from 'node:path';

// A relative DATABASE_URL or DATA_DIR means the same wherever the command is called from.
process.chdir(resolve(import.meta.dirname, '..'));
const { runCli } = await import('./cli/run.ts');
process.exitCode = await runCli(process.argv.slice(2));
