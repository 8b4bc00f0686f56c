import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { keepsNextFromEnvFiles } from '#lib/settings/env-file.ts';
import { programs } from '#lib/tooling/programs.ts';
import { SiteBrowser } from '../../support/guarded.ts';
import type { TestServer } from '../../support/open-server.ts';
import { Person } from '../../support/person.ts';
import { ask } from './load.ts';
import { publicJwk, thumbprint } from './proofs.ts';
import { authorizeRequest, basicOf, proxySecret, type Target, tokenRequest } from './workloads.ts';

/** A running server, pinned to its core. */
export type Running = {
  target: Target;
  process: ChildProcess;
  stop: () => Promise<void>;
  /** The user who signs in, where that is measured. */
  username?: string;
};

export type Options = {
  databaseUrl: string;
  connections: number;
  env?: Record<string, string>;
  /** The cores it runs on, in the syntax of `taskset`; by default only the first. */
  cores?: string;
  /** The checkout that it is started from; by default this one. */
  root?: string;
};

const serverCore = '0';
const env: Record<string, string> = {
  PATH: process.env.PATH ?? '',
  NODE_ENV: 'production',
  SERVER_SECRET: 'a secret of the benchmarks, worth nothing elsewhere',
  LOG_LEVEL: 'warn',
  NEXT_TELEMETRY_DISABLED: '1',
  PROXY_SECRET: proxySecret,
  BENCH_JWK: JSON.stringify(publicJwk),
  BENCH_JKT: thumbprint,
};

const paths = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  me: '/oauth/me',
  introspect: '/oauth/introspect',
};

/**
 * Starts Gatehouse, directly or as Next.js route handlers, signs a user in and gets tokens for each
 * connection.
 */
export async function startGatehouse(mount: 'direct' | 'next', options: Options): Promise<Running> {
  const { user, client, withKey, site, appPassword } = seed(options);
  const fixed = 4600 + Math.floor(Math.random() * 300);
  const command =
    mount === 'direct'
      ? [serverOf(options.root)]
      : ['node_modules/next/dist/bin/next', 'start', '-p', String(fixed), '-H', '127.0.0.1'];
  const own: Record<string, string> =
    mount === 'direct'
      ? { PORT: '0' }
      : { PORT: String(fixed), ISSUER: `http://localhost:${fixed}`, ...keepsNextFromEnvFiles };
  const running = await start(
    command,
    /listening on [^)]*:(\d+)|Ready in/,
    { ...options.env, ...own, DATABASE_URL: options.databaseUrl },
    options,
  );
  const port = running.port || fixed;
  const target = targetOf(
    mount === 'direct' ? 'Gatehouse' : 'Gatehouse as Next.js route handlers',
    port,
    client,
  );
  target.cookies = [await signIn(port, user.username, target)];
  await getTokens(target, options.connections);
  if (withKey) {
    const jwt = { ...targetOf(target.name, port, withKey), hasKey: true };
    jwt.cookies = [await signIn(port, user.username, jwt)];
    await getTokens(jwt, options.connections);
    const dpop = { ...target, tokens: [], proves: true };
    await getTokens(dpop, options.connections);
    target.strong = { dpop, jwt };
  }
  if (site) {
    const cookies = await siteCookies(site, target, user.username, options.connections);
    const authorization = appPassword && basicOf(user.username, appPassword);
    const { host } = new URL(site);
    target.guarded = { host, cookies, authorization, path: '/proxy/verify/traefik' };
  }
  return { ...running, target, username: user.username };
}

/** Signs a person in on a guarded site, once for each connection. */
async function siteCookies(
  site: string,
  { port }: Target,
  username: string,
  connections: number,
): Promise<string[]> {
  const base = `http://localhost:${port}`;
  const person = new Person({ base, port, issuer: base } as TestServer, username);
  const cookies: string[] = [];
  for (let index = 0; index < connections; index += 1) {
    const browser = new SiteBrowser(person, 'traefik');
    browser.proxy = { 'x-gatehouse-proxy-secret': proxySecret };
    const { status, body } = await browser.enter(`${site}/`);
    if (status !== 200) throw new Error(`The guard let nobody in: ${status} ${body}`);
    cookies.push([...browser.jarOf(site)].map(([name, value]) => `${name}=${value}`).join('; '));
  }
  return cookies;
}

