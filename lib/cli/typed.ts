import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { refuseCommand } from './refuse.ts';

/** Asks for a new password at the terminal, twice, without showing it. @throws CommandRefused */
export async function typePassword(): Promise<string> {
  const first = await typeHidden('Password: ');
  if ((await typeHidden('Once more: ')) === first) return first;
  return refuseCommand('The two passwords differ. Nothing was changed.');
}

/** Reads one line from the terminal without echoing it; Ctrl-C ends the command. */
async function typeHidden(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  lines.once('SIGINT', () => {
    process.stderr.write('\n');
    process.exit(130);
  });
  process.stderr.write(question);
  try {
    return await nextLine(lines, '');
  } finally {
    process.stderr.write('\n');
  }
}

/** Reads one line from the terminal, echoed as it is typed; Ctrl-C ends the command. */
export async function askLine(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  lines.once('SIGINT', () => process.exit(130));
  return (await nextLine(lines, question)).trim();
}

/** @throws Error if the terminal is closed while waiting */
async function nextLine(lines: Interface, question: string): Promise<string> {
  const ended = new Promise<never>((_, reject) =>
    lines.once('close', () => reject(new Error('The terminal was closed.'))),
  );
  try {
    return await Promise.race([lines.question(question), ended]);
  } finally {
    ended.catch(() => {});
    lines.close();
  }
}
