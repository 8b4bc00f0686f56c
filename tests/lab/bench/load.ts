import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';

/** The parts of an answer that a benchmark looks at. */
export type Answer = { status: number; head: string; body: string };

/** The requests of one connection: the next one, given the answer to the previous one. */
export type Script = {
  next(previous: Answer | null): string;
  /** Whether the latency of the latest request counts. Without this method, all count. */
  isTimed?(): boolean;
};

/**
 * Rates per second, latencies in milliseconds, and the server's processor time in microseconds per
 * request.
 */
export type Result = {
  perSecond: number;
  p50: number;
  p99: number;
  /** All latencies, in ascending order. */
  latencies: number[];
  failures: number;
  /** The first failing answer, shortened. */
  failure: string | null;
  cpu: number;
  /**
   * How much of a core the server and this generator used; 1 is a whole core. Whichever is close to
   * 1 is the limit.
   */
  busy: { server: number; load: number };
};

type Load = {
  port: number;
  connections: number;
  warmUpMs: number;
  measureMs: number;
  script: (index: number) => Script;
  pid: number;
  /**
   * Each connection sends one request in this many milliseconds, as far as answers come in time.
   * Without it, as soon as it can.
   */
  everyMs?: number;
};

/**
 * Drives a server through raw sockets, one request at a time on each connection. It does as little
 * as possible per request, so that the server is the limit. Latencies are in milliseconds.
 */
export async function drive({
  port,
  connections,
  warmUpMs,
  measureMs,
  script,
  pid,
  everyMs = 0,
}: Load): Promise<Result> {
  const latencies: number[] = [];
  let answered = 0;
  let failures = 0;
  let failure: string | null = null;
  let before: { server: number; load: number } | null = null;
  const begin = performance.now() + warmUpMs;
  const end = begin + measureMs;
  const run = async (index: number): Promise<void> => {
    const own = script(index);
    // A server that closes a connection fails that request; the next goes over another connection.
    do {
      const lost = await talk(index, own);
      if (!lost) return;
      failures += 1;
      failure ??= lost;
    } while (performance.now() < end);
  };
  const talk = (index: number, own: Script) => {
    const pace = { everyMs, firstInMs: (everyMs * index) / connections };
    return converse(port, own, pace, (answer, sentAt) => {
      const now = performance.now();
      if (now >= begin && now < end) {
        before ??= timesOf(pid);
        answered += 1;
        if (own.isTimed?.() ?? true) latencies.push(now - sentAt);
        if (answer.status >= 400) {
          failures += 1;
          failure ??= `${answer.status} ${answer.body.slice(0, 200)}`;
        }
      }
      if (now < end) return true;
      // The next run continues with what the last answer returned.
      own.next(answer);
      return false;
    });
  };
  await Promise.all(Array.from({ length: connections }, (_, index) => run(index)));
  latencies.sort((a, b) => a - b);
  const at = (share: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  const [from, to] = [before ?? { server: 0, load: 0 }, timesOf(pid)];
  return {
    perSecond: answered / (measureMs / 1000),
    p50: at(0.5),
    p99: at(0.99),
    latencies,
    failures,
    failure,
    cpu: (to.server - from.server) / answered,
    busy: {
      server: (to.server - from.server) / 1000 / measureMs,
      load: (to.load - from.load) / 1000 / measureMs,
    },
  };
}

/** The processor time that the server and this process have used, in microseconds. */
function timesOf(pid: number) {
  const { user, system } = process.cpuUsage();
  return { server: cpuTime(pid), load: user + system };
}

/**
 * The processor time that a process has used, in microseconds. On Linux, the clock ticks 100 times
 * a second.
 */
export function cpuTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** Sends one request and returns its answer, for setting up a benchmark. */
export function ask(port: number, request: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const script = { next: () => request };
    converse(port, script, { everyMs: 0, firstInMs: 0 }, (answer) => {
      resolve(answer);
      return false;
    }).then((lost) => {
      if (lost) reject(new Error(lost));
    }, reject);
  });
}

type Pace = { everyMs: number; firstInMs: number };

/**
 * Asks over one connection until `onAnswer` returns false.
 * @returns why the connection was lost before, or null
 */
function converse(
  port: number,
  script: Script,
  { everyMs, firstInMs }: Pace,
  onAnswer: (answer: Answer, sentAt: number) => boolean,
): Promise<string | null> {
  return new Promise((resolve) => {
    let isOver = false;
    let received = '';
    let sentAt = 0;
    let due = performance.now() + firstInMs;
    // Reads without a stream: on a shared machine, the generator's own cost would be taken from the
    // server.
    const onread = {
      buffer: Buffer.allocUnsafe(65_536),
      callback: (bytes: number, buffer: Uint8Array) => {
        read((buffer as Buffer).toString('latin1', 0, bytes));
        return true;
      },
    };
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
    const send = (previous: Answer | null) => {
      sentAt = performance.now();
      socket.write(script.next(previous), 'latin1');
    };
    // A request that had to wait for the previous answer is late, and that counts as latency.
    const sendWhenDue = (previous: Answer | null) => {
      const wait = everyMs === 0 ? 0 : due - performance.now();
      if (wait > 0) setTimeout(() => send(previous), wait);
      else {
        send(previous);
        if (everyMs > 0) sentAt = due;
      }
      due += everyMs;
    };
    socket.on('connect', () => sendWhenDue(null));
    socket.on('error', (error) => resolve(error.message));
    socket.on('close', () => resolve(isOver ? null : 'The server closed the connection.'));
    const read = (chunk: string) => {
      received += chunk;
      const answer = readAnswer(received);
      if (!answer) return;
      received = '';
      isOver = !onAnswer(answer, sentAt);
      if (isOver) socket.end();
      else sendWhenDue(answer);
    };
  });
}

function readAnswer(text: string): Answer | null {
  const split = text.indexOf('\r\n\r\n');
  if (split < 0) return null;
  const head = text.slice(0, split);
  const body = text.slice(split + 4);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  const whole =
    length !== undefined
      ? body.length >= Number(length)
      : !/\r\ntransfer-encoding/i.test(head) || body.endsWith('0\r\n\r\n');
  return whole
    ? {
        status: Number(head.slice(9, 12)),
        head,
        body: length === undefined ? withoutChunks(body) : body,
      }
    : null;
}

/** Joins the chunks of a chunked body (RFC 9112, section 7.1). Next.js sends no length. */
function withoutChunks(body: string): string {
  const size = Number.parseInt(body, 16);
  if (!size) return '';
  const begin = body.indexOf('\r\n') + 2;
  return body.slice(begin, begin + size) + withoutChunks(body.slice(begin + size + 2));
}

/** A GET request as sent over the wire. */
export function get(path: string, headers: Record<string, string> = {}): string {
  return `GET ${path} HTTP/1.1\r\n${lines({ Host: 'localhost', ...headers })}\r\n`;
}

/** A form post as sent over the wire. */
export function post(
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): string {
  const body = new URLSearchParams(fields).toString();
  const type = 'Content-Type: application/x-www-form-urlencoded\r\n';
  return `POST ${path} HTTP/1.1\r\n${type}Content-Length: ${body.length}\r\n${lines({ Host: 'localhost', ...headers })}\r\n${body}`;
}

function lines(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}
