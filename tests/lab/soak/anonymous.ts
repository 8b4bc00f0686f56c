import { statSync } from 'node:fs';
import { newId } from '#lib/oauth/secrets.ts';
import { me, tokensOf } from '../../support/app.ts';
import { Person } from '../../support/person.ts';
import { prisma } from '../../support/prisma.ts';
import { newClient, newUser } from '../../support/seed.ts';
import { drive, get, post } from '../bench/load.ts';
import { residentOf } from './ground.ts';
import { killHard, type Part, type SoakServer, startSoakServer, until } from './part.ts';

/** Requests that anyone can send without knowing a secret. Each would be worth recording. */
function badRequests(clientId: string): ((count: number) => string)[] {
  const authorize = (fields: Record<string, string>) =>
    get(`/oauth/authorize?${new URLSearchParams({ response_type: 'code', ...fields })}`);
  const token = (fields: Record<string, string>) => post('/oauth/token', fields);
  return [
    (count) => authorize({ client_id: `nobody-${count}` }),
    (count) => authorize({ client_id: clientId, redirect_uri: `https://evil.example/${count}` }),
    (count) => token({ grant_type: 'authorization_code', client_id: `nobody-${count}`, code: 'c' }),
    (count) => token({ grant_type: `grant-${count}`, client_id: clientId, client_secret: 'wrong' }),
    (count) =>
      token({
        grant_type: 'refresh_token',
        client_id: clientId,
        client_secret: `wrong-${count}`,
        refresh_token: newId(new Date()),
      }),
    () => token({}),
    (count) => get('/oauth/me', { Authorization: `Bearer gh_at_${count}${'x'.repeat(60)}` }),
    (count) => post('/oauth/introspect', { token: `t${count}`, client_id: clientId }),
    (count) => post('/oauth/revoke', { token: `t${count}`, client_id: `nobody-${count}` }),
    (count) => post('/login/submit', { flow: `f${count}`, username: `u${count}`, password: 'p' }),
  ];
}

/** The limits of two rings of traces: one for outsiders, one for the client that they name. */
const most = { traces: 2 * 200, steps: 2 * 200 * 20, throttles: 20_000 };
/**
 * How much the database file (in bytes) and the process (in MiB) may grow after the first round.
 */
const slack = { file: 8 * 2 ** 20, memory: 64 };

/**
 * A million bad requests, about 25,000 in each round, make nothing grow and leave the server as
 * fast as before.
 */
export const anonymous: Part = async ({ databaseUrl, goesOn }) => {
  const server = await startSoakServer(databaseUrl);
  const client = await newClient();
  const person = new Person(server, (await newUser()).username);
  await person.signIn();
  const { access_token } = await tokensOf(server, person, client);
  const kinds = badRequests(client.id);
  const figures = {
    requests: 0,
    traces: 0,
    steps: 0,
    memory_mib: 0,
    file_kib: 0,
    before: 0,
    after: 0,
  };
  const failures: string[] = [];
  let first: { file: number; memory: number } | null = null;
  figures.before = await costOfMe(server, access_token);
  const next = () => {
    figures.requests += 1;
    return kinds[figures.requests % kinds.length]?.(figures.requests) ?? '';
  };
  for (let round = 0; goesOn(round); round += 1) {
    await drive({
      port: server.port,
      pid: server.serverProcess.process.pid ?? 0,
      connections: 50,
      warmUpMs: 0,
      measureMs: 5000,
      script: () => ({ next }),
    });
    const { rows, file, memory } = await sizes(server, databaseUrl);
    Object.assign(figures, rows, { memory_mib: memory, file_kib: Math.round(file / 1024) });
    for (const [name, count] of Object.entries(rows))
      if (count > (most[name as keyof typeof most] ?? 0))
        failures.push(`round ${round}: ${count} ${name}`);
    first ??= { file, memory };
    if (file > first.file + slack.file) failures.push(`round ${round}: the file has ${file} bytes`);
    if (memory > first.memory + slack.memory) failures.push(`round ${round}: ${memory} MiB`);
    if ((await me(server, access_token)).status !== 200) failures.push(`round ${round}: no answer`);
  }
  figures.after = await costOfMe(server, access_token);
  await killHard(server);
  return { figures, failures };
};

/**
 * What is stored and how much memory the server holds, once the recorder has written everything.
 */
async function sizes(server: SoakServer, databaseUrl: string) {
  const database = await prisma();
  let last = -1;
  await until('the recorder has written', async () => {
    const { _max } = await database.traceStep.aggregate({ _max: { at: true } });
    const latest = _max.at?.getTime() ?? 0;
    const settled = latest === last && Date.now() - latest > 3000;
    last = latest;
    return settled;
  });
  const rows = {
    traces: await database.trace.count(),
    steps: await database.traceStep.count(),
    throttles: await database.throttle.count(),
  };
  const path = /^file:(.*)$/.exec(databaseUrl)?.[1];
  return { rows, file: path ? statSync(path).size : 0, memory: residentOf(server.serverProcess) };
}

/** The server's processor time for one user information request, in microseconds. */
async function costOfMe(server: SoakServer, token: string): Promise<number> {
  const request = get('/oauth/me', { Authorization: `Bearer ${token}` });
  const { cpu } = await drive({
    port: server.port,
    pid: server.serverProcess.process.pid ?? 0,
    connections: 8,
    warmUpMs: 500,
    measureMs: 2000,
    script: () => ({ next: () => request }),
  });
  return Math.round(cpu);
}
