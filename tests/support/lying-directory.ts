import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A server that speaks just enough LDAP to lie. */
export type LyingDirectory = { url: string; asked: Buffer[]; stop: () => void };

type Answer = (request: { id: number; operation: number; bytes: Buffer }, socket: Socket) => void;

/** Starts one; `answer` gets each request. */
export async function startLyingDirectory(answer: Answer): Promise<LyingDirectory> {
  const asked: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes: Buffer) => {
      asked.push(bytes);
      // SEQUENCE, length, INTEGER of one byte, operation.
      const head = (bytes[1] ?? 0) < 0x80 ? 2 : 2 + ((bytes[1] ?? 0) & 0x7f);
      const id = bytes[head + 2] ?? 0;
      answer({ id, operation: bytes[head + 3] ?? 0, bytes }, socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `ldap://127.0.0.1:${port}`,
    asked,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

export const operations = { bind: 0x60, search: 0x63, extended: 0x77 } as const;

/** BER: a tag, a length and what is in it. */
export function element(tag: number, ...content: Buffer[]): Buffer {
  const inside = Buffer.concat(content);
  const long = Buffer.alloc(5);
  long[0] = 0x84;
  long.writeUInt32BE(inside.length, 1);
  return Buffer.concat([Buffer.from([tag]), long, inside]);
}

/** A one-byte integer. Servers also write the length of such an integer in one byte. */
const short = (tag: number, value: number) => Buffer.from([tag, 1, value]);
const text = (said: string) => element(0x04, Buffer.from(said));
export const message = (id: number, operation: Buffer, ...controls: Buffer[]) =>
  element(0x30, short(0x02, id), operation, ...controls);

/** The response control of a page that is not the last (RFC 2696). */
export const moreToCome = () =>
  element(
    0xa0,
    element(
      0x30,
      text('1.2.840.113556.1.4.319'),
      element(0x04, element(0x30, short(0x02, 0), text('go on'))),
    ),
  );

/** A result that refers the client to another server. */
export const referral = (tag: number, url: string) =>
  element(tag, short(0x0a, 10), text(''), text(''), element(0xa3, text(url)));

/** A result with this code, as an answer with this tag. */
export const result = (tag: number, code: number) =>
  element(tag, short(0x0a, code), text(''), text(''));

/** An entry with these attributes. */
export const entry = (dn: string, attributes: Record<string, string>) =>
  element(
    0x64,
    text(dn),
    element(
      0x30,
      ...Object.entries(attributes).map(([name, value]) =>
        element(0x30, text(name), element(0x31, text(value))),
      ),
    ),
  );
