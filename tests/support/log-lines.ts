import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { TestServer } from './open-server.ts';

/** A line of a server's log, with the members that tests look at. */
export type LogLine = Record<string, unknown> & { msg?: string; requestId?: string };

/** Where a server's log is, and where it answers. */
type Logging = Pick<TestServer, 'base' | 'logFile'>;

function readLog({ logFile }: Logging): LogLine[] {
  return readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as LogLine);
}

/** Everything a server has logged, up to and including a request that is sent now. */
export async function logOf(server: Logging): Promise<string> {
  const last = await fetch(`${server.base}/oauth/token`, { method: 'POST' });
  await last.body?.cancel();
  const lastId = last.headers.get('x-request-id') ?? '';
  await expect
    .poll(() => readLog(server).some((line) => line.requestId === lastId), { timeout: 20_000 })
    .toBe(true);
  return readFileSync(server.logFile, 'utf8');
}

/** The lines about these requests, in order. A line that is missing here was never written. */
export async function linesAbout(
  server: Logging,
  requestIds: readonly string[],
): Promise<LogLine[]> {
  await logOf(server);
  return readLog(server).filter((line) => requestIds.includes(line.requestId ?? ''));
}
