import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { writeResponse } from '#lib/http/node.ts';

test('responses to requests of one event loop turn are sent together, each to its own client', async () => {
  const answered: ServerResponse[] = [];
  const endedBefore: boolean[] = [];
  const server = createServer(async (incoming, outgoing) => {
    endedBefore.push(answered.some((response) => response.writableEnded));
    answered.push(outgoing);
    const body = await Promise.resolve(`for ${incoming.url}`);
    await writeResponse({ status: 200, headers: {}, body }, incoming, outgoing);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets = Array.from({ length: 8 }, () => connect(port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  while (await lacksSome(server, sockets.length)) await once(server, 'connection');

  // All at the same time, so that the server finds all of them when it next looks.
  for (const [index, socket] of sockets.entries())
    socket.write(`GET /${index} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);

  const answers = await Promise.all(sockets.map((socket) => text(socket)));
  expect(answers.map((answer) => answer.split('\r\n\r\n')[1])).toEqual(
    sockets.map((_, index) => `for /${index}`),
  );
  expect(endedBefore).toEqual(sockets.map(() => false));
  server.close();
});

/** Whether the server has accepted fewer connections than this. */
function lacksSome(server: ReturnType<typeof createServer>, all: number): Promise<boolean> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count < all))),
  );
}
