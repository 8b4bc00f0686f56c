import type { Socket } from 'node:net';

/** Used as the address if the receiving server exposes none, as with `next start`. */
export const unknownAddress = 'unknown';

const peers = new WeakMap<Socket, string>();

/**
 * Remembers where a connection comes from. A socket forgets its remote address when the connection
 * ends, but a request must have an address even after its client has left.
 */
export function notePeer(socket: Socket): void {
  if (socket.remoteAddress) peers.set(socket, socket.remoteAddress);
}

/** The address at the other end of a connection, even after the connection has ended. */
export function peerOf(socket: Socket): string {
  return peers.get(socket) ?? socket.remoteAddress ?? unknownAddress;
}
