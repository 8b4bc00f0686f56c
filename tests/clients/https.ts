import { once } from 'node:events';
import { type RequestListener, request as send } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { selfSigned } from '../support/certificate.ts';

/**
 * An https server of the tests. Its certificate is self-signed: a browser is told to accept any, a
 * program to trust this one.
 */
export type Https = {
  server: Server;
  origin: string;
  certificate: string;
  stop: () => Promise<void>;
};

/**
 * Listens on a port of localhost. For a browser, two such servers are the same site, as an app and
 * its sign-in server usually are: an iframe of one sends the cookies of the other.
 */
export async function listenHttps(): Promise<Https> {
  const own = selfSigned('localhost');
  const server = createServer(own);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  return { server, origin, certificate: own.cert, stop };
}

/** Forwards requests to a server that speaks plain http, like a proxy in front of it. */
export function forwardTo(port: number): RequestListener {
  return (incoming, outgoing) => {
    const { method, headers, url: path } = incoming;
    const inner = send({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    inner.on('error', () => outgoing.destroy());
    incoming.pipe(inner);
  };
}
