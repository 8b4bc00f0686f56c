import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { MessageStream } from '#lib/identity/directory/frames.ts';
import { element, entry, message } from '../support/lying-directory.ts';

const MiB = 1024 * 1024;

/**
 * The messages read from these pieces, and how many bytes were copied on the way. Copying a flood
 * again for each message or piece would keep this server from all other work.
 */
async function read(pieces: readonly Buffer[], mostBytes = 2 * MiB) {
  const socket = new PassThrough({ highWaterMark: 64 * MiB });
  const stream = new MessageStream(socket as unknown as Socket, mostBytes);
  const messages: Buffer[] = [];
  let failure: Error | null = null;
  stream.on('data', (bytes: Buffer) => messages.push(bytes));
  stream.on('error', (error: Error) => {
    failure = error;
  });
  const { concat } = Buffer;
  let copied = 0;
  Buffer.concat = (list, length) => {
    const whole = concat(list, length);
    copied += whole.length;
    return whole;
  };
  try {
    for (const piece of pieces) {
      socket.write(piece);
      // Each piece arrives separately, as from a network.
      await new Promise(setImmediate);
    }
  } finally {
    Buffer.concat = concat;
    stream.destroy();
  }
  return { messages, failure: (failure as Error | null)?.message ?? null, copied };
}

const inPieces = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
const small = element(0x30, Buffer.from('02017f', 'hex'));
const many = (count: number) => Buffer.concat(Array.from({ length: count }, () => small));
const large = message(1, entry('uid=x', { description: 'x'.repeat(900_000) }));

test('LDAP frames: many messages in one chunk are passed on without copying', async () => {
  const { messages, failure, copied } = await read([many(4000)]);
  expect([messages.length, failure]).toEqual([4000, null]);
  expect(messages.every((each) => each.equals(small))).toBe(true);
  expect(copied).toBe(0);
});

test('LDAP frames: a message in many chunks is joined once', async () => {
  for (const size of [1000, 1]) {
    const bytes = size === 1 ? large.subarray(0, 20_000) : large;
    const { messages, failure, copied } = await read(inPieces(bytes, size));
    expect(failure).toBeNull();
    expect(messages).toHaveLength(size === 1 ? 0 : 1);
    if (messages[0]) expect(messages[0].equals(large)).toBe(true);
    expect(copied).toBeLessThan(bytes.length + 1000);
  }
});

test('LDAP frames: messages across chunks are complete, with each byte copied at most twice', async () => {
  const all = many(4000);
  for (const size of [7, 1000, 65_536]) {
    const { messages, failure, copied } = await read(inPieces(all, size));
    expect([messages.length, failure]).toEqual([4000, null]);
    expect(copied).toBeLessThanOrEqual(2 * all.length);
  }
});

test('LDAP frames: too many messages, too many bytes, or anything but a message ends the stream', async () => {
  const tooMany = await read([many(100_000)]);
  expect(tooMany.failure).toBe('It sent too much.');
  expect(tooMany.messages.length).toBeLessThanOrEqual(5000);
  const tooMuch = await read(inPieces(Buffer.concat([large, large, large]), 65_536));
  expect(tooMuch).toMatchObject({ failure: 'It sent too much.', messages: { length: 2 } });
  expect(tooMuch.copied).toBeLessThan(5 * MiB);
  for (const hex of ['485454502f', '30800000', '3085ffffffffff', '30847fffffff', '3084ffffffff'])
    expect((await read([Buffer.from(hex, 'hex')])).failure).toContain('no LDAP message');
});
