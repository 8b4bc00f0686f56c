// The entry point of every package.json script: `run.mjs COMMAND …`. `run.mjs --node COMMAND` only
// prints which Node.js runs it, once its packages are installed: a script that continues with that
// one leaves no older Node.js waiting. Plain JavaScript for Node 20: nothing may be installed yet.
import { resolve } from 'node:path';
import { fileFailure, runChild, SetupError } from './child.mjs';
import { findNode, install, isInstalled } from './install.mjs';
import { isCommand, needs, placeOf } from './needs.mjs';
import { root } from './stamp.mjs';

/** Commands that need no development packages: whoever only runs the server does not install them. */
const withoutDev = ['start', 'dev', 'build', 'cli', 'demo', 'sandbox', 'package', 'release'];
const isAsked = process.argv[2] === '--node';
const [command = '', ...args] = process.argv.slice(isAsked ? 3 : 2);
process.chdir(root);
process.env.NEXT_TELEMETRY_DISABLED = '1';
process.env.CHECKPOINT_DISABLE = '1';

try {
  const steps = isCommand(command) ? needs[command] : [];
  const withDev = !withoutDev.includes(command);
  if (command === 'start' && !isInstalled(withDev))
    console.error(
      `Gatehouse gets ready in ${steps.length} steps: about a minute, some minutes on a small or busy machine. Later starts take seconds.`,
    );
  await install(withDev, placeOf('install', steps));
  const node = findNode();
  if (isAsked) {
    console.log(node);
  } else if (node === process.execPath) {
    const { runCommand } = await import('./commands.ts');
    process.exitCode = await runCommand(command, args);
  } else {
    process.exitCode = await runChild(node, [
      resolve(root, 'lib/tooling/run.mjs'),
      command,
      ...args,
    ]);
  }
} catch (error) {
  const sentence = error instanceof SetupError ? error.message : fileFailure(error);
  if (!sentence) throw error;
  console.error(`\n${sentence}`);
  process.exitCode = 1;
}
