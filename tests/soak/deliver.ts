import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** One request is answered, or its connection closed, within this; generous, since machines are busy. */
const hangAfter = 25_000;

/** What a client sends on one connection, and how. */
export type Letter = {
  /** Sent one after the other; a number is a pause in milliseconds. */
  pieces: (Buffer | number)[];
  /** Sends no more afterwards, and says so (FIN), as `nc -N` does. */
  halfCloses?: boolean;
  /** The answer to what it asks has no body, whatever its headers say. */
  isHead?: boolean;
};

/** What came of it. */
export type Delivery = {
  /** Of each final answer; one whose end is missing is `cut`. */
  statuses: string[];
  /** How it ended: by the server, by a reset, or not at all. */
  end: 'closed' | 'reset' | 'hang';
};

/** Sends a letter whole and reads until the server closes, or until `wanted` answers are there. */
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

/** The status of each final answer in what a server sent; to HEAD they have no body. */
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

/** The answers before it have bodies. */
const behindHead = (rest: string) => /HTTP\/1\.1 .*/s.exec(rest)?.[0] ?? '';

/** What comes after a body; null if that is not whole. */
function behindBody(head: string, rest: string): string | null {
  if (/^HTTP\/1\.1 (204|304)/.test(head)) return rest;
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length !== undefined) return rest.length < Number(length) ? null : rest.slice(Number(length));
  if (!/\r\ntransfer-encoding: chunked/i.test(head)) return '';
  const end = /(?:^|\r\n)0\r\n\r\n/.exec(rest);
  return end ? rest.slice(end.index + end[0].length) : null;
}
