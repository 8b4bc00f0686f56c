import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { keepsNextFromEnvFiles } from '#lib/settings/env-file.ts';
import { compileCache } from '#lib/tooling/child.mjs';
import { programs } from '#lib/tooling/programs.ts';
import { apart } from './apart.ts';
import { freePort } from './free-port.ts';
import { sharedEnv } from './shared-env.ts';

/**
 * How the endpoints are served: by our own server, or by Next.js through the route handlers in
 * `app/`.
 */
export type MountKind = 'direct' | 'next';

/** A server process that belongs to the tests. */
export type Server = {
  origin: string;
  port: number;
  process: ChildProcess;
  /** The file of its log. */
  logFile: string;
  stop: () => Promise<void>;
};

export type ServerOptions = {
  mount: MountKind;
  databaseUrl: string;
  /** The file of its log. */
  logFile: string;
  env?: Record<string, string>;
  /** The program to start instead; the path may be a symbolic link. */
  program?: string;
};

/**
 * Whether a test server is one process. With TEST_WORKERS=2 it is two processes that share the
 * work.
 */
export const isOneProcess = !process.env.TEST_WORKERS;

/** Starts a server on a free port of 127.0.0.1 and waits until it answers. */
export async function startServer({
  mount,
  databaseUrl,
  logFile,
  env = {},
  program = programs.server,
}: ServerOptions): Promise<Server> {
  const wanted = mount === 'next' ? await freePort() : 0;
  const child = spawn(process.execPath, mount === 'next' ? nextStart(wanted) : [program], {
    env: { ...serverEnvironment(mount, databaseUrl, wanted), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Interrupting a test run leaves no server behind.
  const end = () => child.kill();
  process.once('exit', end);
  child.once('exit', () => process.removeListener('exit', end));
  const closed = once(child, 'close');
  const port = await readyPort(child, logFile, wanted);
  return {
    origin: `http://localhost:${port}`,
    port,
    process: child,
    logFile,
    stop: () => stop(child, closed),
  };
}

/** The whole environment of a test server. */
export function serverEnvironment(
  mount: MountKind,
  databaseUrl: string,
  port: number,
): NodeJS.ProcessEnv {
  return {
    ...apart(),
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    // As with `npm start`.
    NODE_COMPILE_CACHE: compileCache,
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    // `next start` cannot find out its own address; the direct server can.
    ...(mount === 'next' ? { ISSUER: `http://localhost:${port}`, ...keepsNextFromEnvFiles } : {}),
    TRUSTED_PROXIES: '127.0.0.1',
    LOG_LEVEL: 'info',
    // There is no load balancer in front of it.
    STOP_DELAY: '0',
    // Next.js is always one process.
    ...(mount === 'direct' && !isOneProcess ? { WORKERS: process.env.TEST_WORKERS } : {}),
    ...sharedEnv,
  };
}

const nextStart = (port: number) => [
  'node_modules/next/dist/bin/next',
  'start',
  '-p',
  String(port),
  '-H',
  '127.0.0.1',
];

/** The port a server listens on, once it says that it is ready. */
function readyPort(child: ChildProcess, logFile: string, wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const lines: string[] = [];
    const read = (line: string) => {
      appendFileSync(logFile, `${line}\n`);
      lines.push(line);
      const own = /is ready at .* \(listening on [^)]*:(\d+),/.exec(line)?.[1];
      if (own) resolve(Number(own));
      else if (/Ready in/.test(line)) resolve(wanted);
    };
    for (const stream of [child.stdout, child.stderr])
      if (stream) createInterface(stream).on('line', read);
    child.once('exit', (code) =>
      reject(new Error(`The server ended with code ${code}:\n${lines.join('\n')}`)),
    );
  });
}

/** @param closed resolves once the process has ended and all its output has been read */
async function stop(child: ChildProcess, closed: Promise<unknown>): Promise<void> {
  const insist = setTimeout(() => child.kill('SIGKILL'), 5000);
  child.kill('SIGTERM');
  await closed;
  clearTimeout(insist);
}
