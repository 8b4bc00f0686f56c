import { closeSync, fdatasyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { loadavg } from 'node:os';
import { resolve } from 'node:path';
import { median, quantile } from './statistics.ts';

/** What else the machine did: whoever compares figures needs to know. */
type Machine = {
  /** Processes that wanted to run in the last minute. */
  load: number;
  /** Milliseconds until 4 KiB are on disk. */
  sync: { median: number; slowest: number };
  /** Processor time since the machine started, in ticks, and what other guests took of it. */
  ticks: { all: number; stolen: number };
};

/** @param folder on the disk that the databases are on */
export function readMachine(folder: string): Machine {
  const [, ...ticks] = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/\s+/) ?? [];
  const counted = ticks.slice(0, 8).map(Number);
  return {
    load: loadavg()[0] ?? 0,
    sync: timeSyncs(resolve(folder, 'sync')),
    ticks: { all: counted.reduce((sum, each) => sum + each, 0), stolen: counted[7] ?? 0 },
  };
}

function timeSyncs(file: string): Machine['sync'] {
  const page = Buffer.alloc(4096);
  const handle = openSync(file, 'w');
  const times = Array.from({ length: 30 }, () => {
    const from = performance.now();
    writeSync(handle, page);
    fdatasyncSync(handle);
    return performance.now() - from;
  });
  closeSync(handle);
  rmSync(file);
  return { median: median(times), slowest: quantile(times, 1) };
}

/**
 * The machine before and after a run in a sentence, and which figures not to believe.
 * @param before read when nothing of the run had started
 */
export function describeMachine(before: Machine, after: Machine): string {
  const passed = after.ticks.all - before.ticks.all;
  const stolen = passed > 0 ? (after.ticks.stolen - before.ticks.stolen) / passed : 0;
  const facts = `Machine: load ${before.load.toFixed(1)} before, a sync ${sayTime(before.sync)} before and ${sayTime(after.sync)} after, ${percent(stolen)} of the processor time taken by other guests.`;
  const doubts = [
    ...(before.load > 0.7 ? ['something else was running, so no figure counts'] : []),
    ...(stolen > 0.03 ? ['other guests were busy, so times and tails do not count'] : []),
    ...(after.sync.median > 2 * before.sync.median || before.sync.median > 2 * after.sync.median
      ? ['the disk changed its pace, so what waits for it does not count']
      : []),
  ];
  return doubts.length > 0 ? `${facts} **Do not believe it: ${doubts.join('; ')}.**` : facts;
}

const sayTime = ({ median: middle, slowest }: Machine['sync']) =>
  `${middle.toFixed(2)} ms (${slowest.toFixed(2)} at most)`;
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
