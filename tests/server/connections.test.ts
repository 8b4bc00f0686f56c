import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Connections } from '#lib/server/connections.ts';
import { deliver } from '../lab/soak/deliver.ts';
import { createDatabase, newLogFile } from '../support/database.ts';
import { failuresIn } from '../support/serve-setup.ts';
import { type Server, startServer } from '../support/server.ts';
import { workOn } from '../support/work-on.ts';

const logFile = () => log;
let log: string;
let server: Server;
beforeAll(async () => {
  log = newLogFile('connections');
  const databaseUrl = await createDatabase('sqlite');
  server = await startServer({ mount: 'direct', databaseUrl, logFile: log });
});
afterAll(() => server.stop());

test('the keep-alive timeout is longer than that of common proxies', async () => {
  const socket = connect(server.port, '127.0.0.1');
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  // nginx and most cloud load balancers keep connections for 60 s, Traefik 90 s, Caddy 120 s.
  expect(Number(/keep-alive: timeout=(\d+)/i.exec(answer.toString())?.[1])).toBeGreaterThan(120);
});

test('a request with two Host headers is refused at endpoints and pages (RFC 9112 section 3.2)', async () => {
  for (const path of ['/login', '/oauth/token', '/healthz', '/admin', '/fonts/none']) {
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nhOST: evil.example\r\n\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect([path, answer.toString().slice(0, 12)]).toEqual([path, 'HTTP/1.1 400']);
  }
});

test('a request whose handler fails is cut off, and does not delay the stop', async () => {
  workOn(await createDatabase('sqlite'));
  const failing = createServer();
  const connections = new Connections(failing, async (request, response) => {
    if (request.url === '/begun') response.writeHead(200).write('half');
    throw new Error('Nobody answers.');
  });
  failing.listen(0, '127.0.0.1');
  await once(failing, 'listening');
  const { port } = failing.address() as { port: number };
  const read = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  for (const path of ['/', '/begun']) await expect(read(path)).rejects.toThrow();
  await connections.drain();
});

test('a kept-alive connection may be idle for longer than the headers timeout', async () => {
  // Like lib/server/serve.ts, on a small scale: node measures the time of a head from its first
  // byte.
  const small = createServer(
    { headersTimeout: 200, keepAliveTimeout: 60_000, connectionsCheckingInterval: 50 },
    (_, response) => response.end('here'),
  ).listen(0, '127.0.0.1');
  await once(small, 'listening');
  const { port } = small.address() as { port: number };
  const socket = connect(port, '127.0.0.1');
  for (let turn = 0; turn < 2; turn += 1) {
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200/);
    await new Promise((resume) => setTimeout(resume, 600));
  }
  expect(socket.destroyed).toBe(false);
  socket.destroy();
  small.close();
});

/** Everything received on a connection until the server closes it. */
async function answerTo(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (data) => {
    answer += data;
  });
  socket.write(text);
  await once(socket, 'close');
  return answer;
}

