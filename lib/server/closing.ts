import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Milliseconds without a byte after which a client is taken to have sent everything. */
const idle = 1000;
/** The maximum time for which a client may go on sending, in milliseconds. */
const most = 30_000;

/** They have had their last answer, or are about to. */
const over = new WeakSet<Duplex>();
const closing = new WeakSet<Duplex>();

/** Ignores whatever else arrives on a connection. */
export const takeNoMore = (socket: Duplex) => void over.add(socket);

export const isOver = (socket: Duplex) => over.has(socket);

/**
 * Closes a connection after everything that was written has been sent. What the client still sends
 * is read for a while. If it were left unread, the system would reset the connection, and the
 * client would lose an answer that it has not read yet.
 */
export function closeGently(socket: Duplex): void {
  if (closing.has(socket)) return;
  closing.add(socket);
  takeNoMore(socket);
  socket.on('error', () => {});
  if (socket.destroyed) return;
  socket.end();
  socket.resume();
  if (socket.writableFinished) linger(socket);
  else socket.once('finish', () => linger(socket));
}

/**
 * Called once the answer is sent. Waits until the client closes the connection or stops sending.
 */
function linger(socket: Duplex): void {
  const end = performance.now() + most;
  let seen = bytesRead(socket);
  const watch = setInterval(() => {
    const isSilent = seen === bytesRead(socket);
    seen = bytesRead(socket);
    if (isSilent || performance.now() > end) socket.destroy();
  }, idle);
  socket.once('close', () => clearInterval(watch));
}

const bytesRead = (socket: Duplex) => (socket as Socket).bytesRead;
