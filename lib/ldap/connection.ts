import type { Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';
import { Frames } from '../identity/directory/frames.ts';
import { log } from '../telemetry/log.ts';
import { abandonedBy, disconnection, readMessage } from './message.ts';
import { type Next, Session } from './session.ts';

/** Bounds of a connection: tighter until somebody has proved who they are. Times in milliseconds. */
const before = { bytes: 16 * 1024, time: 15_000 };
const after = { bytes: 512 * 1024, idle: 15 * 60_000 };
/** Milliseconds that the other side may take to read what it was sent. */
const patience = 60_000;

type Terms = {
  peer: string;
  mayBePlain: boolean;
  /** Whether the connection begins with TLS. */
  beginsSecure: boolean;
  /** The certificate as it is now; null: there is none. */
  context: SecureContext | null;
  /** Called once, when somebody has proved who they are. */
  proved: () => void;
};

/**
 * One connection of a program. Its requests are answered one after the other; meanwhile others wait,
 * together as many bytes as one message may have.
 */
export class LdapConnection {
  readonly #terms: Terms;
  readonly #frames = new Frames(before.bytes);
  #waiting: Buffer[] = [];
  readonly #session: Session;
  #socket: Socket;
  #isSecure = false;
  #isBusy = false;
  #isClosing = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(socket: Socket, terms: Terms) {
    this.#terms = terms;
    this.#socket = socket;
    const { peer, mayBePlain, context, beginsSecure } = terms;
    const line = { peer, mayBePlain, offersTls: context !== null, send: this.#send };
    const isSecure = () => this.#isSecure;
    this.#session = new Session(
      Object.defineProperty({ ...line, isSecure: false }, 'isSecure', { get: isSecure }),
      new Date(),
    );
    socket.on('error', () => {});
    socket.on('close', () => clearTimeout(this.#timer));
    this.#endAfter(before.time);
    if (beginsSecure) this.#secure();
    else this.#listen();
  }

  /** Ends it once the present request is answered. */
  close(): void {
    this.#isClosing = true;
    if (!this.#isBusy) this.#end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #end(): void {
    if (this.#socket.destroyed) return;
    this.#socket.end(disconnection({ code: 'other', says: 'The server stops.' }));
    this.#endAfter(1000);
  }

  #endAfter(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#socket.destroy(), milliseconds).unref();
  }

  #listen(): void {
    this.#socket.on('data', (piece: Buffer) => {
      this.#frames.add(piece);
      if (this.#isBusy) this.#lookAhead();
      else void this.#work();
    });
  }

  /** What comes while a search is answered may abandon it. */
  #lookAhead(): void {
    try {
      for (let bytes = this.#frames.next(); bytes !== null; bytes = this.#frames.next()) {
        this.#waiting.push(bytes);
        const id = abandonedBy(readMessage(bytes));
        if (id !== null) this.#session.abandon(id);
      }
    } catch {
      // It is answered when its turn has come.
    }
    if (this.#held > this.#frames.largest) this.#socket.pause();
  }

  /** How many bytes were read and not answered. */
  get #held(): number {
    return this.#waiting.reduce((sum, { length }) => sum + length, this.#frames.length);
  }

  #drop(): void {
    this.#waiting = [];
    this.#frames.drop();
  }

  async #work(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      await this.#answerAll();
    } catch (error) {
      const { name, message } = error as Error;
      if (name !== 'BadBer' && name !== 'BadAnswer') log().error({ err: error }, 'failed');
      this.#drop();
      this.#socket.end(disconnection({ code: 'protocolError', says: message }));
    } finally {
      this.#isBusy = false;
      if (this.#isClosing) this.#end();
      else this.#socket.resume();
    }
  }

  async #answerAll(): Promise<void> {
    for (;;) {
      const bytes = this.#waiting.shift() ?? this.#frames.next();
      if (bytes === null || this.#isClosing) return;
      const answered = this.#session.answer(readMessage(bytes), new Date());
      this.#lookAhead();
      const next = await answered;
      if (this.#session.isBound) this.#isProved();
      if (next === 'go-on') continue;
      this.#leave(next);
      return;
    }
  }

  #isProved(): void {
    this.#terms.proved();
    this.#frames.largest = after.bytes;
    this.#endAfter(after.idle);
  }

  #leave(next: Exclude<Next, 'go-on'>): void {
    const isClean = this.#held === 0;
    this.#drop();
    // Bytes that came before TLS could be anybody's (CVE-2011-0411): they are never read as a
    // request of the encrypted connection.
    if (next === 'start-tls' && isClean) this.#secure();
    else this.#socket.end();
  }

  /** From here on the connection is encrypted. */
  #secure(): void {
    const { context } = this.#terms;
    const plain = this.#socket;
    if (context === null) return void plain.destroy();
    plain.removeAllListeners('data');
    plain.pause();
    plain.uncork();
    const secure = new TLSSocket(plain, {
      isServer: true,
      secureContext: context,
      ALPNProtocols: ['ldap'],
    });
    secure.on('error', () => plain.destroy());
    secure.on('secure', () => (this.#isSecure = true));
    this.#socket = secure;
    this.#listen();
  }

  /** Sends, and waits while the other side does not read. */
  readonly #send = async (bytes: Buffer): Promise<boolean> => {
    const socket = this.#socket;
    if (socket.destroyed || !socket.writable) return false;
    if (bytes.length === 0) return true;
    // What follows in the same turn of the event loop is sent along.
    socket.cork();
    process.nextTick(() => socket.uncork());
    if (socket.write(bytes)) return true;
    return new Promise((resolve) => {
      const settle = (isOpen: boolean) => {
        clearTimeout(timer);
        socket.off('drain', drained).off('close', closed);
        resolve(isOpen);
      };
      const timer = setTimeout(() => {
        socket.destroy();
        settle(false);
      }, patience);
      const drained = () => settle(true);
      const closed = () => settle(false);
      socket.once('drain', drained).once('close', closed);
    });
  };
}
