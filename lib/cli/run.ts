import { existsSync } from 'node:fs';
import { CommanderError } from 'commander';
import { settingsFileOf } from '../settings/data-folder.ts';
import { logAsCommand } from '../telemetry/log.ts';
import { ensureServerSecret } from '../tooling/secret.ts';
import { adviceFor, buildProgram } from './program.ts';
import { chooseServer, remoteServer } from './remote.ts';

/**
 * Runs one command and returns its exit code. The result goes to standard output, as one JSON
 * object with `--json`. A failure prints one line to standard error and nothing to standard output.
 */
export async function runCli(given: string[]): Promise<number> {
  logAsCommand();
  const file = settingsFileOf(process.env, process.cwd());
  if (existsSync(file)) process.loadEnvFile(file);
  const program = buildProgram();
  program.hook('preAction', (_, command) => {
    chooseServer(command.optsWithGlobals());
    if (remoteServer()) return;
    // The doctor changes nothing, and says that there is none; a reload needs none.
    if (['doctor', 'reload'].includes(command.name())) return;
    // Of a backup it may be written to where another one would be made.
    if (command.opts<{ secretTo?: string }>().secretTo === undefined)
      ensureServerSecret(process.env);
  });
  const args = given.length > 0 ? given : ['--help'];
  try {
    await program.parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    console.error(
      error instanceof CommanderError ? adviceFor(program, args, error) : describeError(error),
    );
    return 1;
  }
}

/** `lines`: several things are wrong, one in each. */
type Described = {
  sentences?: Record<string, string>;
  lines?: readonly string[];
  message?: string;
};

/** Refusals are sentences; of any other error the first line is printed. */
function describeError(error: unknown): string {
  const { sentences = {}, lines, message } = error as Described;
  if (lines) return lines.join('\n');
  const text = Object.values(sentences).join(' ') || message || String(error);
  return text
    .replace(/\s*\n\s*/g, ' ')
    .replace('or accept the risk.', 'or accept the risk with --allow-insecure-redirect-uri.');
}
