import { resolve } from 'node:path';
import { keepsNextFromEnvFiles } from '../settings/env-file.ts';
import { runStep } from './child.mjs';
import { importedBy } from './imports.ts';
import { withLock } from './lock.mjs';
import { placeOf, type StepName } from './needs.mjs';
import { hashOf, isStamped, root, stamped } from './stamp.mjs';

export type Step = Parameters<typeof runStep>[0] & {
  stamp: string;
  /** The files and folders it depends on. */
  inputs: string[];
  /** Those it depends on together with everything of ours that they import. */
  imports?: string[];
  /** Further environment variables for the step, derived from the hash of its inputs. */
  told?: (hash: string) => Record<string, string>;
};

export const generate: Step = {
  title: 'Generating the types of the tables',
  advice: 'The lines above name the mistake in prisma/schema.prisma.',
  command: process.execPath,
  args: ['lib/tooling/generate.ts'],
  stamp: 'prisma/generated/.stamp',
  inputs: [
    'prisma/schema.prisma',
    'lib/tooling/generate.ts',
    'lib/tooling/rows.ts',
    'lib/tooling/schema.ts',
    'node_modules/prisma/package.json',
    'package-lock.json',
  ],
};

const messages: Step = {
  title: 'Compiling the messages',
  advice: 'The lines above name the message in lib/messages/catalogues.',
  command: process.execPath,
  args: ['lib/tooling/messages.ts'],
  stamp: 'lib/messages/compiled/.stamp',
  inputs: ['lib/messages/catalogues', 'lib/tooling/messages.ts', 'package-lock.json'],
};

export const build: Step = {
  title: 'Building the screens',
  takes: 'the longest step: half a minute, or a few minutes on a small machine',
  advice: 'Fix what the lines above name, or delete the folder .next and run the command again.',
  command: process.execPath,
  args: ['node_modules/next/dist/bin/next', 'build'],
  env: { NODE_ENV: 'production', ...keepsNextFromEnvFiles },
  // Next.js would generate both. The key is no secret: a running server has its own
  // (lib/server/serve.ts).
  told: (hash) => ({
    BUILD_INPUTS: hash,
    NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: Buffer.from(hash, 'hex').toString('base64'),
  }),
  stamp: '.next/.stamp',
  inputs: ['public', 'tsconfig.json', 'package.json', 'package-lock.json'],
  imports: ['app', 'proxy.ts', 'next.config.js', 'lib/tooling/prepare.ts'],
};

/** Runs after the build of the pages, because Next.js empties the folder of its build. */
const bundle: Step = {
  title: 'Bundling the server',
  advice: 'Fix what the lines above name.',
  command: process.execPath,
  args: ['lib/tooling/bundle.ts'],
  stamp: '.next/programs/.stamp',
  inputs: ['app', 'lib', 'prisma/schema.prisma', 'package.json', 'package-lock.json'],
};

export const docs: Step = {
  title: 'Writing the pages of the documentation',
  advice: 'The lines above name the mistake in docs/.',
  command: process.execPath,
  args: ['lib/docs/write.ts'],
  stamp: '.next/docs/.stamp',
  inputs: ['docs', 'lib/docs', 'lib/recipes', 'package-lock.json'],
};

const known: Partial<Record<StepName, Step>> = { generate, messages, build, bundle, docs };

/** Brings the named steps up to date, in this order. @returns whether anything had to be done */
export async function prepare(steps: readonly StepName[]): Promise<boolean> {
  let done = false;
  for (const name of steps) {
    const step = known[name];
    if (step && (await upToDate({ ...step, place: placeOf(name, steps) }))) done = true;
  }
  return done;
}

export const inputsOf = ({ inputs, imports = [] }: Pick<Step, 'inputs' | 'imports'>): string[] => [
  ...importedBy(imports),
  ...inputs,
];

/**
 * Runs a step if its inputs have changed since it last ran, in one process at a time.
 * @returns whether this process ran it
 */
export async function upToDate(step: Step): Promise<boolean> {
  const stamp = resolve(root, step.stamp);
  if (isStamped(stamp, hashOf(inputsOf(step)))) return false;
  return withLock(async () => {
    // Checked again, because another process may have run the step while this one waited.
    const hash = hashOf(inputsOf(step));
    if (isStamped(stamp, hash)) return false;
    await stamped(stamp, hash, () =>
      runStep({ ...step, env: { ...step.env, ...step.told?.(hash) } }),
    );
    return true;
  });
}
