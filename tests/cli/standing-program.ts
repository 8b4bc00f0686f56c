import { Readable } from 'node:stream';
import { runCli } from '#lib/cli/run.ts';
import { forgetMade } from '../support/made.ts';
import { type Call, endOfOutput } from './standing.ts';

// Runs many commands of lib/cli.ts one after another, each as if it had just been started.
process.umask(0o077);
process.on('message', (call: Call) => void answer(call));
process.on('disconnect', () => process.exit());

async function answer({ args, env, input }: Call): Promise<void> {
  forgetMade();
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  // There is no terminal to type at, but input can come through a pipe.
  const stdin = Readable.from(input === '' ? [] : [Buffer.from(input)]);
  Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
  process.exitCode = undefined;
  const code = await runCli(args);
  process.exitCode = undefined;
  for (const stream of [process.stdout, process.stderr]) stream.write(endOfOutput);
  process.send?.(code);
}
