import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { writeResponse } from '#lib/http/node.ts';

test('a response stream is cancelled if its client has already left', async () => {
  const ended = Promise.withResolvers<string>();
  const server = createServer(async (incoming, outgoing) => {
    request.destroy();
    await once(outgoing, 'close');
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from('first')),
      cancel: () => ended.resolve('cancelled'),
    });
    await writeResponse({ status: 200, headers: {}, stream }, incoming, outgoing);
    ended.resolve('left open');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const request = get({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  request.on('error', () => {});
  expect(await ended.promise).toBe('cancelled');
  server.close();
});
