import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** Milliseconds in which what a client still sends is read, so that it can read the answer. */
const lingers = 1000;

/** Those that were answered: whatever else arrives there counts for nothing. */
const answered = new WeakSet<Duplex>();

/** Whether a connection had its last answer, outside of the server's own requests. */
export const isOver = (socket: Duplex) => answered.has(socket);

/**
 * Answers on a connection where no request can be read or taken, and closes it. Not by `destroy`
 * alone: what is unread would have the system reset the connection, and throw the answer away.
 */
export function answerRaw(
  socket: Duplex,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  if (answered.has(socket)) return;
  answered.add(socket);
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const all = {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(text)),
    Connection: 'close',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on('error', () => {});
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`);
  socket.resume();
  const limit = setTimeout(() => socket.destroy(), lingers);
  socket.once('close', () => clearTimeout(limit));
}

/** What is answered where the parser of HTTP gave up, by its code; anything else is a bad request. */
const statuses: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Answers what is no HTTP, or too slow or too long. */
export function answerUnreadable(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET') socket.destroy();
  else
    answerRaw(socket, statuses[error.code ?? ''] ?? 400, 'This is no request that can be read.\n');
}

/** CONNECT asks for a tunnel (RFC 9110 section 9.3.6), which only a proxy has. */
export function answerConnect(_request: unknown, socket: Duplex): void {
  answerRaw(socket, 405, 'This is no proxy.\n', { Allow: 'GET, HEAD, POST, OPTIONS' });
}
