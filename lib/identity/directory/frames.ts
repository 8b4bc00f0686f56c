import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';

/** What a server sent is not LDAP, or is too long. */
export class BadAnswer extends Error {
  override readonly name = 'BadAnswer';
}

/** It is LDAP, but more than one request may bring. */
export class TooMuch extends BadAnswer {}

export const noMessage = 'It sent something that is no LDAP message.';

/** The most bytes of one message (RFC 4511 section 4.1.1). */
const largestMessage = 1024 * 1024;

/** The most messages: the entries of a page, the groups, and the end of each answer. */
const mostMessages = 5000;

/** So many pieces in a row that are smaller than this (bytes) are joined when they come. */
const smallPiece = 256;
const mostSmall = 256;

/** LDAPMessage is a SEQUENCE with a definite length (RFC 4511 section 5.1). */
const sequenceTag = 0x30;

/** The pieces of a connection, which are joined to whole LDAP messages. */
export class Frames {
  /** The most bytes of one message. */
  largest: number;
  #pieces: Buffer[] = [];
  #length = 0;
  #small = 0;

  constructor(largest: number) {
    this.largest = largest;
  }

  /** How many bytes wait for the rest of their message. */
  get length(): number {
    return this.#length;
  }

  add(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
    this.#small = piece.length < smallPiece ? this.#small + 1 : 0;
    // A message that comes byte by byte takes hardly more memory than another one.
    if (this.#small < mostSmall) return;
    this.#pieces.push(Buffer.concat(this.#pieces.splice(-mostSmall)));
    this.#small = 0;
  }

  /** The next whole message; null: it is not complete. @throws BadAnswer */
  next(): Buffer | null {
    // Pieces are joined only when a message is complete, so a slow sender costs no more than a fast
    // one.
    const wanted = sizeOf(this.#beginning(), this.largest);
    if (wanted === 'none') throw new BadAnswer(noMessage);
    if (wanted === 'more' || this.#length < wanted) return null;
    const all = this.#joined();
    this.#pieces = all.length > wanted ? [all.subarray(wanted)] : [];
    this.#small = 0;
    this.#length = all.length - wanted;
    return all.subarray(0, wanted);
  }

  drop(): void {
    this.#pieces = [];
    this.#small = 0;
    this.#length = 0;
  }

  /** If one piece holds many messages, nothing is copied. */
  #joined(): Buffer {
    const [first, second] = this.#pieces;
    return first && !second ? first : Buffer.concat(this.#pieces, this.#length);
  }

  /** The bytes that contain the length of the next message. */
  #beginning(): Buffer {
    const [first] = this.#pieces;
    if (first && first.length >= 6) return first;
    const few: Buffer[] = [];
    let length = 0;
    for (const piece of this.#pieces) {
      few.push(piece);
      length += piece.length;
      if (length >= 6) break;
    }
    const joined = Buffer.concat(few);
    this.#pieces.splice(0, few.length, joined);
    return joined;
  }
}

/**
 * A connection that hands on whole LDAP messages, one at a time. Left to itself, the LDAP library
 * would join every piece to all earlier ones, treat bytes from before TLS as the start of what
 * follows, and recurse for each message in a piece. Here, messages have a maximum size, and
 * anything that is not a message, or more than `mostBytes` in all, ends the connection.
 */
export class MessageStream extends Duplex {
  /** The library checks this before it writes. */
  readonly readyState = 'open';
  readonly #socket: Socket | TLSSocket;
  readonly #mostBytes: number;
  readonly #frames = new Frames(largestMessage);
  #taken = 0;
  #messages = 0;

  constructor(socket: Socket | TLSSocket, mostBytes: number) {
    super({ readableObjectMode: true, allowHalfOpen: false });
    this.#socket = socket;
    this.#mostBytes = mostBytes;
    socket.on('data', (piece: Buffer) => this.#take(piece));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
    // The caller waiting for an answer gets the error; here it only must not go unhandled.
    this.on('error', () => {});
  }

  override _read(): void {}

  override _write(bytes: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(bytes, done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#frames.drop();
    this.#socket.destroy();
    done(error);
  }

  #take(piece: Buffer): void {
    this.#taken += piece.length;
    if (this.#taken > this.#mostBytes) {
      this.destroy(new TooMuch('It sent too much.'));
      return;
    }
    this.#frames.add(piece);
    while (!this.destroyed) {
      const message = this.#nextMessage();
      if (message === null) return;
      this.#messages += 1;
      if (this.#messages > mostMessages) this.destroy(new TooMuch('It sent too much.'));
      this.push(message);
    }
  }

  #nextMessage(): Buffer | null {
    try {
      return this.#frames.next();
    } catch (error) {
      this.destroy(error as Error);
      return null;
    }
  }
}

/**
 * The total size of the message these bytes begin. `more`: too few bytes to tell; `none`: not an
 * LDAP message.
 */
export function sizeOf(bytes: Buffer, largest = largestMessage): number | 'more' | 'none' {
  if (bytes.length === 0) return 'more';
  if (bytes[0] !== sequenceTag) return 'none';
  const short = bytes[1];
  if (short === undefined) return 'more';
  if (short < 0x80) return 2 + short;
  const count = short & 0x7f;
  if (count === 0 || count > 4) return 'none';
  if (bytes.length < 2 + count) return 'more';
  const size = bytes.readUIntBE(2, count);
  return size > largest ? 'none' : 2 + count + size;
}
