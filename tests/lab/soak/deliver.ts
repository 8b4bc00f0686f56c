import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * An answer or the end of the connection has to come within this time. It is generous, because
 * machines are busy.
 */
const hangAfter = 25_000;

/** What a client sends on one connection, and how. */
export type Letter = {
  /** Sent one after another; a number is a pause in milliseconds. */
  pieces: (Buffer | number)[];
  /** Afterwards sends a FIN, as `nc -N` does. */
  halfCloses?: boolean;
  /** This is a HEAD request, so the answer has no body, whatever its headers say. */
  isHead?: boolean;
};

/** The server's answers, and how the connection ended. */
export type Delivery = {
  /** The status of each final answer; `cut` for an incomplete one. */
  statuses: string[];
  /** Whether it was closed by the server, reset, or not ended at all. */
  end: 'closed' | 'reset' | 'hang';
};

/** Sends a whole letter and reads until the server closes, or until `wanted` answers have come. */
export function deliver(port: number, letter: Letter, wanted = Infinity): Promise<Delivery> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const answers = () => statusesIn(Buffer.concat(chunks).toString('latin1'), letter.isHead);
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const finish = (end: Delivery['end']) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ statuses: answers(), end });
    };
    const timer = setTimeout(() => finish('hang'), hangAfter);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (wanted === Infinity) return;
      const found = answers();
      if (found.length >= wanted && found.at(-1) !== 'cut') finish('closed');
    });
    const sent = post(socket, letter);
    socket.on('end', () => void sent.then(() => finish('closed')));
    socket.on('error', () => finish('reset'));
    socket.on('close', () => finish('closed'));
  });
}

async function post(socket: ReturnType<typeof connect>, { pieces, halfCloses }: Letter) {
  for (const piece of pieces) {
    if (typeof piece === 'number') await pause(piece);
    else if (socket.writable) socket.write(piece);
  }
  if (halfCloses && socket.writable) socket.end();
}

/** The status of each final answer in what a server sent. Answers to HEAD have no body. */
function statusesIn(text: string, isHead = false): string[] {
  const found: string[] = [];
  for (let rest = text; rest !== ''; ) {
    const [head = '', status] =
      /^HTTP\/1\.1 (\d{3})[^\n]*\r\n(?:[^\r\n]+\r\n)*\r\n/.exec(rest) ?? [];
    if (!status) return [...found, 'cut'];
    rest = rest.slice(head.length);
    if (status.startsWith('1')) continue;
    const after = isHead ? behindHead(rest) : behindBody(head, rest);
    found.push(after === null ? 'cut' : status);
    rest = after ?? '';
  }
  return found;
}

/** The earlier answers have bodies, so the next answer is looked for. */
const behindHead = (rest: string) => /HTTP\/1\.1 .*/s.exec(rest)?.[0] ?? '';

/** What comes after a body; null if the body is incomplete. */
function behindBody(head: string, rest: string): string | null {
  if (/^HTTP\/1\.1 (204|304)/.test(head)) return rest;
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length !== undefined) return rest.length < Number(length) ? null : rest.slice(Number(length));
  if (!/\r\ntransfer-encoding: chunked/i.test(head)) return '';
  const end = /(?:^|\r\n)0\r\n\r\n/.exec(rest);
  return end ? rest.slice(end.index + end[0].length) : null;
}
