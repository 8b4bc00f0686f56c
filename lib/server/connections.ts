import cluster from 'node:cluster';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { notePeer } from '../http/peer.ts';
import { log } from '../telemetry/log.ts';
import { closeGently, isOver } from './closing.ts';
import { ComingAndGoing } from './coming-and-going.ts';
import { ConnectionLimits } from './connection-limits.ts';
import { answerRaw } from './raw-answers.ts';
import { answerUntaken } from './untaken.ts';

/** A client seen this recently (milliseconds) may be about to send again. */
const lately = 15_000;
/** A connection this young (milliseconds) may have a request on the way. */
const young = 1000;
/**
 * The maximum number of milliseconds to wait for connections that the kernel has already accepted.
 */
const mostAwaited = 1000;

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * The connections of a server, and which of them have a request in progress. Node's own list counts
 * a connection that has never sent a request as busy.
 */
export class Connections {
  readonly #server: Server;
  readonly #opened = new ComingAndGoing<{ socket: Socket; at: number }>();
  readonly #limits = new ConnectionLimits();
  readonly #underWay = new ComingAndGoing<ServerResponse>();
  #lastRequest = Number.NEGATIVE_INFINITY;
  #closing = false;
  #accepted = 0;
  #closed: Promise<unknown> | null = null;
  /** New requests wait for this promise while the listener closes. */
  #held: Promise<void> | null = null;

  constructor(server: Server, answer: Answer) {
    this.#server = server;
    // A client that has closed its sending side (FIN) can still read, so its requests are answered.
    Object.assign(server, { httpAllowHalfOpen: true });
    server.on('connection', (socket: Socket) => this.#open(socket));
    server.on('request', (request, response) => {
      if (isOver(request.socket)) request.resume();
      else void this.#count(request, response, answer);
    });
    answerUntaken(server, this.#underWay);
  }

  #open(socket: Socket): void {
    notePeer(socket);
    // Node calls this after the last answer on a connection.
    socket.destroySoon = () => closeGently(socket);
    if (!this.#limits.admit(socket)) {
      answerRaw(socket, 503, 'Too many connections.\n', { 'Retry-After': '5' });
      return;
    }
    this.#accepted += 1;
    const place = this.#opened.comes({ socket, at: performance.now() });
    socket.once('close', () => this.#opened.goes(place));
  }

  async #count(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
    const place = this.#underWay.comes(response);
    if (this.#closing) response.shouldKeepAlive = false;
    else this.#lastRequest = performance.now();
    if (this.#held) await this.#held;
    try {
      await answer(request, response);
    } catch (error) {
      log().error({ err: error }, 'a request was not answered');
      response.destroy();
    } finally {
      // Discards the rest of a body that was not read to its end.
      if (!request.complete) request.resume();
      if (response.writableFinished || response.destroyed) this.#underWay.goes(place);
      else response.once('close', () => this.#underWay.goes(place));
    }
  }

  /** Whether a client may be about to send: one was seen recently, or awaits a response. */
  get areNeeded(): boolean {
    const awaited = [...this.#underWay].some((response) => !response.writableEnded);
    return awaited || performance.now() - this.#lastRequest < lately;
  }

  /** Sends `Connection: close` with every response from now on. */
  closeEachWithItsAnswer(): void {
    this.#closing = true;
    for (const response of this.#underWay)
      if (!response.headersSent) response.shouldKeepAlive = false;
  }

  /** Another worker gets the next, even one that is already on its way. */
  letNobodyIn(): void {
    // `http.Server.close` would cut off responses that are still being sent, and drop the timeouts.
    this.#closed ??= new Promise((resolve) =>
      NetServer.prototype.close.call(this.#server, resolve),
    );
  }

  /** Stops accepting connections, closes idle ones, and resolves when the rest are done. */
  async drain(): Promise<void> {
    const { promise, resolve: release } = Promise.withResolvers<void>();
    // A client that is waiting for a response doesn't send another request.
    this.#held = promise;
    await this.#everybodyIsIn();
    this.letNobodyIn();
    this.#held = null;
    release();
    await nextTurn();
    this.#endIdle();
    const sweep = setInterval(() => this.#endIdle(), 50);
    await this.#closed;
    clearInterval(sweep);
  }

  /**
   * Waits until the kernel's queue of connections is empty, because closing the listener would
   * reset the queued ones. Node accepts one connection per turn of the event loop, so the queue is
   * empty once several turns have brought none.
   */
  async #everybodyIsIn(): Promise<void> {
    const end = performance.now() + mostAwaited;
    for (let idleTurns = 0; idleTurns < 5 && performance.now() < end; ) {
      const before = this.#accepted;
      await (cluster.isWorker ? handedOver() : nextTurn());
      idleTurns = this.#accepted === before ? idleTurns + 1 : 0;
    }
  }

  /** Closes every connection immediately, whatever is in progress. */
  endAll(): void {
    for (const { socket } of this.#opened) socket.destroy();
  }

  #endIdle(): void {
    const busy = new Set<Socket>([...this.#underWay].map(({ req }) => req.socket));
    const now = performance.now();
    for (const { socket, at } of this.#opened)
      if (!busy.has(socket) && now - at > young) closeGently(socket);
  }
}

/** A worker's connections are accepted by the primary and handed over, which takes a moment. */
function handedOver(): Promise<void> {
  return new Promise((resume) => setTimeout(resume, 10));
}

function nextTurn(): Promise<void> {
  return new Promise((resume) => setImmediate(resume));
}
