import { once } from 'node:events';
import { Agent } from 'node:http';
import { newLogFile } from '../../support/database.ts';
import { freePort } from '../../support/free-port.ts';
import { type Server, type ServerOptions, startServer } from '../../support/server.ts';
import { startBalancer } from './balancer.ts';
import type { Part } from './part.ts';
import { ask, startTraffic, type Tally } from './traffic.ts';

type Options = Pick<ServerOptions, 'databaseUrl' | 'logFile'>;

/** What stopping does to the requests being served. */
type Stops = {
  stops: number;
  answered: number;
  broken: string[];
  /** Exit codes other than 0. */
  wrongExits: (number | null)[];
  /** From the signal to the exit, in milliseconds. */
  slowest: number;
};

/** Stops a server under load, again and again. Every request that reached it has to be answered. */
async function stopUnderLoad(options: Options, stops: number): Promise<Stops> {
  const sum: Stops = { stops, answered: 0, broken: [], wrongExits: [], slowest: 0 };
  for (let round = 0; round < stops; round += 1) {
    const server = await startServer({ mount: 'direct', ...options, env: { STOP_DELAY: '1' } });
    const traffic = startTraffic(server.port, 24);
    // So that the stop does not always come at the same moment of a request.
    await ask(server.port, '/login', false);
    await new Promise((resume) => setTimeout(resume, 200 + Math.random() * 100));
    const { code, milliseconds } = await terminate(server);
    add(sum, await traffic.over);
    if (code !== 0) sum.wrongExits.push(code);
    sum.slowest = Math.max(sum.slowest, milliseconds);
  }
  return sum;
}

function add(sum: Pick<Tally, 'answered' | 'broken'>, { answered, broken }: Tally): void {
  sum.answered += answered;
  sum.broken.push(...broken);
}

async function terminate(server: Server): Promise<{ code: number | null; milliseconds: number }> {
  const before = performance.now();
  const exit = once(server.process, 'exit') as Promise<[number | null]>;
  server.process.kill('SIGTERM');
  const [code] = await exit;
  return { code, milliseconds: performance.now() - before };
}

type Rolling = { requests: number; restarts: number; lost: string[] };

/** Restarts two servers behind a balancer in turn while clients send requests. None may be lost. */
async function rollingRestart(options: Options, requests: number): Promise<Rolling> {
  const ports = [await freePort(), await freePort()];
  const start = (port: number) =>
    startServer({
      mount: 'direct',
      ...options,
      env: { PORT: String(port), ISSUER: 'http://localhost:4711', STOP_DELAY: '1' },
    });
  const servers = await Promise.all(ports.map(start));
  const balancer = await startBalancer(ports);
  const result: Rolling = { requests: 0, restarts: 0, lost: [] };
  const enough = () =>
    (result.requests >= requests && result.restarts >= 2) || result.lost.length > 99;
  const client = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!enough()) {
      result.requests += 1;
      const form = 'grant_type=refresh_token&refresh_token=none';
      const reply = await ask(balancer.port, '/oauth/token', agent, form).catch(
        (error: NodeJS.ErrnoException) => ({ status: 0, body: error.code }),
      );
      if (reply.status !== 400) result.lost.push(`${reply.status} ${reply.body}`);
    }
    agent.destroy();
  };
  const restart = async () => {
    for (let index = 0; !enough(); index = 1 - index) {
      await terminate(servers[index] as Server);
      servers[index] = await start(ports[index] ?? 0);
      result.restarts += 1;
    }
  };
  await Promise.all([restart(), ...Array.from({ length: 12 }, client)]);
  balancer.close();
  await Promise.all(servers.map((server) => server.stop()));
  return result;
}

/** Stops a server under load, round after round. */
export const stop: Part = async ({ databaseUrl, goesOn }) => {
  const figures = { stops: 0, requests_answered: 0, milliseconds_at_most: 0 };
  const failures: string[] = [];
  for (let round = 0; goesOn(round); round += 1) {
    const stops = await stopUnderLoad({ databaseUrl, logFile: newLogFile('stop') }, 1);
    figures.stops += 1;
    figures.requests_answered += stops.answered;
    figures.milliseconds_at_most = Math.max(
      figures.milliseconds_at_most,
      Math.round(stops.slowest),
    );
    failures.push(...stops.broken, ...stops.wrongExits.map((code) => `exit code ${code}`));
  }
  return { figures, failures };
};

/** Rolling restarts of two servers behind a balancer, round after round. */
export const roll: Part = async ({ databaseUrl, goesOn }) => {
  const figures = { restarts: 0, requests: 0 };
  const failures: string[] = [];
  for (let round = 0; goesOn(round); round += 1) {
    const { requests, restarts, lost } = await rollingRestart(
      { databaseUrl, logFile: newLogFile('roll') },
      5000,
    );
    figures.restarts += restarts;
    figures.requests += requests;
    failures.push(...lost);
  }
  return { figures, failures };
};
