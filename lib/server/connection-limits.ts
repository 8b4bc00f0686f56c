import type { Socket } from 'node:net';
import { config } from '../config.ts';
import { mayBeProxy } from '../http/address.ts';
import { networksOf } from '../http/network.ts';
import { peerOf } from '../http/peer.ts';
import { log } from '../telemetry/log.ts';

/** Milliseconds between two log lines about refused connections. */
const quiet = 60_000;

/** Counts this worker's open connections: in all, and for each address that is not a proxy's. */
export class ConnectionLimits {
  readonly #byNetwork = new Map<string, number>();
  #inAll = 0;
  #saidAt = Number.NEGATIVE_INFINITY;

  /** Whether one more connection is allowed. If so, it is counted until it closes. */
  admit(socket: Socket): boolean {
    const { connections } = config();
    const keys = keysOf(peerOf(socket));
    const isFull = this.#inAll >= shareOf(connections.inAll);
    const isTooMany = keys.some(
      ({ network, share }) =>
        (this.#byNetwork.get(network) ?? 0) >= shareOf(connections.perAddress) * share,
    );
    if (isFull || isTooMany) {
      this.#say(isFull ? 'MAX_CONNECTIONS' : 'MAX_CONNECTIONS_PER_ADDRESS', peerOf(socket));
      return false;
    }
    this.#inAll += 1;
    for (const { network } of keys)
      this.#byNetwork.set(network, (this.#byNetwork.get(network) ?? 0) + 1);
    socket.once('close', () => this.#leave(keys));
    return true;
  }

  #leave(keys: readonly { network: string }[]): void {
    this.#inAll -= 1;
    for (const { network } of keys) {
      const left = (this.#byNetwork.get(network) ?? 1) - 1;
      if (left > 0) this.#byNetwork.set(network, left);
      else this.#byNetwork.delete(network);
    }
  }

  #say(setting: string, peer: string): void {
    if (performance.now() - this.#saidAt < quiet) return;
    this.#saidAt = performance.now();
    log().warn({ setting, peer, open: this.#inAll }, 'connections are turned away');
  }
}

/** A proxy has no limit of its own, because everyone may come through it. */
const keysOf = (peer: string) =>
  mayBeProxy(peer) ? [] : networksOf({ address: peer, isShared: false });

/** A worker's part of a limit. The primary distributes connections evenly among the workers. */
const shareOf = (limit: number) => Math.ceil(limit / config().workers);
