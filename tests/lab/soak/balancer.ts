import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ask } from './traffic.ts';

type Balancer = { port: number; close: () => void };

/**
 * A minimal load balancer. It asks each server's `/readyz` ten times a second and sends requests to
 * the ready servers in turn, over connections that it keeps. It tries another server only when a
 * connection is refused.
 */
export async function startBalancer(ports: number[]): Promise<Balancer> {
  const ready = new Map<number, boolean>(ports.map((port) => [port, true]));
  const agents = new Map(ports.map((port) => [port, new Agent({ keepAlive: true })]));
  const check = async (port: number) => {
    const reply = await ask(port, '/readyz', false).catch(() => null);
    ready.set(port, reply?.status === 200);
  };
  const checks = setInterval(() => void Promise.all(ports.map(check)), 100);
  let turn = 0;
  const choose = () => {
    const able = ports.filter((port) => ready.get(port));
    turn += 1;
    return able[turn % able.length] ?? ports[turn % ports.length] ?? 0;
  };
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => forward(incoming, Buffer.concat(chunks), outgoing, choose(), 20));
  });
  const forward = (
    incoming: IncomingMessage,
    body: Buffer,
    outgoing: ServerResponse,
    port: number,
    tries: number,
  ) => {
    const { method, url: path, headers } = incoming;
    const options = { host: '127.0.0.1', port, path, method, agent: agents.get(port) };
    const onward = request({ ...options, headers: { ...headers, connection: 'keep-alive' } });
    onward.on('response', (response) => {
      const { connection: _, ...rest } = response.headers;
      outgoing.writeHead(response.statusCode ?? 502, rest);
      response.on('error', () => outgoing.destroy());
      response.pipe(outgoing);
    });
    onward.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'ECONNREFUSED' && tries > 0) {
        ready.set(port, false);
        forward(incoming, body, outgoing, choose(), tries - 1);
      } else if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502).end(code);
    });
    onward.end(body);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    clearInterval(checks);
    server.close();
    server.closeAllConnections();
    for (const agent of agents.values()) agent.destroy();
  };
  return { port: (server.address() as AddressInfo).port, close };
}
