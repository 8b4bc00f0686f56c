import { Agent, request as httpRequest } from 'node:http';

/** How requests ended that clients sent while processes came and went. */
export type Asked = {
  answered: number;
  /** What nobody answered, or a failure answered. */
  lost: string[];
  /** Sent again on a new connection, since the kept one had been closed while it was idle; by reason. */
  again: Record<string, number>;
  /** How often each kind of answer came, by path and status. */
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
 * Clients that ask one request after the other: two of three keep their connection, the others make
 * a new one each time. As programs do, they send again what has no effect and was sent on a kept
 * connection that was closed just then.
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
      // Some are idle now and then, so that a connection can be closed under them.
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
      // A form may have had its effect: whoever sends it again must know what it does. This one has none.
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
