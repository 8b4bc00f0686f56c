import { resolve } from 'node:path';
import { refuseCommand } from './refuse.ts';

/**
 * The absolute path of a file named on the command line, which is relative to the folder the
 * command was called in.
 * @throws CommandRefused for `-`, where a command cannot use standard input or output
 */
export function fileNamed(path: string): string {
  if (path === '-')
    refuseCommand(
      'This takes the name of a file: - would be standard input or output. A file of that name is ./-.',
    );
  return resolve(process.env.INIT_CWD ?? '', path);
}
