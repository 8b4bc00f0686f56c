import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { selfSigned } from './certificate.ts';

/** The sites of the clients in the journeys: they show what they were sent, at any path. */
export type ClientSite = {
  https: string;
  http: string;
  httpV6: string | undefined;
  stop: () => void;
};

/** Starts the clients' servers. Chromium resolves `*.localhost` to this machine, for https too. */
export async function startClientSite(): Promise<ClientSite> {
  const [secure, plain, six] = [
    createTlsServer(selfSigned(), greet),
    createServer(greet),
    createServer(greet),
  ];
  const https = await listen(secure, '127.0.0.1');
  const http = await listen(plain, '127.0.0.1');
  const httpV6 = await listen(six, '::1').catch(() => undefined);
  return {
    https: `https://app.localhost:${https}`,
    http: `http://127.0.0.1:${http}`,
    httpV6: httpV6 === undefined ? undefined : `http://[::1]:${httpV6}`,
    stop: () => {
      for (const server of [secure, plain, six]) server.close();
    },
  };
}

const greet: RequestListener = (request, response) => {
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(
    `<!doctype html><html lang="en"><title>The app</title><link rel="icon" href="data:,"><h1>${request.method}</h1>`,
  );
};

async function listen(server: Server, host: string): Promise<number> {
  server.listen(0, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
