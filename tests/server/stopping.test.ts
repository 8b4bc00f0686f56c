import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { closeStore, read, write } from '#lib/store/engine/database.ts';
import { ask } from '../lab/soak/traffic.ts';
import { createDatabase, newLogFile } from '../support/database.ts';
import { listenAs } from '../support/events.ts';
import type { TestServer } from '../support/open-server.ts';
import { Person } from '../support/person.ts';
import { newClient, newUser } from '../support/seed.ts';
import { type Server, serverEnvironment, startServer } from '../support/server.ts';
import { workOn } from '../support/work-on.ts';

let databaseUrl: string;
beforeAll(async () => {
  databaseUrl = await createDatabase('sqlite');
});

const sockets: Socket[] = [];
const servers: Server[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function start(env: Record<string, string> = {}): Promise<Server> {
  const server = await startServer({
    mount: 'direct',
    databaseUrl,
    logFile: newLogFile('stopping'),
    env,
  });
  servers.push(server);
  return server;
}

/** A connection that sends these bytes and then nothing more. */
async function open(port: number, bytes = ''): Promise<{ socket: Socket; received: () => string }> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  sockets.push(socket);
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (chunk) => (text += chunk));
  socket.write(bytes);
  return { socket, received: () => text };
}

const exitOf = async ({ process }: Server) => (await once(process, 'exit'))[0] as number | null;

/** The credentials of a new client, as form fields. */
function clientIn(url: string): string {
  const env = { ...serverEnvironment('direct', url, 0), NODE_ENV: 'production' as const };
  const command = ['lib/cli.ts', 'client', 'create', '--name', 'Counted', '--json'];
  const made: Record<string, string> = JSON.parse(
    execFileSync(process.execPath, command, { env, encoding: 'utf8' }),
  );
  return `client_id=${made.client_id}&client_secret=${made.client_secret}`;
}

function usageOf(url: string): number {
  const database = new BetterSqlite3(url.slice('file:'.length), { readonly: true });
  const total = database.prepare('SELECT TOTAL(value) FROM usage_counters').pluck().get();
  database.close();
  return Number(total);
}

/** Asks until the answer is as wanted. */
async function until(wanted: (text: string) => boolean, get: () => Promise<string>): Promise<void> {
  while (!wanted(await get()));
}

/** Waits until the server refuses connections. */
const untilGone = ({ port }: Server) =>
  until(
    (code) => code === 'ECONNREFUSED',
    () =>
      ask(port, '/healthz', false).then(
        () => '',
        (error: NodeJS.ErrnoException) => error.code ?? '',
      ),
  );