/** Starts the floor, which runs the same statements without any checks. */
export async function startFloor(options: Options): Promise<Running> {
  const { user, client } = seed(options);
  const running = await start(['tests/lab/bench/floor.ts', user.id, client.id], /^ready (\d+)/, {
    DATABASE_URL: options.databaseUrl,
  });
  const target = targetOf('the floor', running.port, client);
  target.cookies = [''];
  await getTokens(target, options.connections);
  return { ...running, target };
}

function targetOf(name: string, port: number, client: SeededClient): Target {
  const { id: clientId, secret: clientSecret, redirectUri } = client;
  return {
    name,
    port,
    paths,
    clientId,
    clientSecret,
    redirectUri,
    authorizeParams: { scope: 'openid profile email' },
    cookies: [],
    tokens: [],
  };
}

type SeededClient = { id: string; secret: string; redirectUri: string };

function seed(options: Options): {
  user: { id: string; username: string };
  client: SeededClient;
  /** Earlier versions do not return one. */
  withKey?: SeededClient;
  site?: string;
  /** Of the user, for the app of the site. */
  appPassword?: string;
} {
  return JSON.parse(run(options, ['tests/lab/bench/seed.ts']));
}

/** Adds this many authorizations of other people to a database. */
export function fill(options: Options, authorizations: number): void {
  run(options, ['tests/lab/bench/fill.ts', String(authorizations)]);
}

/** Earlier versions have no bundle. */
const serverOf = (root = '.') =>
  existsSync(resolve(root, programs.server)) ? programs.server : 'lib/server.ts';

/** Creates the tables as defined in the checkout that is measured. */
export function makeTables(options: Options): void {
  run(options, [
    '--input-type=module',
    '--eval',
    "const { applyMigrations } = await import('./lib/tooling/migrate.ts'); await applyMigrations(process.env.DATABASE_URL);",
  ]);
}

/**
 * Runs a program of the checkout to its end, before anything is measured, and returns its output.
 */
function run({ databaseUrl, root }: Options, command: string[]): string {
  const child = spawnSync(process.execPath, command, {
    cwd: root,
    env: { ...env, DATABASE_URL: databaseUrl } as unknown as NodeJS.ProcessEnv,
    encoding: 'utf8',
  });
  if (child.status !== 0) throw new Error(child.stderr);
  return child.stdout;
}

async function signIn(port: number, username: string, target: Target): Promise<string> {
  const base = `http://localhost:${port}`;
  const person = new Person({ base, issuer: base } as TestServer, username);
  await person.authorize({
    ...target.authorizeParams,
    client_id: target.clientId,
    response_type: 'code',
    redirect_uri: target.redirectUri,
  });
  return [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}

async function getTokens(target: Target, connections: number): Promise<void> {
  for (let index = 0; index < connections; index += 1) {
    const authorized = await ask(target.port, authorizeRequest(target, index));
    const { status, body } = await ask(target.port, tokenRequest(target, authorized));
    if (status !== 200)
      throw new Error(`${target.name} gave no token: ${status} ${authorized.status} ${body}`);
    const { access_token: access, refresh_token: refresh } = JSON.parse(body);
    target.tokens.push({ access, refresh });
  }
}

/** Starts a server process on its core and waits for the line with its port. */
export async function start(
  command: string[],
  ready: RegExp,
  more: Record<string, string> = {},
  {
    cores = serverCore,
    root,
    isNode = true,
  }: Pick<Options, 'cores' | 'root'> & { isNode?: boolean } = {},
) {
  const profile = process.env.BENCH_PROFILE
    ? ['--cpu-prof', `--cpu-prof-dir=${process.env.BENCH_PROFILE}`]
    : [];
  const whole = isNode ? [process.execPath, ...profile, ...command] : command;
  const child = spawn('taskset', ['-c', cores, ...whole], {
    cwd: root,
    env: { ...env, ...more } as unknown as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill());
  const line = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${command[0]} ended with ${code}`)));
    createInterface(child.stdout).on('line', (line) => {
      const found = ready.exec(line);
      if (found) resolve(found[1] ?? '0');
    });
  });
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  return { line, port: Number(line), process: child, stop };
}
