import { failuresIn } from '../../support/serve-setup.ts';
import { deliver } from './deliver.ts';
import { makeRequest, newActors } from './fuzz-requests.ts';
import { actionIds, fuzzPaths } from './fuzz-targets.ts';
import { type Ground, residentOf } from './ground.ts';
import { Random } from './random.ts';

type FuzzOptions = {
  seed: number;
  /** Ends after this many requests or at this time, whichever comes first. */
  requests?: number;
  until?: number;
  /** The number of requests at the same time. */
  parallel?: number;
};

type FuzzFigures = {
  seed: number;
  requests: number;
  paths: number;
  forms: number;
  /** The number of answers with each status. */
  statuses: Record<string, number>;
  /**
   * Missing answers, statuses of 500 and above except 503 (each with its request), and failures in
   * the log.
   */
  failures: string[];
  alive: boolean;
  /** MiB, before and after. */
  memory: [number, number];
};

/**
 * Sends hostile requests to every address that a server answers. The same seed sends the same
 * requests.
 */
export async function fuzz(ground: Ground, options: FuzzOptions): Promise<FuzzFigures> {
  const { seed, requests = Number.POSITIVE_INFINITY, until, parallel = 8 } = options;
  const paths = fuzzPaths();
  const ids = actionIds();
  let actors = await newActors(ground);
  const forms = actors.flatMap((actor) => actor.forms).length;
  const figures: FuzzFigures = {
    seed,
    requests: 0,
    paths: paths.length,
    forms,
    statuses: {},
    failures: [],
    alive: true,
    memory: [residentOf(ground.serverProcess), 0],
  };
  let index = 0;
  const work = async () => {
    while (index < requests && (until === undefined || Date.now() < until)) {
      const mine = index++;
      // Some requests end sessions or change what everybody sees.
      if (mine > 0 && mine % 2000 === 0) actors = await newActors(ground).catch(() => actors);
      const random = new Random(seed * 1_000_003 + mine);
      const request = makeRequest(random, { paths, ids, actors, port: ground.serverProcess.port });
      const isHead = request.subarray(0, 5).toString() === 'HEAD ';
      const delivery = await deliver(ground.serverProcess.port, { pieces: [request], isHead }, 1);
      const [status = delivery.end] = delivery.statuses;
      figures.requests += 1;
      figures.statuses[status] = (figures.statuses[status] ?? 0) + 1;
      if (!/^([1-4]\d\d|503)$/.test(status))
        figures.failures.push(`${status} to request ${mine}: ${preview(request)}`);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  figures.failures.push(...failuresIn(ground.logFile).map((line) => `log: ${line.slice(0, 500)}`));
  figures.alive =
    ground.serverProcess.process.exitCode === null &&
    ground.serverProcess.process.signalCode === null;
  figures.memory[1] = figures.alive ? residentOf(ground.serverProcess) : 0;
  return figures;
}

function preview(request: Buffer): string {
  const text = request.toString('latin1').replaceAll(/gatehouse-[a-z]+=[^;\r]*/g, 'cookie');
  return JSON.stringify(text.slice(0, 1500));
}

/** The closing line. */
export function summaryOf(figures: FuzzFigures, database: string): string {
  const { seed, requests, paths, forms, statuses, failures, memory } = figures;
  const counts = Object.entries(statuses).sort(([one], [other]) => one.localeCompare(other));
  const answers = counts.map(([status, count]) => `${status}: ${count}`).join(', ');
  return `${database}, seed ${seed}: ${requests} requests to ${paths} addresses and ${forms} forms, ${failures.length} failures; ${answers}; memory ${memory[0]} to ${memory[1]} MiB`;
}
