import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { OAuthRefusal } from '../oauth/errors.ts';
import { limits } from '../oauth/params.ts';
import { clientAddress } from './address.ts';
import type { HttpRequest, HttpResponse } from './message.ts';
import { type Mount, serve } from './serve.ts';

/** Next.js would resolve these, and reach an endpoint by an address that the table of mounts does not know. */
const dotSegment = /\/(\.|%2e){1,2}(\/|$)/i;

/** The path and raw query of a request line, split at the first `?`; null for anything but an origin-form target. */
export function splitTarget(target: string): { path: string; query: string } | null {
  const at = target.indexOf('?');
  const path = at < 0 ? target : target.slice(0, at);
  if (!path.startsWith('/') || path.includes('//') || path.includes('\\') || dotSegment.test(path))
    return null;
  return { path, query: at < 0 ? '' : target.slice(at + 1) };
}

/** Serves one request at a mount, directly on node:http. */
export async function serveNode(
  mount: Mount,
  query: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const request = new NodeRequest(incoming, mount, query);
  writeResponse(await serve(mount, request, new Date()), incoming, outgoing);
}

/** A class, because making an object with a getter costs more than all else that a request is made of. */
class NodeRequest implements HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly id = randomUUID();
  readonly #incoming: IncomingMessage;
  readonly #bodyBytes: number | undefined;

  constructor(incoming: IncomingMessage, mount: Mount, query: string) {
    this.method = incoming.method ?? 'GET';
    this.path = mount.path;
    this.query = query;
    this.#incoming = incoming;
    this.#bodyBytes = mount.bodyBytes;
  }

  get address(): string | null {
    return addressOf(this.#incoming);
  }

  header(name: string): string | undefined {
    const value = this.#incoming.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  repeatsAuthorization(): boolean {
    // `headers` keeps the first alone. Names and values take turns in the raw list.
    const { rawHeaders } = this.#incoming;
    const isOne = (text: string, index: number) =>
      index % 2 === 0 && text.length === 13 && text.toLowerCase() === 'authorization';
    return rawHeaders.filter(isOne).length > 1;
  }

  body(): Promise<Uint8Array | 'too-large'> {
    return readBody(this.#incoming, this.#bodyBytes);
  }
}

export function addressOf(incoming: IncomingMessage): string | null {
  return clientAddress(
    incoming.socket.remoteAddress,
    incoming.headers['x-forwarded-for'] as string | undefined,
  );
}

async function readBody(
  incoming: IncomingMessage,
  most: number = limits.bodyBytes,
): Promise<Uint8Array | 'too-large'> {
  const announced = Number(incoming.headers['content-length'] ?? 0);
  if (announced > most) {
    // Whoever sends too large a picture shall read so: an answer before they are through looks like a broken connection.
    if (most > limits.bodyBytes && announced < 10 * most) await once(incoming.resume(), 'end');
    return 'too-large';
  }
  // Events instead of an async iterator: that one costs as much as all the rest of reading.
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    incoming.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= most) {
        chunks.push(chunk);
        return;
      }
      // Read no further, but keep the connection: the refusal still has to reach the sender.
      incoming.pause();
      resolve('too-large');
    });
    incoming.once('end', () =>
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)),
    );
    incoming.once('error', reject);
    incoming.once('close', () => {
      if (!incoming.complete)
        reject(new OAuthRefusal('invalid_request', 'The request ended early.'));
    });
  });
}

function writeResponse(
  { status, headers, body = '' }: HttpResponse,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  if (status !== 204) headers['content-length'] = String(Buffer.byteLength(body));
  // A body that was not read would be taken for the next request on this connection.
  if (!incoming.complete) headers.connection = 'close';
  outgoing.writeHead(status, headers);
  // Node sends a text in one packet with the headers, and a buffer in one of its own.
  outgoing.end(incoming.method === 'HEAD' ? undefined : body);
  if (!incoming.complete) incoming.resume();
}
