import type { Socket } from 'node:net';

/** What stands for an address where the receiving server shows none, as `next start` does. */
export const unknownAddress = 'unknown';

const peers = new WeakMap<Socket, string>();

/**
 * Remembers where a connection comes from. A socket forgets it with the connection, and nobody's
 * request may come from nowhere because its client has left.
 */
export function notePeer(socket: Socket): void {
  if (socket.remoteAddress) peers.set(socket, socket.remoteAddress);
}

/** The address at the other end of a connection, also after its end. */
export function peerOf(socket: Socket): string {
  return peers.get(socket) ?? socket.remoteAddress ?? unknownAddress;
}
