import { Agent, request as httpRequest } from 'node:http';

/** How clients' requests ended while processes came and went. */
export type Asked = {
  answered: number;
  /** Requests without an answer, or with one that reports a failure. */
  lost: string[];
  /**
   * Requests sent again on a new connection, because the kept one had been closed while idle; by
   * reason.
   */
  again: Record<string, number>;
  /** The number of answers, by path and status. */
  answers: Record<string, number>;
};

type Wish = { path: string; status: number; form?: string };

/** An endpoint with a body, one without, a page of ours and one of Next.js. */
const wishes: Wish[] = [
  { path: '/oauth/token', status: 400, form: 'grant_type=refresh_token&refresh_token=none' },
  { path: '/oauth/me', status: 401 },
  { path: '/oauth/jwks', status: 200 },
  { path: '/login', status: 200 },
];

/**
 * Clients that each send one request after another. Two of three keep their connection; the others
 * open a new one each time. Like most programs, they retry a request without side effects if its
 * kept connection was just being closed.
 * @param over asked before each request
 */
export async function askUntil(
  port: number,
  clients: number,
  over: (sofar: Asked) => boolean,
): Promise<Asked> {
  const asked: Asked = { answered: 0, lost: [], again: {}, answers: {} };
  const run = async (number: number) => {
    const agent = number % 3 !== 0 && new Agent({ keepAlive: true, maxSockets: 1 });
    for (let turn = number; !over(asked) && asked.lost.length < 50; turn += 1) {
      await one(port, wishes[turn % wishes.length] as Wish, agent, asked);
      // Now and then a client is idle, so that its connection can be closed meanwhile.
      if (turn % 50 === 0) await new Promise((resume) => setTimeout(resume, 300));
    }
    if (agent) agent.destroy();
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => run(number)));
  return asked;
}

async function one(port: number, wish: Wish, agent: Agent | false, asked: Asked): Promise<void> {
  const kind = `${agent ? 'kept' : 'new'} connection, ${wish.path}`;
  try {
    const status = await send(port, wish, agent).catch((failure: Failure) => {
      // A form may have had its effect, so only a client that knows what it does may send it again.
      // This form has no effect.
      if (!failure.reused || failure.begun) throw failure;
      const reason = `${failure.code} on a kept connection`;
      asked.again[reason] = (asked.again[reason] ?? 0) + 1;
      return send(port, wish, false);
    });
    asked.answers[`${wish.path} ${status}`] = (asked.answers[`${wish.path} ${status}`] ?? 0) + 1;
    if (status === wish.status) asked.answered += 1;
    else asked.lost.push(`${kind}: ${status}`);
  } catch (error) {
    asked.lost.push(`${kind}: ${(error as Failure).code}`);
  }
}

type Failure = { code: string; reused: boolean; begun: boolean };

function send(port: number, { path, form }: Wish, agent: Agent | false): Promise<number> {
  return new Promise((resolve, reject) => {
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const headers = form ? { ...type, 'content-length': Buffer.byteLength(form) } : {};
    const method = form ? 'POST' : 'GET';
    let begun = false;
    const fail = ({ code = '' }: NodeJS.ErrnoException) =>
      reject({ code, reused: request.reusedSocket, begun } satisfies Failure);
    const request = httpRequest(
      { host: '127.0.0.1', port, path, agent, headers, method },
      (response) => {
        begun = true;
        response.on('error', fail).on('end', () => resolve(response.statusCode ?? 0));
        response.resume();
      },
    );
    request.setTimeout(20_000, () => request.destroy(new Error('silence')));
    request.on('error', fail).end(form);
  });
}
