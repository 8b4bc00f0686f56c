import { CommanderError } from 'commander';
import { addEnvFile } from '../settings/env-file.ts';
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
  const program = buildProgram();
  program.hook('preAction', (_, command) => {
    chooseServer(command.optsWithGlobals());
    if (remoteServer()) return;
    // The doctor changes nothing and reports a missing secret itself; a reload needs none. A backup
    // does not open with a new one.
    if (!['doctor', 'reload', 'restore'].includes(command.name())) ensureServerSecret(process.env);
  });
  const args = given.length > 0 ? given : ['--help'];
  try {
    addEnvFile(process.env, process.cwd());
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

/** `lines`: several problems, one per line. */
type Described = {
  sentences?: Record<string, string>;
  lines?: readonly string[];
  message?: string;
};

/** Refusals are printed as sentences; any other error is printed on one line. */
function describeError(error: unknown): string {
  const { sentences = {}, lines, message } = error as Described;
  if (lines) return lines.join('\n');
  const text = Object.values(sentences).join(' ') || message || String(error);
  return text
    .replace(/\s*\n\s*/g, ' ')
    .replace('or accept the risk.', 'or accept the risk with --allow-insecure-redirect-uri.');
}
