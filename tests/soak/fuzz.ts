import { connect } from 'node:net';
import { newPerson, Person } from '../support/person.ts';
import { newClient, newUser } from '../support/seed.ts';
import { failuresIn } from '../support/serve-setup.ts';
import { actionIds, type FuzzForm, formsFor, fuzzPaths } from './fuzz-targets.ts';
import { type Ground, residentOf } from './ground.ts';
import {
  type Body,
  encodePairs,
  formBody,
  hostileBody,
  hostileHeaders,
  hostilePairs,
  hostilePath,
  hostileSegment,
} from './hostile.ts';
import { Random } from './random.ts';

/** One request is answered, or its connection closed, within this; generous, since machines are busy. */
const hangAfter = 25_000;

export type FuzzOptions = {
  seed: number;
  /** Ends after so many requests, or at this time, whichever comes first. */
  requests?: number;
  until?: number;
  /** How many are under way at a time. */
  parallel?: number;
};

export type FuzzFigures = {
  seed: number;
  requests: number;
  paths: number;
  forms: number;
  /** How often each status was answered; `closed`: none, the connection ended. */
  statuses: Record<string, number>;
  /** Answers of 500 and above but 503, hangs, lines in the log: with the request that caused it. */
  failures: string[];
  alive: boolean;
  /** MiB, before and after. */
  memory: [number, number];
};

/** Somebody who sends: nobody, a person, an admin; with the forms they see. */
type Actor = { who: string; cookie: string; forms: FuzzForm[] };

/** Sends hostile requests to everything that a server answers. The same seed sends the same requests. */
export async function fuzz(ground: Ground, options: FuzzOptions): Promise<FuzzFigures> {
  const { seed, requests = Number.POSITIVE_INFINITY, until, parallel = 8 } = options;
  const paths = fuzzPaths();
  const ids = actionIds();
  let actors = await newActors(ground);
  const forms = actors.flatMap((actor) => actor.forms).length;
  const figures: FuzzFigures = {
    ...{ seed, requests: 0, paths: paths.length, forms, statuses: {}, failures: [] },
    ...{ alive: true, memory: [residentOf(ground.server), 0] },
  };
  let index = 0;
  const work = async () => {
    while (index < requests && (until === undefined || Date.now() < until)) {
      const mine = index++;
      // Some of what is sent ends sessions or changes what everybody sees.
      if (mine > 0 && mine % 2000 === 0) actors = await newActors(ground).catch(() => actors);
      const random = new Random(seed * 1_000_003 + mine);
      const request = makeRequest(random, { paths, ids, actors, port: ground.server.port });
      const status = await deliver(ground.server.port, request);
      figures.requests += 1;
      figures.statuses[status] = (figures.statuses[status] ?? 0) + 1;
      if (status === 'hang' || (Number(status) >= 500 && status !== '503'))
        figures.failures.push(`${status} to request ${mine}: ${preview(request)}`);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  figures.failures.push(...failuresIn(ground.logFile).map((line) => `log: ${line.slice(0, 500)}`));
  figures.alive =
    ground.server.process.exitCode === null && ground.server.process.signalCode === null;
  figures.memory[1] = figures.alive ? residentOf(ground.server) : 0;
  return figures;
}

async function newActors(ground: Ground): Promise<Actor[]> {
  const { house } = ground;
  const [client, other] = [await newClient(), await newUser()];
  const boss = await newUser({ isAdmin: true });
  const admin = new Person(house, boss.username);
  await admin.signIn();
  const person = await newPerson(house);
  const nobody = new Person(house);
  await person.code({ client_id: client.id, response_type: 'code' }).catch(() => '');
  const holes: Record<string, string> = { clientId: client.id, userId: other.id, name: 'profile' };
  const fill = (path: string) =>
    path.replace(/\[+(?:\.\.\.)?(\w+)\]+/g, (_, name: string) => holes[name] ?? 'x');
  const actor = async (who: string, one: Person): Promise<Actor> => ({
    who,
    forms: await formsFor(one, fill),
    cookie: [...one.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  });
  return [
    await actor('nobody', nobody),
    await actor('person', person),
    await actor('admin', admin),
  ];
}

type Material = { paths: string[]; ids: string[]; actors: Actor[]; port: number };

function makeRequest(random: Random, { paths, ids, actors, port }: Material): Buffer {
  const actor = random.pick(actors);
  const form = random.often(45) && actor.forms.length > 0 ? random.pick(actor.forms) : null;
  const filled = (form?.action ?? random.pick(paths)).replace(/\[+(?:\.\.\.)?(\w+)\]+/g, () =>
    hostileSegment(random),
  );
  let target = hostilePath(random, filled);
  if (random.often(form ? 5 : 60))
    target += (target.includes('?') ? '&' : '?') + encodePairs(random, hostilePairs(random));
  const method = methodFor(random, form !== null);
  const body = form
    ? formBody(random, form.fields, form.multipart)
    : method === 'GET'
      ? null
      : hostileBody(random);
  const headers = [
    `${method} ${target} HTTP/1.1`,
    ...hostileHeaders(random),
    ...(random.often(90) ? [`Cookie: ${actor.cookie}`] : []),
    ...(random.often(5) ? [`Next-Action: ${random.pick(ids)}`] : []),
  ];
  if (!headers.some((line) => line.startsWith('Host:'))) headers.push(`Host: localhost:${port}`);
  return assemble(random, headers, body);
}

function methodFor(random: Random, isForm: boolean): string {
  if (random.often(6))
    return random.pick(['HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'BREW', 'QUERY']);
  return isForm || random.often(35) ? 'POST' : 'GET';
}

function assemble(random: Random, headers: string[], body: Body | null): Buffer {
  const lines = [...headers, 'Connection: close'];
  if (!body) return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  if (body.type) lines.push(`Content-Type: ${body.type}`);
  const chunked = random.often(10);
  lines.push(chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.bytes.length}`);
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  if (!chunked) return Buffer.concat([head, body.bytes]);
  const size = body.bytes.length > 0 ? `${body.bytes.length.toString(16)}\r\n` : '';
  return Buffer.concat([
    head,
    Buffer.from(size),
    body.bytes,
    Buffer.from(size ? '\r\n0\r\n\r\n' : '0\r\n\r\n'),
  ]);
}

/** Sends the bytes and gives the status; `closed` when the connection ends without one, `hang` when nothing happens. */
function deliver(port: number, request: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    const timer = setTimeout(() => end('hang'), hangAfter);
    const end = (status: string) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(status);
    };
    const statusOf = () => /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 'closed';
    socket.on('data', (chunk) => {
      if (answer.length < 100) answer += chunk.toString('latin1').slice(0, 100);
    });
    // The server may answer and close before it has read everything.
    socket.on('error', () => end(statusOf()));
    socket.on('close', () => end(statusOf()));
    socket.write(request);
  });
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
