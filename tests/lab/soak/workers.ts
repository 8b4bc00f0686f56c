import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { newLogFile } from '../../support/database.ts';
import { type Server, startServer } from '../../support/server.ts';
import { type Asked, askUntil } from './asking.ts';
import type { Part } from './part.ts';

/** The messages in a server's log, in order. */
export const saidBy = (server: Server): Record<string, unknown>[] =>
  readFileSync(server.logFile, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

/** Waits until a message is in a server's log this many times. */
export async function untilSaid(server: Server, message: string, times = 1): Promise<void> {
  const count = () => saidBy(server).filter(({ msg }) => msg === message).length;
  for (let tries = 0; count() < times; tries += 1) {
    if (tries > 600) throw new Error(`Not said in a minute: ${message}`);
    await pause(100);
  }
}

/** Starts a server with several workers and waits for all of them. */
export async function startWorkers(
  databaseUrl: string,
  workers: number,
  env: Record<string, string> = {},
): Promise<Server> {
  const server = await startServer({
    mount: 'direct',
    databaseUrl,
    logFile: newLogFile('workers'),
    env: { WORKERS: String(workers), ...env },
  });
  await untilSaid(server, 'worker ready', workers);
  return server;
}

type Renewals = Asked & { renewals: number };

/**
 * Replaces a server's workers while clients send requests, until there have been enough of both.
 */
export async function renewUnderLoad(
  server: Server,
  requests: number,
  renewals: number,
): Promise<Renewals> {
  const over = 'the new workers have taken over';
  const before = saidBy(server).filter(({ msg }) => msg === over).length;
  let done = 0;
  const renewing = async () => {
    while (done < renewals) {
      server.process.kill('SIGHUP');
      await untilSaid(server, over, before + done + 1);
      done += 1;
    }
  };
  const [asked] = await Promise.all([
    askUntil(server.port, 12, ({ answered }) => done >= renewals && answered >= requests),
    renewing(),
  ]);
  return { ...asked, renewals: done };
}

/** Rolling restarts of two workers under load, round after round. */
export const workers: Part = async ({ databaseUrl, goesOn }) => {
  const figures: Record<string, number> = { renewals: 0, requests: 0 };
  const failures: string[] = [];
  const add = (name: string, count: number) => {
    figures[name] = (figures[name] ?? 0) + count;
  };
  const server = await startWorkers(databaseUrl, 2);
  for (let round = 0; goesOn(round); round += 1) {
    const { answered, lost, again, renewals } = await renewUnderLoad(server, 1000, 1);
    add('renewals', renewals);
    add('requests', answered);
    for (const [reason, count] of Object.entries(again)) add(`sent again: ${reason}`, count);
    failures.push(...lost);
  }
  await server.stop();
  return { figures, failures };
};
