import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';

/** Whoever was here so lately may come again, in milliseconds. */
const lately = 15_000;
/** A connection this young, in milliseconds, may have a request on the way. */
const young = 1000;
/** As long, in milliseconds, connections are awaited that the kernel has let in already. */
const mostAwaited = 1000;

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * The connections of a server, and which of them have a request under way. Node's own list takes a
 * connection that has never asked anything for a busy one.
 */
export class Connections {
  readonly #server: Server;
  /** Each with the moment it was made. */
  readonly #sockets = new Map<Socket, number>();
  readonly #underWay = new Set<ServerResponse>();
  #lastRequest = Number.NEGATIVE_INFINITY;
  #closing = false;
  #accepted = 0;
  /** What requests wait for while the listener is being closed. */
  #held: Promise<void> | null = null;

  constructor(server: Server, answer: Answer) {
    this.#server = server;
    server.on('connection', (socket: Socket) => {
      this.#accepted += 1;
      this.#sockets.set(socket, performance.now());
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('request', (request, response) => void this.#count(request, response, answer));
  }

  async #count(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
    this.#underWay.add(response);
    if (this.#closing) response.shouldKeepAlive = false;
    else this.#lastRequest = performance.now();
    if (this.#held) await this.#held;
    await answer(request, response);
    if (response.writableFinished || response.destroyed) this.#underWay.delete(response);
    else response.once('close', () => this.#underWay.delete(response));
  }

  /** Whether anybody may be about to ask: who did so lately, or is waiting for an answer. */
  get areNeeded(): boolean {
    return this.#underWay.size > 0 || performance.now() - this.#lastRequest < lately;
  }

  /** Says `Connection: close` with every answer from now on. */
  closeEachWithItsAnswer(): void {
    this.#closing = true;
    for (const response of this.#underWay)
      if (!response.headersSent) response.shouldKeepAlive = false;
  }

  /** Takes no more connections, ends those that ask nothing, and resolves when the others are through. */
  async drain(): Promise<void> {
    const { promise, resolve: release } = Promise.withResolvers<void>();
    // Who gets no answer for a moment does not come again in it.
    this.#held = promise;
    await this.#everybodyIsIn();
    // Not http's own close: it cuts answers off that are still being sent, and ends the time limits.
    const closed = new Promise((resolve) => NetServer.prototype.close.call(this.#server, resolve));
    this.#held = null;
    release();
    await nextTurn();
    this.#endIdle();
    const sweep = setInterval(() => this.#endIdle(), 50);
    await closed;
    clearInterval(sweep);
  }

  /**
   * Closing the listener would reset the connections that wait in the kernel, of which node takes
   * one in each turn of its loop: it has had them all when it finds none for some turns.
   */
  async #everybodyIsIn(): Promise<void> {
    const end = performance.now() + mostAwaited;
    for (let idleTurns = 0; idleTurns < 5 && performance.now() < end; ) {
      const before = this.#accepted;
      await nextTurn();
      idleTurns = this.#accepted === before ? idleTurns + 1 : 0;
    }
  }

  /** Ends every connection, whatever is under way. */
  endAll(): void {
    for (const socket of this.#sockets.keys()) socket.destroy();
  }

  #endIdle(): void {
    const busy = new Set<Socket>([...this.#underWay].map(({ req }) => req.socket));
    const now = performance.now();
    for (const [socket, since] of this.#sockets)
      if (!busy.has(socket) && now - since > young) socket.destroySoon();
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resume) => setImmediate(resume));
}
