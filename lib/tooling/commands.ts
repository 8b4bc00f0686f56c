import { addEnvFile, EnvFileError } from '../settings/env-file.ts';
import { become, compileCache, runChild, SetupError } from './child.mjs';
import { type CommandName, isCommand, needs, placeOf, type StepName } from './needs.mjs';
import { prepare } from './prepare.ts';
import { programs } from './programs.ts';
import { ensureServerSecret } from './secret.ts';
import { root } from './stamp.mjs';

const node = process.execPath;

/** What each command does once everything it needs is in place. */
const commands: Record<CommandName, (args: string[]) => Promise<number>> = {
  start: async (args) => {
    const names = readDotEnv();
    return become(node, [programs.server, ...args], {
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: compileCache,
      READ_FROM_ENV_FILE: names.join(' '),
    });
  },
  dev: async (args) => {
    readDotEnv();
    ensureServerSecret(process.env);
    return runChild(node, ['lib/server/dev.ts', ...args], { NODE_ENV: 'development' });
  },
  build: async () => 0,
  cli: async (args) => {
    readDotEnv();
    return runChild(node, ['lib/cli.ts', ...args], { NODE_ENV: 'production' });
  },
  demo: async (args) => {
    return runChild(node, ['lib/demo.ts', ...args], { NODE_ENV: 'production' });
  },
  sandbox: async (args) => {
    return runChild(node, ['lib/demo/sandbox.ts', ...args], { NODE_ENV: 'production' });
  },
  docs: async () => {
    return runChild(node, ['lib/reference/write.ts']);
  },
  check,
  bench: async (args) => {
    return runBench(args);
  },
  'bench:peers': async (args) => {
    const installed = await runChild('npm', ['ci', '--prefix', 'tests/lab/bench/peers']);
    return installed || runBench(['--peers', ...args]);
  },
  'bench:memory': async (args) => {
    return runChild('taskset', ['-c', '1', node, 'tests/lab/bench/memory.ts', ...args], {
      NODE_ENV: 'production',
    });
  },
  'bench:package': async (args) => {
    return runChild(node, [
      '--disable-warning=ExperimentalWarning',
      'tests/lab/bench/package.ts',
      ...args,
    ]);
  },
  'bench:lists': async (args) => {
    return runChild(node, ['tests/lab/bench/lists.ts', ...args], { NODE_ENV: 'production' });
  },
  'bench:ldap': async (args) => {
    return runChild('taskset', ['-c', '1', node, 'tests/lab/bench/ldap.ts', ...args], {
      NODE_ENV: 'production',
    });
  },
  'bench:pages': async (args) => {
    return runChild(node, ['tests/lab/bench/pages.ts', ...args], { NODE_ENV: 'production' });
  },
  'bench:import': async (args) => {
    return runChild(node, ['tests/lab/bench/import.ts', ...args], { NODE_ENV: 'production' });
  },
  'bench:enumeration': async (args) => {
    return runChild(node, ['tests/lab/bench/enumeration.ts', ...args], { NODE_ENV: 'production' });
  },
  fuzz: async (args) => {
    return runChild(node, ['tests/lab/soak/fuzz-run.ts', ...args], { NODE_ENV: 'production' });
  },
  soak: async (args) => {
    return runChild(node, ['tests/lab/soak/soak.ts', ...args], { NODE_ENV: 'production' });
  },
  pictures: async () => {
    return runChild(node, ['tests/pictures/draw.ts'], { NODE_ENV: 'production' });
  },
  package: (args) =>
    runChild(node, ['--disable-warning=ExperimentalWarning', 'lib/package/main.ts', ...args]),
  release: async (args) => {
    const { release } = await import('../package/release.ts');
    if (!release(root, args, new Date())) return 0;
    console.log('\nThe release is made. Its packages follow; npm run package makes them again.\n');
    return runCommand('package', []);
  },
  migration: (args) => runChild(node, ['lib/tooling/new-migration.ts', ...args]),
  test: async (args) => (await import('./test.ts')).runTests(args, check),
};

/** Types, lint and format. */
async function check(): Promise<number> {
  // With the incremental state of an earlier run, tsc 7.0 misses errors in files that import a
  // module that no longer exists.
  const types = await runChild(node, [
    'node_modules/typescript/bin/tsc',
    '--noEmit',
    '--incremental',
    'false',
  ]);
  const style = await runChild(node, ['node_modules/@biomejs/biome/bin/biome', 'check']);
  return types || style;
}

/** Gives the load generator and the servers a core each (Linux). */
function runBench(args: string[]): Promise<number> {
  return runChild('taskset', ['-c', '1', node, 'tests/lab/bench/run.ts', ...args], {
    NODE_ENV: 'production',
  });
}

/** Runs one package.json script and returns its exit code. */
export async function runCommand(command: string, args: string[]): Promise<number> {
  if (!isCommand(command))
    throw new SetupError(
      `There is no "${command}"; there are: ${Object.keys(commands).join(', ')}.`,
    );
  const steps: readonly StepName[] = needs[command];
  // runTests prepares for itself what the chosen tests need.
  const isFirst = command !== 'test' && (await prepare(steps));
  if (isFirst && steps.includes('begin'))
    console.error(`${placeOf('begin', steps)}Starting, with the database first`);
  return commands[command](args);
}

/**
 * Loads the settings file; the real environment wins over it. Returns the names that come from the
 * file, and none if it cannot be used: the program that is started says so.
 */
function readDotEnv(): string[] {
  try {
    return addEnvFile(process.env, root);
  } catch (error) {
    if (error instanceof EnvFileError) return [];
    throw error;
  }
}
