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
/** A connection this young, in milliseconds, may have a request on the way. */
const young = 1000;
/** Milliseconds to wait for connections the kernel has already accepted. */
const mostAwaited = 1000;

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * The connections of a server, and which of them have a request in progress. Node's own list counts
 * a connection that never sent a request as busy.
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
  /** Requests wait for this while the listener closes. */
  #held: Promise<void> | null = null;

  constructor(server: Server, answer: Answer) {
    this.#server = server;
    // One that sends no more (FIN) may still read: what it asked for is answered.
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
    // Node calls it after a last answer.
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
      // A body that nobody wanted to read to its end.
      if (!request.complete) request.resume();
      if (response.writableFinished || response.destroyed) this.#underWay.goes(place);
      else response.once('close', () => this.#underWay.goes(place));
    }
  }

  /** Whether a client may be about to send: one seen recently, or awaiting a response. */
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

  /**
   * Accepts no more connections. In a worker the primary gives the next one to another worker, one on
   * its way included.
   */
  letNobodyIn(): void {
    // Not `http.Server.close`: it cuts off responses still being sent and drops the timeouts.
    this.#closed ??= new Promise((resolve) =>
      NetServer.prototype.close.call(this.#server, resolve),
    );
  }

  /** Accepts no more connections, closes idle ones, and resolves when the rest are done. */
  async drain(): Promise<void> {
    const { promise, resolve: release } = Promise.withResolvers<void>();
    // A client without a response yet doesn't send another request.
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
   * Closing the listener would reset connections queued in the kernel. Node accepts one per loop
   * turn, so the queue is empty once several turns bring none.
   */
  async #everybodyIsIn(): Promise<void> {
    const end = performance.now() + mostAwaited;
    for (let idleTurns = 0; idleTurns < 5 && performance.now() < end; ) {
      const before = this.#accepted;
      await (cluster.isWorker ? handedOver() : nextTurn());
      idleTurns = this.#accepted === before ? idleTurns + 1 : 0;
    }
  }

  /** Closes every connection, whatever is in progress. */
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

/** The primary accepts for a worker and hands over: that takes a moment. */
function handedOver(): Promise<void> {
  return new Promise((resume) => setTimeout(resume, 10));
}

function nextTurn(): Promise<void> {
  return new Promise((resume) => setImmediate(resume));
}