describe('a server on SIGTERM', () => {
  test('answers /readyz with 503 and closes connections, while other requests are still answered', async () => {
    const server = await start({ STOP_DELAY: '600' });
    const kept = await open(server.port, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(kept.socket, 'data');
    expect(kept.received()).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(kept.received()).toMatch(/connection: keep-alive/i);

    server.process.kill('SIGTERM');
    await until(
      (body) => body.includes('stopping'),
      async () => (await ask(server.port, '/readyz', false)).body,
    );
    expect(await ask(server.port, '/readyz', false)).toMatchObject({ status: 503, closes: true });
    expect(await ask(server.port, '/healthz', false)).toMatchObject({ status: 200, closes: true });
    expect(await ask(server.port, '/login', false)).toMatchObject({ status: 200, closes: true });
    kept.socket.write('GET /oauth/me HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(kept.socket, 'close');
    expect(kept.received()).toMatch(/HTTP\/1\.1 401 Unauthorized\r\n(?:.+\r\n)*connection: close/i);
    server.process.kill('SIGKILL');
  });

  test('answers a request under way, and closes its connection', async () => {
    const server = await start();
    const head = 'POST /oauth/token HTTP/1.1\r\nHost: x\r\nContent-Length: 12\r\n';
    const type = 'Content-Type: application/x-www-form-urlencoded\r\n\r\n';
    const slow = await open(server.port, `${head}${type}grant_`);
    await ask(server.port, '/healthz', false);
    const exit = exitOf(server);
    server.process.kill('SIGTERM');
    await untilGone(server);
    slow.socket.write('type=x');
    await once(slow.socket, 'close');
    expect(slow.received()).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n(?:.+\r\n)*connection: close/i);
    expect(await exit).toBe(0);
  });

  test.each([
    ['a connection that never asked anything', ''],
    ['half a request line', 'GET /hea'],
    ['half a head', 'GET /healthz HTTP/1.1\r\nHost: x\r\n'],
    ['a kept connection', 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('is not delayed by %s', async (_, bytes) => {
    // Longer than the test may take, so that only a server that does not wait for the connection
    // ends in time.
    const server = await start({ STOP_TIMEOUT: '600' });
    await open(server.port, bytes);
    await ask(server.port, '/healthz', false);
    server.process.kill('SIGTERM');
    expect(await exitOf(server)).toBe(0);
  });

  test('is not delayed by a page that listens for events', async () => {
    const server = await start({ STOP_TIMEOUT: '600' });
    workOn(databaseUrl);
    const gatehouse = {
      base: `http://127.0.0.1:${server.port}`,
      issuer: server.origin,
    } as TestServer;
    const { username } = await newUser({ isAdmin: true });
    const client = await newClient();
    const admin = new Person(gatehouse, username);
    await admin.signIn();
    const events = await listenAs(admin, `/admin/listen?client=${client.id}`);
    expect(await events.next()).toBe('retry: 2000');
    const exit = exitOf(server);
    server.process.kill('SIGTERM');
    await events.end();
    expect(await exit).toBe(0);
    await closeStore();
  });

  test('ends immediately without earlier requests, despite STOP_DELAY and STOP_TIMEOUT', async () => {
    const server = await start({ STOP_DELAY: '600', STOP_TIMEOUT: '600' });
    await open(server.port);
    server.process.kill('SIGTERM');
    expect(await exitOf(server)).toBe(0);
  });

  test('cuts off a body that never ends after STOP_TIMEOUT', async () => {
    const server = await start({ STOP_TIMEOUT: '1' });
    const head = 'POST /oauth/token HTTP/1.1\r\nHost: x\r\nContent-Length: 12\r\n\r\n';
    await open(server.port, head);
    await ask(server.port, '/healthz', false);
    server.process.kill('SIGTERM');
    expect(await exitOf(server)).toBe(0);
  });

  test('ends immediately on a later second signal', async () => {
    const server = await start({ STOP_DELAY: '600', STOP_TIMEOUT: '600' });
    const head = 'POST /oauth/token HTTP/1.1\r\nHost: x\r\nContent-Length: 12\r\n\r\n';
    await open(server.port, head);
    await ask(server.port, '/healthz', false);
    const exit = exitOf(server);
    const again = setInterval(() => server.process.kill('SIGINT'), 300);
    expect(await exit).toBe(0);
    clearInterval(again);
  });

  test('finishes a back-channel logout under way, which is not delivered again', async () => {
    workOn(databaseUrl);
    const told = Promise.withResolvers<ServerResponse>();
    const app = createServer((_, response) => told.resolve(response)).listen(0, '127.0.0.1');
    await once(app, 'listening');
    const { port } = app.address() as AddressInfo;
    const { id } = await newClient({ backchannelLogoutUri: `http://127.0.0.1:${port}/bye` });
    await write(
      `INSERT INTO logout_deliveries (session_hash, client_id, user_id, attempts, next_at)
       VALUES ('of a session', $1, 'somebody', 0, $2)`,
      [id, new Date(0)],
    );
    const server = await start({ BACKCHANNEL_TO_PRIVATE_ADDRESSES: 'on', STOP_TIMEOUT: '600' });
    const answer = await told.promise;
    const exit = exitOf(server);
    server.process.kill('SIGTERM');
    await untilGone(server);
    // Waits however long the client takes. A server that did not wait would have ended by then.
    await Promise.race([exit, pause(1000)]);
    answer.writeHead(204).end();
    expect(await exit).toBe(0);
    expect(await read('SELECT attempts FROM logout_deliveries', [])).toEqual([]);
    app.close();
    await closeStore();
  });

  test('writes the usage counters to the database', async () => {
    const server = await start();
    const counted = () => usageOf(databaseUrl);
    const client = clientIn(databaseUrl);
    const before = counted();
    await ask(server.port, '/oauth/token', false, `grant_type=authorization_code&code=x&${client}`);
    server.process.kill('SIGTERM');
    expect(await exitOf(server)).toBe(0);
    expect(counted()).toBeGreaterThan(before);
  });
});
