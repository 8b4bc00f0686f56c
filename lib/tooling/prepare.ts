import { resolve } from 'node:path';
import { runStep } from './child.mjs';
import { withLock } from './lock.mjs';
import { hashOf, isStamped, root, stamped } from './stamp.mjs';

export type Step = Parameters<typeof runStep>[0] & { stamp: string; inputs: string[] };

export const generate: Step = {
  title: 'Generating the database clients',
  advice: 'The lines above name the mistake in prisma/schema.prisma.',
  command: process.execPath,
  args: ['lib/tooling/generate.ts'],
  stamp: 'prisma/generated/.stamp',
  inputs: [
    'prisma/schema.prisma',
    'lib/tooling/generate.ts',
    'lib/tooling/rows.ts',
    'lib/tooling/schema.ts',
    'package-lock.json',
  ],
};

export const build: Step = {
  title: 'Building the screens (about half a minute)',
  advice: 'Fix what the lines above name, or delete the folder .next and run the command again.',
  command: process.execPath,
  args: ['node_modules/next/dist/bin/next', 'build'],
  env: { NODE_ENV: 'production' },
  stamp: '.next/.stamp',
  inputs: [
    'app',
    'lib',
    'public',
    'prisma/schema.prisma',
    'proxy.ts',
    'next.config.js',
    'tsconfig.json',
    'package.json',
    'package-lock.json',
  ],
};

export const docs: Step = {
  title: 'Writing the pages of the documentation',
  advice: 'The lines above name the mistake in docs/.',
  command: process.execPath,
  args: ['lib/docs/write.ts'],
  stamp: '.next/docs/.stamp',
  inputs: ['docs', 'lib/docs', 'package-lock.json'],
};

/** Generates what the source files need to run: the Prisma clients. */
export const prepareToRun = () => upToDate(generate);

/** Builds what the production server serves. */
export async function prepareToServe(): Promise<void> {
  await upToDate(generate);
  await upToDate(build);
  await upToDate(docs);
}

/** Runs a step if its inputs have changed since it last ran, in one process at a time. */
export async function upToDate(step: Step): Promise<void> {
  const stamp = resolve(root, step.stamp);
  if (isStamped(stamp, hashOf(step.inputs))) return;
  await withLock(async () => {
    // Checked again: another process may have done it while this one waited.
    const hash = hashOf(step.inputs);
    if (!isStamped(stamp, hash)) await stamped(stamp, hash, () => runStep(step));
  });
}
