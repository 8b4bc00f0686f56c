import { newLogFile } from '../../support/database.ts';
import type { TestServer } from '../../support/open-server.ts';
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
export type SoakServer = TestServer & { serverProcess: Server };

/** Lifetimes that outlast a round. The code's is the longest allowed. */
const env = { CODE_TTL: '600', LOG_LEVEL: 'error' };

export async function startSoakServer(
  databaseUrl: string,
  port?: number,
  more: Record<string, string> = {},
): Promise<SoakServer> {
  const serverProcess = await startServer({
    mount: 'direct',
    databaseUrl,
    logFile: newLogFile('soak'),
    // The same address after a restart, for browsers and for clients that compare the issuer.
    env: {
      ...env,
      ...more,
      ...(port && { PORT: String(port), ISSUER: `http://localhost:${port}` }),
    },
  });
  return {
    mount: 'direct',
    databaseUrl,
    port: serverProcess.port,
    logFile: serverProcess.logFile,
    base: `http://127.0.0.1:${serverProcess.port}`,
    issuer: `http://localhost:${serverProcess.port}`,
    secondProcess: () => startSoakServer(databaseUrl),
    another: () => startSoakServer(databaseUrl),
    serverProcess,
  };
}

/** Kills the server with `kill -9` and waits until the process has ended. */
export async function killHard({ serverProcess }: SoakServer): Promise<void> {
  await new Promise<void>((resolve) => {
    serverProcess.process.once('exit', () => resolve());
    serverProcess.process.kill('SIGKILL');
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
