import { enableCompileCache } from 'node:module';
import { resolve } from 'node:path';

// A reader such as `head` may close the pipe before everything is printed. By then the command has
// done its work.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
// Files a command creates (a database, a secret) are readable by their owner only.
process.umask(0o077);
// Paths on the command line are relative to where npm was called, since npm changes into the
// project.
process.env.INIT_CWD ??= process.cwd();
// A relative DATABASE_URL or DATA_DIR means the same wherever the command is called from.
process.chdir(resolve(import.meta.dirname, '..'));
// Halves the time a command takes. The cache is not in the system's temporary folder, where others
// could plant files.
enableCompileCache(resolve('node_modules/.cache/gatehouse-cli'));
const { runCli } = await import('./cli/run.ts');
process.exitCode = await runCli(process.argv.slice(2));
