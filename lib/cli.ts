import { enableCompileCache } from 'node:module';
import { resolve } from 'node:path';

// What a command makes (a database, a secret) is its owner's alone.
process.umask(0o077);
// Files on the command line are named from here; npm says so itself, and goes to the project.
process.env.INIT_CWD ??= process.cwd();
// A relative DATABASE_URL or DATA_DIR means the same wherever the command is called from.
process.chdir(resolve(import.meta.dirname, '..'));
// Halves the time of a command. Not in the system's temporary folder, where others could prepare it.
enableCompileCache(resolve('node_modules/.cache/gatehouse-cli'));
const { runCli } = await import('./cli/run.ts');
process.exitCode = await runCli(process.argv.slice(2));
