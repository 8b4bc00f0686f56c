import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Frames } from '#lib/identity/directory/frames.ts';
import { Elements, element, integer, octets, sequence, tags } from '#lib/ldap/ber.ts';
import { requests } from '#lib/ldap/message.ts';

/* Requests of LDAP as bytes, for what no library would send, and for measuring without one. */

export const messageOf = (id: number, ...body: Buffer[]): Buffer =>
  element(sequence, integer(id), ...body);

export const bindOf = (name: string, password: string): Buffer =>
  element(requests.bind, integer(3), octets(name), octets(password, 0x80));

const extended = (name: string) => element(requests.extended, octets(name, 0x80));
export const startTls: Buffer = extended('1.3.6.1.4.1.1466.20037');
export const whoAmI: Buffer = extended('1.3.6.1.4.1.4203.1.11.3');

export const equal = (attribute: string, value: string): Buffer =>
  element(0xa3, octets(attribute), octets(value));
export const present = (attribute: string): Buffer => octets(attribute, 0x87);

const scopes = { base: 0, one: 1, sub: 2 };
type Asked = {
  filter?: Buffer;
  base?: string;
  scope?: keyof typeof scopes;
  attributes?: readonly string[];
};

export const searchOf = ({
  filter = present('objectClass'),
  base = '',
  scope = 'base',
  attributes = [],
}: Asked): Buffer =>
  element(
    requests.search,
    octets(base),
    integer(scopes[scope], tags.enumerated),
    integer(0, tags.enumerated),
    integer(0),
    integer(0),
    element(tags.boolean, Buffer.from([0])),
    filter,
    element(sequence, ...attributes.map((name) => octets(name))),
  );

/** The controls of a message: a page of this size. */
export const pageOf = (size: number, cookie = ''): Buffer =>
  element(
    0xa0,
    element(
      sequence,
      octets('1.2.840.113556.1.4.319'),
      octets(element(sequence, integer(size), octets(cookie))),
    ),
  );

/** An answer: its result, and how many entries came before. */
type Answer = { id: number; code: number; entries: number; bytes: number };

/** A connection that asks and counts, and reads nothing else of the answers. */
export class Wire {
  readonly #frames = new Frames(64 * 1024 * 1024);
  readonly socket: Socket;
  #number = 0;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('error', () => {});
  }

  static async open(port: number): Promise<Wire> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const wire = new Wire(socket);
    await once(socket, 'connect');
    return wire;
  }

  /** @throws Error if the connection ends before the answer */
  async ask(operation: Buffer, ...controls: Buffer[]): Promise<Answer> {
    this.socket.write(this.next(operation, ...controls));
    return this.answer();
  }

  /** The next request, which is not sent. */
  next(operation: Buffer, ...controls: Buffer[]): Buffer {
    this.#number += 1;
    return messageOf(this.#number, operation, ...controls);
  }

  /** The next answer, to whatever was asked. */
  async answer(): Promise<Answer> {
    const answer = { id: 0, code: -1, entries: 0, bytes: 0 };
    for (;;) {
      const bytes = this.#frames.next();
      if (bytes === null) await this.#more();
      else {
        answer.bytes += bytes.length;
        const parts = new Elements(bytes).within(sequence);
        answer.id = parts.number();
        const { tag, content } = parts.next();
        if (tag === 0x64) answer.entries += 1;
        else return { ...answer, code: new Elements(content).number(tags.enumerated) };
      }
    }
  }

  async #more(): Promise<void> {
    const { socket } = this;
    for (;;) {
      const piece = socket.read() as Buffer | null;
      if (piece !== null) return this.#frames.add(piece);
      if (socket.readableEnded || socket.destroyed) throw new Error('The connection ended.');
      await new Promise<void>((resume) => {
        const go = () => {
          for (const name of ['readable', 'end', 'close']) socket.off(name, go);
          resume();
        };
        for (const name of ['readable', 'end', 'close']) socket.on(name, go);
      });
    }
  }

  close(): void {
    this.socket.destroy();
  }
}
