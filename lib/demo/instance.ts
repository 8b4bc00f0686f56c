import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseEnv, promisify } from 'node:util';
import { note, title } from './transcript.ts';

/** The demo's own server. Its data is in a temporary folder and deleted with it. */
export type Instance = {
  origin: string;
  person: { username: string; password: string };
  /** Signs a browser in as the admin: what Set-Cookie says. */
  adminCookie: string;
  /** Registers an app, by the options of `client create`. */
  createClient: (options: string[]) => Promise<Omit<DemoClient, 'redirectUri'>>;
  end: () => Promise<void>;
};
export type DemoClient = { id: string; secret: string; redirectUri: string };

const person = { username: 'demo', password: 'let me through the gate' };

export async function startInstance(stop: AbortSignal): Promise<Instance> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-demo-'));
  const env = environment(folder);
  title('A server of its own');
  note(`Its data is in ${folder}.`);
  const adminCookie = await fill(env).catch((error: unknown) => {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  });
  const server = spawn(process.execPath, ['lib/server.ts'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const end = async () => {
    if (server.exitCode === null && server.signalCode === null) {
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const origin = await readyAt(server.stdout, once(server, 'exit', { signal: stop }));
    note(`It listens at ${origin}. The command line creates one more user and two apps:`);
    const { username, password } = person;
    await cli(
      env,
      [
        'user',
        'create',
        '--username',
        username,
        '--email',
        'demo@example.org',
        '--name',
        'Dora Demo',
      ],
      password,
    );
    const createClient = (options: string[]) => register(env, options);
    return { origin, person, adminCookie, createClient, end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Ignores the operator's configuration: variables in .env are blanked here, and so left alone. */
function environment(folder: string): NodeJS.ProcessEnv {
  const theirs = existsSync('.env') ? Object.keys(parseEnv(readFileSync('.env', 'utf8'))) : [];
  return {
    ...Object.fromEntries(theirs.map((name) => [name, ''])),
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    DATABASE_URL: `file:${folder}/gatehouse.db`,
    DATA_DIR: folder,
    SERVER_SECRET: randomBytes(36).toString('base64url'),
    PORT: '0',
    LOG_LEVEL: 'error',
    // Eighty passwords that protect nothing.
    BCRYPT_COST: '4',
  };
}

/** Lets people live a week in the new database; gives the admin's cookie. */
async function fill(env: NodeJS.ProcessEnv): Promise<string> {
  const start = Date.now();
  const { stdout } = await promisify(execFile)(process.execPath, ['lib/demo/seed.ts'], {
    env: { ...env, DEMO_PASSWORD: person.password },
  });
  const { cookie, ...made } = JSON.parse(stdout) as {
    cookie: string;
    people: number;
    apps: number;
  };
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  note(
    `${made.people} users and ${made.apps} apps have had a week of life in it, made in ${seconds} s.`,
  );
  return cookie;
}

async function readyAt(output: NodeJS.ReadableStream, ended: Promise<unknown>): Promise<string> {
  const lines = createInterface(output);
  const ready = (async () => {
    for await (const line of lines) {
      const origin = /is ready at (\S+)/.exec(line)?.[1];
      if (origin) return origin;
    }
    return undefined;
  })();
  const origin = await Promise.race([ready, ended.then(() => undefined)]);
  if (!origin) throw new Error('The demo server did not start. The lines above say why.');
  // Keeps later output from filling the pipe.
  output.resume();
  return origin;
}

async function register(env: NodeJS.ProcessEnv, options: string[]) {
  const made = await cli(env, ['client', 'create', ...options]);
  return { id: String(made.client_id), secret: String(made.client_secret) };
}

/** Runs the command line as from a terminal. */
async function cli(
  env: NodeJS.ProcessEnv,
  args: string[],
  password?: string,
): Promise<Record<string, unknown>> {
  const given = password === undefined ? args : [...args, '--password', password];
  note(
    `  npm run cli -- ${given.map((word) => (/^[\w:/.@-]+$/.test(word) ? word : `"${word}"`)).join(' ')}`,
  );
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['lib/cli.ts', ...given, '--json'],
    { env },
  );
  return JSON.parse(stdout) as Record<string, unknown>;
}
