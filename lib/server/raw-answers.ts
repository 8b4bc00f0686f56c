import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { closeGently, takeNoMore } from './closing.ts';

/**
 * Answers on a connection where no request can be read or accepted, and closes it. `destroy` alone
 * would not do: because of the unread bytes the system would reset the connection and discard the
 * answer.
 */
export function answerRaw(
  socket: Duplex,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  takeNoMore(socket);
  const all = {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(text)),
    Connection: 'close',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const answer = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`;
  if (socket.writable) socket.write(answer);
  closeGently(socket);
}
