import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { House } from './house.ts';

/** A line of a server's log, with the members that tests look at. */
export type LogLine = Record<string, unknown> & { msg?: string; requestId?: string };

/** Where a server's log is, and where it answers. */
type Logging = Pick<House, 'base' | 'logFile'>;

function readLog({ logFile }: Logging): LogLine[] {
  return readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as LogLine);
}

/** Everything a server has logged, up to and including a request that is sent now. */
export async function logOf(house: Logging): Promise<string> {
  const last = await fetch(`${house.base}/oauth/token`, { method: 'POST' });
  await last.body?.cancel();
  const lastId = last.headers.get('x-request-id') ?? '';
  await expect
    .poll(() => readLog(house).some((line) => line.requestId === lastId), { timeout: 20_000 })
    .toBe(true);
  return readFileSync(house.logFile, 'utf8');
}

/** The lines about these requests, in order. A line that is missing here was never written. */
export async function linesAbout(
  house: Logging,
  requestIds: readonly string[],
): Promise<LogLine[]> {
  await logOf(house);
  return readLog(house).filter((line) => requestIds.includes(line.requestId ?? ''));
}
