import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { newData, runCommandLine, serve } from './throwaway.ts';

/* `npm run sandbox`: a server for the tests of an app. It is gone when they are over. */
process.chdir(resolve(import.meta.dirname, '../..'));
/** The folder it was called from: npm changes to the folder of package.json. */
const from = process.env.INIT_CWD ?? process.cwd();
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());

const password = 'let me through the gate';
const usage =
  'Usage: npm run sandbox -- [--redirect-uri URI]… [--file gatehouse.yaml] [--port PORT] [-- COMMAND…]';

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (!stop.signal.aborted) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
// Connections that are kept open must not keep the process alive.
process.exit();

async function run(args: string[]): Promise<number> {
  const at = args.indexOf('--');
  const own = readOptions(at < 0 ? args : args.slice(0, at));
  const command = at < 0 ? [] : args.slice(at + 1);
  const { env, remove } = newData('gatehouse-sandbox-', own.port);
  const { ready, end } = serve(env, remove, stop.signal);
  try {
    const issuer = await ready;
    const told = await fill({ ...env, ISSUER: issuer }, own);
    return await use(command, { GATEHOUSE_ISSUER: issuer, ...told });
  } finally {
    await end();
  }
}

type Options = { redirectUris: string[]; file: string | undefined; port: string };

/** @throws Error with the usage for an unknown option */
function readOptions(args: string[]): Options {
  const text = { type: 'string' } as const;
  try {
    const { values } = parseArgs({
      args,
      options: { 'redirect-uri': { ...text, multiple: true }, file: text, port: text },
    });
    const {
      'redirect-uri': redirectUris = ['http://127.0.0.1/callback'],
      file,
      port = '0',
    } = values;
    return { redirectUris, file, port };
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${usage}`);
  }
}

/** Adds people and an app; returns the variables that a test needs to use them. */
async function fill(
  env: NodeJS.ProcessEnv,
  { redirectUris, file }: Options,
): Promise<Record<string, string>> {
  if (file) await runCommandLine(env, ['apply', resolve(from, file), '--yes']);
  const person = (username: string, name: string, ...more: string[]) => {
    const given = ['--username', username, '--email', `${username}@example.org`, '--name', name];
    return runCommandLine(env, ['user', 'create', ...given, '--password', password, ...more]);
  };
  await person('ada', 'Ada Lovelace', '--email-verified');
  await person('grace', 'Grace Hopper');
  const addresses = redirectUris.flatMap((uri) => ['--redirect-uri', uri]);
  const { client_id, client_secret } = await runCommandLine(env, [
    'client',
    'create',
    '--name',
    'App under test',
    ...addresses,
  ]);
  return {
    GATEHOUSE_CLIENT_ID: String(client_id),
    GATEHOUSE_CLIENT_SECRET: String(client_secret),
    GATEHOUSE_USERNAME: 'ada',
    GATEHOUSE_OTHER_USERNAME: 'grace',
    GATEHOUSE_PASSWORD: password,
  };
}

/** Runs the command to its end, or waits for Ctrl-C. Returns the exit code. */
async function use([program, ...args]: string[], told: Record<string, string>): Promise<number> {
  if (program === undefined) {
    for (const [name, value] of Object.entries(told)) console.log(`${name}='${value}'`);
    console.log('Press Ctrl-C to stop. Everything that this server stored is deleted.');
    if (!stop.signal.aborted) await once(stop.signal, 'abort');
    return 0;
  }
  const env = { ...process.env, ...told };
  const child = spawn(program, args, { cwd: from, env, stdio: 'inherit' });
  stop.signal.addEventListener('abort', () => child.kill());
  const [code, signal] = await once(child, 'exit');
  return code ?? 128 + constants.signals[signal as NodeJS.Signals];
}
