import { appendFileSync } from 'node:fs';

/**
 * Says that tests are skipped because a program is not to be had: in the output, and in the closing
 * lines of the run.
 * @param program what is missing
 * @param command what brings it
 * @param reason why it could not be installed, if that was tried; its first line is shown
 */
export function missing(program: string, command: string, reason?: unknown): void {
  const why = reason === undefined ? '' : ` (${String(reason).split('\n')[0]})`;
  const line = `${program}: ${command}${why}`;
  console.info(`No test with ${line}`);
  if (process.env.TEST_MISSING) appendFileSync(process.env.TEST_MISSING, `${line}\n`);
}
