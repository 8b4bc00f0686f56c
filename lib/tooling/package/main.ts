import { SetupError } from '../child.mjs';
import { root } from '../schema.ts';
import { makePackages } from './package.ts';

// A process of its own: taking types out of files is new in Node.js, which says so.
try {
  await makePackages(root, process.argv.slice(2));
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
