import { Agent, request as httpRequest } from 'node:http';

/** How requests ended. */
export type Tally = {
  answered: number;
  /** Refused connections: a load balancer would try another server. */
  refused: number;
  /** Requests that were cut off, which may never happen. */
  broken: string[];
};

type Reply = { status: number; closes: boolean; body: string };

/** Sends one request. @throws node's error if the connection fails */
export function ask(
  port: number,
  path: string,
  agent: Agent | false,
  form?: string,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers = form
      ? {
          'Content-Type': 'application/x-www-form-urlencoded',
          'Content-Length': Buffer.byteLength(form),
        }
      : {};
    const options = {
      host: '127.0.0.1',
      port,
      path,
      agent,
      headers,
      method: form ? 'POST' : 'GET',
    };
    const request = httpRequest(options, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          closes: response.headers.connection === 'close',
          body,
        }),
      );
    });
    request.on('error', reject).end(form);
  });
}

/**
 * What the clients ask for, in turn: an endpoint with a body, one without, and a page of Next.js.
 */
const wishes: [path: string, form?: string][] = [
  ['/oauth/token', 'grant_type=refresh_token&refresh_token=none'],
  ['/oauth/me'],
  ['/login'],
  ['/oauth/token', `grant_type=refresh_token&refresh_token=${'x'.repeat(5000)}`],
];

/**
 * Clients that send one request after another until they are refused. Half of them keep their
 * connection; the others open a new one each time.
 */
export function startTraffic(port: number, clients: number): { over: Promise<Tally> } {
  const tally: Tally = { answered: 0, refused: 0, broken: [] };
  const run = async (number: number) => {
    const agent = number % 2 === 0 && new Agent({ keepAlive: true, maxSockets: 1 });
    for (let turn = number; tally.broken.length < 100; turn += 1) {
      const [path, form] = wishes[turn % wishes.length] ?? ['/healthz'];
      try {
        const { status } = await ask(port, path, agent, form);
        if (status >= 500) tally.broken.push(`${path} ${status}`);
        else tally.answered += 1;
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException;
        if (code === 'ECONNREFUSED') tally.refused += 1;
        else tally.broken.push(`${agent ? 'kept' : 'new'} connection, ${path}: ${code}`);
        if (code === 'ECONNREFUSED') break;
      }
    }
    if (agent) agent.destroy();
  };
  const runs = Array.from({ length: clients }, (_, number) => run(number));
  return { over: Promise.all(runs).then(() => tally) };
}
