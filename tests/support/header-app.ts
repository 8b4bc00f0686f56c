import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What an app saw of a request. */
type Seen = {
  method: string;
  url: string;
  /** All values of a header, by its name as WSGI and PHP see it: in lower case, with `-` for `_`. */
  headers: Record<string, string[]>;
  body: string;
};

/**
 * An app that asks nobody who they are: it answers with what it was told. It speaks WebSockets as
 * far as to send back the first bytes that it receives.
 */
export async function startHeaderApp(): Promise<{ port: number; seen: Seen[]; server: Server }> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    seen.push(seenIn(request, body));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(seen.at(-1)));
  });
  server.on('upgrade', (request, socket) => {
    seen.push(seenIn(request, ''));
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
    socket.write(`${[...head, `Sec-WebSocket-Accept: ${accept}`].join('\r\n')}\r\n\r\n`);
    socket.on('data', (data) => socket.end(data)).on('error', () => socket.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { port: (server.address() as AddressInfo).port, seen, server };
}

function seenIn({ method = '', url = '', rawHeaders }: IncomingMessage, body: string): Seen {
  const headers: Record<string, string[]> = {};
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase().replaceAll('_', '-');
    headers[name] = [...(headers[name] ?? []), rawHeaders[at + 1] ?? ''];
  }
  return { method, url, headers, body };
}