test.each([
  ['CONNECT', 'CONNECT id.example.org:443 HTTP/1.1\r\nHost: id.example.org:443\r\n\r\n', 405],
  ['what is no HTTP', `nonsense ${'x'.repeat(300_000)}\r\n\r\n`, 400],
  [
    'a head that is too long, and much behind it',
    `GET / HTTP/1.1\r\nX: ${'x'.repeat(2_000_000)}`,
    431,
  ],
])('%s is answered before the connection is closed', async (_, text, status) => {
  expect(await answerTo(server.port, text)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*\r\n`));
});

const paths = ['/healthz', '/login', '/docs', '/gatehouse.css', '/nowhere', '/oauth/jwks'];
const getOf = (path: string) => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);

test.each(paths)(
  'a GET of %s whose sender half-closes the connection is answered',
  async (path) => {
    const letter = { pieces: [getOf(path)], halfCloses: true };
    const { statuses, end } = await deliver(server.port, letter);
    expect(statuses).toEqual([expect.stringMatching(/^(200|404)$/)]);
    expect(end).toBe('closed');
  },
);

test('a POST whose sender half-closes the connection is answered', async () => {
  const head = `POST /oauth/token HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\na`;
  const delivery = await deliver(server.port, { pieces: [Buffer.from(head)], halfCloses: true });
  expect(delivery).toEqual({ statuses: ['400'], end: 'closed' });
});

const garbage = Buffer.from('no request at all\r\n\r\n');
test.each([...paths, '/%ff', 'http://x/'])(
  'garbage after a request for %s does not prevent its answer',
  async (path) => {
    const pieces = [Buffer.concat([getOf(path), garbage])];
    const { statuses, end } = await deliver(server.port, { pieces });
    expect(statuses[0]).toMatch(/^(200|400|404)$/);
    expect(statuses.slice(1)).toEqual(statuses[0] === '400' ? [] : ['400']);
    expect(end).toBe('closed');
  },
);

test('requests before a CONNECT request on one connection are answered first', async () => {
  const connect = Buffer.from('CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n');
  const pieces = [Buffer.concat([getOf('/login'), connect])];
  const delivery = await deliver(server.port, { pieces });
  expect(delivery).toEqual({ statuses: ['200', '405'], end: 'closed' });
});

test.each([
  ['GET /healthz', 'nothing'],
  ['POST /account', 'nothing'],
  ['POST /docs', 'nothing'],
  ['GET /login', 'a body'],
  ['POST /oauth/me', 'a body'],
])(
  '%s, announced with %s: bytes sent after the answer do not reset the connection',
  async (line, announced) => {
    const length = announced === 'a body' ? 'Content-Length: 900000\r\n' : '';
    const head = `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${length}\r\n`;
    const some = Buffer.alloc(20_000, 'x');
    const pieces = [Buffer.from(head), some, 400, some, 100, some, 100, some];
    const { statuses, end } = await deliver(server.port, { pieces });
    expect(statuses).toEqual([expect.stringMatching(/^[2-4]\d\d$/)]);
    expect(end).toBe('closed');
  },
);

const multipart = 'Content-Type: multipart/form-data; boundary=x';
test('a client that disconnects in the middle of a body is not logged as a failure', async () => {
  const form = 'Content-Type: application/x-www-form-urlencoded';
  const heads = [
    ['POST /oauth/token', form, 'grant_'],
    ['POST /oauth/introspect', form, 'token'],
    ['POST /login/submit', form, 'user'],
    ['POST /account/picture/submit', multipart, '--x\r\n'],
    ['POST /login', form, 'user'],
    ['POST /login', multipart, '--x\r\n'],
    ['POST /no-such-page', form, 'user'],
  ];
  for (const [line, type, begun] of heads) {
    const socket = connect(server.port, '127.0.0.1').on('error', () => {});
    const head = [`${line} HTTP/1.1`, 'Host: x', type, 'Content-Length: 5000'];
    socket.write(`${head.join('\r\n')}\r\n\r\n${begun}`);
    await fetch(`${server.origin}/healthz`);
    socket.destroy();
    await once(socket, 'close');
  }
  await fetch(`${server.origin}/login`);
  await server.stop();
  expect(failuresIn(logFile())).toEqual([]);
});

test.each([
  ['in all', { MAX_CONNECTIONS: '10', TRUSTED_PROXIES: '127.0.0.1' }],
  ['of one address', { MAX_CONNECTIONS_PER_ADDRESS: '10', TRUSTED_PROXIES: '192.0.2.1' }],
])(
  'more connections %s than allowed are answered 503 and closed; open ones are kept',
  async (_, env) => {
    const databaseUrl = await createDatabase('sqlite');
    const small = await startServer({ mount: 'direct', databaseUrl, logFile: logFile(), env });
    const get = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
    const held = Array.from({ length: 10 }, () => connect(small.port, '127.0.0.1'));
    const heard = () =>
      held.map(async (socket) => {
        socket.write(get);
        return String((await once(socket, 'data'))[0]).slice(0, 12);
      });
    expect(new Set(await Promise.all(heard()))).toEqual(new Set(['HTTP/1.1 200']));
    const refused = await answerTo(small.port, get);
    expect(refused).toMatch(/^HTTP\/1\.1 503 /);
    expect(refused).toMatch(/Retry-After: 5\r\n/);
    expect(new Set(await Promise.all(heard()))).toEqual(new Set(['HTTP/1.1 200']));
    const left = once(held[0] as never, 'close');
    held[0]?.end();
    await left;
    await expect
      .poll(() => answerTo(small.port, get.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')))
      .toMatch(/^HTTP\/1\.1 200 /);
    for (const socket of held) socket.destroy();
    await small.stop();
  },
);

test('on a dual-stack socket the connections of each IPv4 address are limited separately', async () => {
  const databaseUrl = await createDatabase('sqlite');
  const env = {
    HOST: '::',
    MAX_CONNECTIONS_PER_ADDRESS: '3',
    TRUSTED_PROXIES: '192.0.2.1',
  };
  const both = await startServer({ mount: 'direct', databaseUrl, logFile: logFile(), env });
  const status = async (localAddress: string) => {
    const socket = connect({ port: both.port, host: '127.0.0.1', localAddress });
    socket.on('error', () => {});
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    const [answer] = await once(socket, 'data');
    return { socket, status: String(answer).slice(9, 12) };
  };
  const held = await Promise.all(Array.from({ length: 3 }, () => status('127.0.0.2')));
  expect(held.map((each) => each.status)).toEqual(['200', '200', '200']);
  const more = await status('127.0.0.2');
  const other = await status('127.0.0.3');
  expect([more.status, other.status]).toEqual(['503', '200']);
  for (const { socket } of [...held, more, other]) socket.destroy();
  await both.stop();
});
