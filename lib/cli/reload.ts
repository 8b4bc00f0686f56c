import type { Command } from 'commander';
import { ownPidFile, serverNamedIn } from '../tooling/pid-file.ts';
import { type Answer, printing } from './answer.ts';
import { refuseCommand } from './refuse.ts';

/** The command that makes a server with several processes read its settings again. */
export function addReloadCommand(program: Command): void {
  program
    .command('reload')
    .description('replace the workers of the running server one by one, with what .env says now')
    .addHelpText(
      'after',
      '\nSends SIGHUP to the server whose DATA_DIR this is, on this machine. Its log says what came of it. With WORKERS=1 nothing is replaced: restart the server.',
    )
    .action(printing(reload));
}

async function reload(): Promise<Answer> {
  const file = ownPidFile();
  const pid = serverNamedIn(file);
  if (pid === null)
    refuseCommand(`No server runs here that ${file} names. Is DATA_DIR that of the server?`);
  try {
    process.kill(pid, 'SIGHUP');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    refuseCommand(`Process ${pid} takes no signal from this user (${code}). Use the server’s.`);
  }
  const text = `SIGHUP was sent to process ${pid}. Its log says when new workers have taken over, or why not.`;
  return { json: { process: pid }, text };
}
