import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterAll } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { openServer, type TestServer } from '../../support/open-server.ts';

/** How a server is away: nothing answers, or a proxy in front of it answers for it. */
export const absences = ['nothing', 'a proxy'] as const;
type Absence = (typeof absences)[number];

/** A server that apps reach through a gate, which can be shut. Browsers of tests go past it. */
export type GatedServer = TestServer & { shut: (by: Absence) => void; open: () => void };

const badGateway =
  'HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: 20\r\nConnection: close\r\n\r\n<h1>Bad Gateway</h1>';

/** Opens a server whose issuer is the address of the gate. */
export async function openGatedServer(): Promise<GatedServer> {
  const port = await freePort();
  const issuer = `http://localhost:${port}`;
  const server = await openServer({ ISSUER: issuer, BACKCHANNEL_TO_PRIVATE_ADDRESSES: 'on' });
  process.env.ISSUER = issuer;
  const through = new Set<Socket>();
  let absence: Absence | null = null;
  const gate = createServer((socket) => {
    through.add(socket.on('error', () => {}).on('close', () => through.delete(socket)));
    if (absence === 'nothing') socket.destroy();
    else if (absence) socket.once('data', () => socket.end(badGateway));
    else {
      const inside = connect(server.port, '127.0.0.1').on('error', () => socket.destroy());
      socket
        .pipe(inside)
        .pipe(socket)
        .on('close', () => inside.destroy());
    }
  });
  await once(gate.listen(port, 'localhost'), 'listening');
  const shut = (by: Absence | null) => {
    absence = by;
    for (const socket of through) socket.destroy();
  };
  afterAll(() => {
    shut('nothing');
    gate.close();
  });
  return { ...server, issuer, shut, open: () => shut(null) };
}
