import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { programs } from '../tooling/programs.ts';

/** The temporary folder of a server, its environment, and how to remove the folder. */
type Data = { folder: string; env: NodeJS.ProcessEnv; remove: () => void };

/** Makes a folder for a temporary server, on a free port unless one is given. */
export function newData(name: string, port = '0'): Data {
  const folder = mkdtempSync(join(tmpdir(), name));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  return { folder, env: environment(folder, port), remove };
}

/** Ignores the operator's environment and `.env`. */
function environment(folder: string, port: string): NodeJS.ProcessEnv {
  return {
    SETTINGS_DIR: folder,
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    DATABASE_URL: `file:${folder}/gatehouse.db`,
    DATA_DIR: folder,
    SERVER_SECRET: randomBytes(36).toString('base64url'),
    PORT: port,
    LOG_LEVEL: 'error',
    // These passwords protect nothing.
    BCRYPT_COST: '4',
  };
}

/**
 * Starts the server; `end` stops it and removes its data. @throws in `ready` if it does not start
 */
export function serve(
  env: NodeJS.ProcessEnv,
  remove: () => void,
  stop: AbortSignal,
): { ready: Promise<string>; end: () => Promise<void> } {
  const server = spawn(process.execPath, [programs.server], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const end = async () => {
    if (server.exitCode === null && server.signalCode === null) {
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
    remove();
  };
  return { ready: readyAt(server.stdout, once(server, 'exit', { signal: stop })), end };
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
  if (!origin) throw new Error('The server did not start. The lines above say why.');
  // Keeps later output from filling the pipe.
  output.resume();
  return origin;
}

/** Runs the command line; returns the JSON it prints. */
export async function runCommandLine(
  env: NodeJS.ProcessEnv,
  args: string[],
): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['lib/cli.ts', ...args, '--json'],
    { env },
  );
  return JSON.parse(stdout) as Record<string, unknown>;
}
