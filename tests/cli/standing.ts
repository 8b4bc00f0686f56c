import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';

/** `input` is the standard input. */
export type Call = { args: string[]; env: NodeJS.ProcessEnv; input: string };
export type Ran = { code: number | null; stdout: string; stderr: string };

/** Marks the end of a command's output; no command prints it. */
export const endOfOutput = '\0';

/**
 * A program that is started once and runs command after command, because starting takes longer than
 * most commands.
 */
export class StandingProgram {
  readonly #child: ChildProcess;
  /** Rejects if the program ends by itself. */
  readonly #ended: Promise<never>;
  #last: Promise<unknown> = Promise.resolve();

  constructor() {
    const program = resolve(import.meta.dirname, 'standing-program.ts');
    this.#child = fork(program, {
      cwd: resolve(import.meta.dirname, '../..'),
      env: { ...process.env, NODE_ENV: 'production' },
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const { stdout, stderr } = this.#child;
    for (const stream of [stdout, stderr]) stream?.setEncoding('utf8');
    this.#ended = once(this.#child, 'exit').then(([code]) => {
      throw new Error(`The program that runs commands has ended with code ${code}.`);
    });
    this.#ended.catch(() => {});
  }

  /** Runs a command once the earlier ones have ended. */
  run(call: Call): Promise<Ran> {
    const ran = this.#last.then(() => this.#answer(call));
    this.#last = ran.catch(() => {});
    return ran;
  }

  async #answer(call: Call): Promise<Ran> {
    const { stdout, stderr } = this.#child;
    if (!stdout || !stderr) throw new Error('What it prints is not heard.');
    if (this.#child.connected) this.#child.send(call);
    const all = Promise.all([once(this.#child, 'message'), printed(stdout), printed(stderr)]);
    const [[code], out, err] = await Promise.race([all, this.#ended]);
    return { code, stdout: out, stderr: err };
  }
}

/** What one command prints to a stream. */
function printed(stream: Readable): Promise<string> {
  return new Promise((settle) => {
    let text = '';
    const read = (chunk: string) => {
      text += chunk;
      if (!text.endsWith(endOfOutput)) return;
      stream.off('data', read);
      settle(text.slice(0, -endOfOutput.length));
    };
    stream.on('data', read);
  });
}
