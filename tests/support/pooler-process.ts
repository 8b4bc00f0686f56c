import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';

/**
 * Runs a pooler until it says that it is up. Its later output is ignored.
 * @param folder the pooler's folder, removed together with it
 * @param about what it writes once it is up, and the signal that ends it without waiting for its
 * clients
 * @returns a function that stops it
 * @throws Error with its output if it ends instead
 */
export async function runPooler(
  command: string,
  args: readonly string[],
  folder: string,
  about: { up: string; endsBy: 'SIGINT' | 'SIGTERM' },
): Promise<() => Promise<void>> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const end = () => child.kill(about.endsBy);
  process.once('exit', end);
  const said: string[] = [];
  let isUp = false;
  for await (const line of createInterface(child.stderr)) {
    said.push(line);
    isUp = line.includes(about.up);
    if (isUp) break;
  }
  if (!isUp) throw new Error(`${command} does not start: ${said.join('\n')}`);
  child.stderr.resume();
  return async () => {
    process.removeListener('exit', end);
    const gone = child.exitCode === null && once(child, 'exit');
    end();
    await gone;
    rmSync(folder, { recursive: true, force: true });
  };
}
