import { SetupError } from '../tooling/child.mjs';
import { root } from '../tooling/schema.ts';
import { makePackages } from './package.ts';

// In a process of its own, because Node.js prints a warning: its function that strips types is
// still experimental.
try {
  await makePackages(root, process.argv.slice(2));
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
