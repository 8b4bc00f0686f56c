import type { Socket } from 'node:net';
import { config } from '../config.ts';
import { mayBeProxy } from '../http/address.ts';
import { networksOf } from '../http/network.ts';
import { peerOf } from '../http/peer.ts';
import { log } from '../telemetry/log.ts';

/** Milliseconds between two log lines about refused connections. */
const quiet = 60_000;

type Limits = {
  /** The limits of the whole server, and how the log names each. */
  most: () => { inAll: number; perAddress: number };
  names: { inAll: string; perAddress: string };
  /** Everyone may come through a proxy, which then has no limit of its own. */
  passesProxies: boolean;
};

const ofWeb: Limits = {
  most: () => config().connections,
  names: { inAll: 'MAX_CONNECTIONS', perAddress: 'MAX_CONNECTIONS_PER_ADDRESS' },
  passesProxies: true,
};

/** Counts this worker's open connections: in all, and for each address. */
export class ConnectionLimits {
  readonly #limits: Limits;
  readonly #byNetwork = new Map<string, number>();
  #inAll = 0;
  #saidAt = Number.NEGATIVE_INFINITY;

  constructor(limits: Limits = ofWeb) {
    this.#limits = limits;
  }

  /**
   * Counts one more connection, until it closes or the function that this returns is called. Null:
   * there are too many.
   */
  admit(socket: Socket): (() => void) | null {
    const { most, names, passesProxies } = this.#limits;
    const peer = peerOf(socket);
    const keys =
      passesProxies && mayBeProxy(peer) ? [] : networksOf({ address: peer, isShared: false });
    const isFull = this.#inAll >= shareOf(most().inAll);
    const isTooMany = keys.some(
      ({ network, share }) =>
        (this.#byNetwork.get(network) ?? 0) >= shareOf(most().perAddress) * share,
    );
    if (isFull || isTooMany) {
      this.#say(isFull ? names.inAll : names.perAddress, peer);
      return null;
    }
    this.#inAll += 1;
    for (const { network } of keys)
      this.#byNetwork.set(network, (this.#byNetwork.get(network) ?? 0) + 1);
    let isCounted = true;
    const leave = () => {
      if (isCounted) this.#leave(keys);
      isCounted = false;
    };
    socket.once('close', leave);
    return leave;
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

/** A worker's part of a limit. The primary distributes connections evenly among the workers. */
const shareOf = (limit: number) => Math.ceil(limit / config().workers);
