import cluster, { type Worker } from 'node:cluster';
import { existsSync, realpathSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { dataFolderOf } from '../settings/data-folder.ts';
import { besideServer, keepPidFile } from '../tooling/pid-file.ts';
import { programs, serverPrograms } from '../tooling/programs.ts';
import { type Agreement, agreementOf, disagreement } from './agreement.ts';
import { Crew, type Renewal } from './crew.ts';
import { forgetFile, readEnvironment, workersIn } from './environment.ts';
import { wrongSetting } from './exit-codes.ts';
import { onHangUp, sameSignal } from './hang-up.ts';
import { note, noteFrom } from './notes.ts';
import { type ProcessRole, placeVariable, roleVariable } from './process-role.ts';
import { relayMetrics } from './relayed-metrics.ts';

const started = process.argv[1] ?? '';
/**
 * The program that this process was started with, and that workers are; relative to the version's
 * folder.
 */
const program = serverPrograms.find((one) => started.endsWith(`/${one}`)) ?? programs.server;

/**
 * Runs several processes of the server but serves nothing itself. It listens on their behalf, hands
 * each new connection to the next worker, and replaces workers that end.
 */
export async function runCrew(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const root = findRoot();
  forgetFile(process.env);
  let env = readFor(root);
  const agreed = agreedAtStart(root, env);
  let failed = 1;
  const crew = new Crew({
    fork: (place, role) => {
      const worker = fork(root, env, place, role);
      return worker.once('exit', (code) => (failed = code === wrongSetting ? code : failed));
    },
    leavesWithin: () => 1000 * (Number(env.STOP_DELAY || 2) + Number(env.STOP_TIMEOUT || 6)),
  });
  relayMetrics(() => crew.ready);
  const size = workersIn(env);
  warnOfMany(size);
  onSignals(['SIGTERM', 'SIGINT'], (signal, again) => {
    if (again) return void crew.stop(signal);
    void crew.stop(signal).then((code) => process.exit(code));
  });
  const start = crew.start(size);
  const renew = onlyOne(async () => {
    await start;
    const before = env;
    try {
      env = readAgain(root, agreed);
      note('info', 'new workers take over one by one', { workers: workersIn(env) });
      const renewal = await crew.renew(workersIn(env));
      if (renewal.is === 'failed') env = before;
      tellEnd(renewal);
    } catch (error) {
      env = before;
      note('error', `no worker was replaced, the old ones go on: ${sentenceOf(error)}`);
    }
    noteFrom(env.LOG_LEVEL);
  });
  onHangUp(renew);
  if (!(await start)) process.exit((await crew.stop('SIGTERM')) || failed);
  // Not before the first worker is ready, because it creates the data folder. The other workers are
  // not waited for: if they cannot start, the operator may want to reload.
  const beside = besideServer(keepPidFile(dataFolderOf(env, folderOf(root))));
  if (beside) warn(beside);
}

function warn(sentence: string): void {
  console.warn(`WARNING: ${sentence}`);
}

/** The variables that are set, plus what `.env` says now. */
function readFor(root: string): Record<string, string | undefined> {
  const env = readEnvironment(root, warn);
  noteFrom(env.LOG_LEVEL);
  return env;
}

/** @throws Error with a sentence if new workers could not serve beside the old ones */
function readAgain(root: string, agreed: Agreement | null): Record<string, string | undefined> {
  const env = readFor(root);
  const refusal = agreed && disagreement(agreed, agreementOf(env, folderOf(root)));
  if (refusal) throw new Error(refusal);
  return env;
}

/** Null if they cannot be read: the first worker says why, and the server ends. */
function agreedAtStart(root: string, env: Record<string, string | undefined>): Agreement | null {
  try {
    return agreementOf(env, folderOf(root));
  } catch {
    return null;
  }
}

/** The folder in which a worker started now works. */
const folderOf = (root: string) => realpathSync(root);

function tellEnd({ is, renewed, kept }: Renewal): void {
  const places = (of: number[]) => of.join(', ') || 'none';
  if (is === 'over') note('info', 'the new workers have taken over');
  else if (is === 'failed')
    note(
      'error',
      renewed.length === 0
        ? 'a new worker did not start, for the reason above; the old ones go on'
        : `a new worker did not start, for the reason above. Workers replaced: ${places(renewed)}; workers unchanged: ${places(kept)}`,
      { renewed, kept },
    );
}

function sentenceOf(error: unknown): string {
  const { code, path, message } = error as NodeJS.ErrnoException;
  return code ? `${path ?? '.env'} cannot be read (${code}).` : message;
}

/**
 * The folder of the program, as it was named at the start. It can be a symbolic link that leads to
 * another version by the time the next worker is started.
 */
function findRoot(): string {
  const named = started.endsWith(`/${program}`) ? started.slice(0, -program.length - 1) : '';
  try {
    return realpathSync(named) === realpathSync(process.cwd()) ? named : process.cwd();
  } catch {
    return process.cwd();
  }
}

function fork(
  root: string,
  env: Record<string, string | undefined>,
  place: number,
  role: ProcessRole,
): Worker {
  // A package brings its own Node.js, and the one that this process runs with may have been
  // deleted.
  const node = resolve(root, 'node');
  if (existsSync(node)) process.execPath = node;
  cluster.setupPrimary({ exec: resolve(root, program), cwd: root, args: [] });
  const worker = cluster.fork({ ...env, [placeVariable]: String(place), [roleVariable]: role });
  endHandedOver(worker);
  return worker;
}

/**
 * Closes the connection that was being handed to a worker when the worker died. Node forgets such a
 * connection, and its client would wait for ever. Only the latest one can be on its way.
 */
function endHandedOver(worker: Worker): void {
  const child = worker.process;
  const send = child.send.bind(child) as (...given: unknown[]) => boolean;
  let latest: { close?: () => void } | undefined;
  child.send = (...given: unknown[]) => {
    if (given[1]) latest = given[1];
    return send(...given);
  };
  worker.once('exit', () => latest?.close?.());
}

function warnOfMany(size: number): void {
  const cores = availableParallelism();
  if (size > cores)
    console.warn(
      `WARNING: WORKERS=${size}, and this machine has ${cores} ${cores === 1 ? 'core' : 'cores'} for them. More workers than cores need memory and make nothing faster.`,
    );
}

/** Calls back once for each time that someone sends one of these signals. */
function onSignals(
  signals: NodeJS.Signals[],
  act: (signal: NodeJS.Signals, again: boolean) => void,
): void {
  let last = Number.NEGATIVE_INFINITY;
  let isFirst = true;
  for (const signal of signals)
    process.on(signal, () => {
      if (performance.now() - last < sameSignal) return;
      last = performance.now();
      act(signal, !isFirst);
      isFirst = false;
    });
}

/**
 * Runs work one at a time. If it is requested again while it runs, it runs once more afterwards.
 */
function onlyOne(work: () => Promise<void>): () => void {
  let [running, wanted] = [false, false];
  const run = async () => {
    wanted = true;
    if (running) return;
    running = true;
    try {
      while (wanted) {
        wanted = false;
        await work();
      }
    } finally {
      running = false;
    }
  };
  return () => void run();
}
