import { newLogFile } from '../../support/database.ts';
import type { House } from '../../support/house.ts';
import { type Server, startServer } from '../../support/server.ts';

/** What a part of the soak works on. */
type Ground = {
  databaseUrl: string;
  /** Whether another round is due. Rounds count from 0, and the first is always due. */
  goesOn: (round: number) => boolean;
};

/** The result: figures for the closing line, and one line for each thing that may never happen. */
export type Outcome = { figures: Record<string, number>; failures: string[] };

/** One experiment on a running server. */
export type Part = (ground: Ground) => Promise<Outcome>;

/** A server of the soak, in the form that the tests' own helpers need. */
export type SoakHouse = House & { server: Server };

/** Lifetimes that outlast a round. The code's is the longest allowed. */
const env = { CODE_TTL: '600', LOG_LEVEL: 'error' };

export async function startHouse(databaseUrl: string, port?: number): Promise<SoakHouse> {
  const server = await startServer({
    mount: 'direct',
    databaseUrl,
    logFile: newLogFile('soak'),
    // The same address after a restart, for browsers and for clients that compare the issuer.
    env: port ? { ...env, PORT: String(port), ISSUER: `http://localhost:${port}` } : env,
  });
  return {
    mount: 'direct',
    databaseUrl,
    port: server.port,
    logFile: server.logFile,
    base: `http://127.0.0.1:${server.port}`,
    issuer: `http://localhost:${server.port}`,
    twin: () => startHouse(databaseUrl),
    another: () => startHouse(databaseUrl),
    server,
  };
}

/** Kills the server with `kill -9` and waits until the process has ended. */
export async function killHard({ server }: SoakHouse): Promise<void> {
  await new Promise<void>((resolve) => {
    server.process.once('exit', () => resolve());
    server.process.kill('SIGKILL');
  });
}

export const pause = (milliseconds: number) =>
  new Promise<void>((resume) => setTimeout(resume, milliseconds));

/** Asks until it is so. @throws if that takes more than a minute */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await isSo().catch(() => false))) {
    if (Date.now() > deadline) throw new Error(`${what}: not within a minute`);
    await pause(20);
  }
}
