import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { refuseCommand } from './refuse.ts';

/** Asks for a new password at the terminal, twice, without showing it. @throws CommandRefused */
export async function typePassword(): Promise<string> {
  const first = await typeHidden('Password: ');
  if ((await typeHidden('Once more: ')) === first) return first;
  return refuseCommand('The two passwords differ. Nothing was changed.');
}

/** One line from the terminal. What readline would show goes nowhere; Ctrl-C ends the command. */
async function typeHidden(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  lines.on('SIGINT', () => {
    process.stderr.write('\n');
    process.exit(130);
  });
  const ended = new Promise<never>((_, reject) =>
    lines.once('close', () => reject(new Error('The terminal was closed.'))),
  );
  process.stderr.write(question);
  try {
    return await Promise.race([lines.question(''), ended]);
  } finally {
    lines.close();
    ended.catch(() => {});
    process.stderr.write('\n');
  }
}
