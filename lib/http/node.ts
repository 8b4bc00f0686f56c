import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isText, limits } from '../oauth/params.ts';
import { isNear, senderOf } from './address.ts';
import { answerEarly, readIncoming } from './incoming-body.ts';
import { type HttpHeaders, type HttpRequest, type HttpResponse, nothingKnown } from './message.ts';
import type { Sender } from './network.ts';
import { readSender, senderHeader } from './passed-on.ts';
import { peerOf } from './peer.ts';
import { sendTogether } from './send-together.ts';
import { type Mount, serve } from './serve.ts';
import { onStop } from './stopping.ts';

/** Next.js would resolve these, and reach an endpoint that our table doesn't list. */
const dotSegment = /\/(\.|%2e){1,2}(\/|$)/i;

/**
 * The path and raw query of a request target, split at the first `?`. Null unless it is in origin
 * form and its path is valid UTF-8 without NUL.
 */
export function splitTarget(target: string): { path: string; query: string } | null {
  const at = target.indexOf('?');
  const path = at < 0 ? target : target.slice(0, at);
  if (!path.startsWith('/') || path.includes('//') || path.includes('\\') || dotSegment.test(path))
    return null;
  if (path.includes('%') && !isEncodedText(path)) return null;
  return { path, query: at < 0 ? '' : target.slice(at + 1) };
}

function isEncodedText(path: string): boolean {
  try {
    return isText(decodeURIComponent(path));
  } catch {
    return false;
  }
}

/** Serves a request at a mount directly on node:http. */
export async function serveNode(
  mount: Mount,
  query: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const request = new NodeRequest(incoming, mount, query);
  await writeResponse(await serve(mount, request, new Date()), incoming, outgoing);
}

/**
 * A class, because an object literal with a getter would cost more than the rest of the request.
 */
class NodeRequest implements HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly id = randomUUID();
  readonly about = nothingKnown();
  readonly #incoming: IncomingMessage;
  readonly #bodyBytes: number | undefined;
  #sender: Sender | undefined;

  constructor(incoming: IncomingMessage, mount: Mount, query: string) {
    this.method = incoming.method ?? 'GET';
    this.path = mount.path;
    this.query = query;
    this.#incoming = incoming;
    this.#bodyBytes = mount.bodyBytes;
  }

  get address(): string {
    return this.#whoSends().address;
  }

  get isShared(): boolean {
    return this.#whoSends().isShared;
  }

  get peer(): string {
    return peerOf(this.#incoming.socket);
  }

  #whoSends(): Sender {
    this.#sender ??= senderOfIncoming(this.#incoming);
    return this.#sender;
  }

  header(name: string): string | undefined {
    const value = this.#incoming.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  repeatsAuthorization(): boolean {
    // `headers` keeps only the first. In the raw list names and values alternate.
    const { rawHeaders } = this.#incoming;
    let found = 0;
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const name = rawHeaders[at];
      if (name?.length === 13 && name.toLowerCase() === 'authorization') found += 1;
    }
    return found > 1;
  }

  body(): Promise<Uint8Array | 'too-large'> {
    return readIncoming(this.#incoming, this.#bodyBytes ?? limits.bodyBytes);
  }
}

/**
 * The sender of a request. If this server sent it to itself, the sender of the request that caused
 * it.
 */
export function senderOfIncoming({ headers, socket }: IncomingMessage): Sender {
  return (
    readSender(headers[senderHeader]?.toString()) ??
    senderOf(peerOf(socket), headers['x-forwarded-for']?.toString())
  );
}

/**
 * Removes the `traceparent` header of an unknown sender. With it, the sender could hide requests
 * from the collector or add lines to someone else's trace.
 */
export function forgetUntrustedTrace({ headers, socket }: IncomingMessage): void {
  if (headers.traceparent !== undefined && !isNear(peerOf(socket))) delete headers.traceparent;
}

/** Writes a response, whether or not its request was fully read. */
export async function writeResponse(
  { status, headers, body = '', stream }: HttpResponse,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  if (stream) return writeStream(status, headers, stream, outgoing);
  if (status !== 204) headers['content-length'] = String(Buffer.byteLength(body));
  // An unread body would be parsed as the next request on this connection.
  if (!incoming.complete) headers.connection = 'close';
  outgoing.writeHead(status, headers);
  const sent = incoming.method === 'HEAD' ? '' : body;
  if (!incoming.complete) return answerEarly(incoming, outgoing, sent);
  sendTogether(outgoing, sent);
}

/** Passes a stream on as it arrives, until it ends, the client leaves, or the process stops. */
async function writeStream(
  status: number,
  headers: HttpHeaders,
  stream: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
): Promise<void> {
  const reader = stream.getReader();
  const left = new Promise<void>((resolve) => {
    outgoing.once('close', resolve);
    // A client of an event stream that closes its side of the connection (FIN) has gone.
    if (/^text\/event-stream\b/.test(String(headers['content-type'])))
      outgoing.req.socket.once('end', resolve);
  });
  void left.then(() => reader.cancel());
  const forget = onStop(() => outgoing.end());
  outgoing.writeHead(status, headers);
  outgoing.flushHeaders();
  for (;;) {
    const { done, value } = await reader.read();
    if (done || outgoing.writableEnded || outgoing.destroyed) break;
    if (outgoing.write(value)) continue;
    await Promise.race([left, new Promise((resolve) => outgoing.once('drain', resolve))]);
  }
  forget();
  outgoing.end();
  // If the client left before this began, 'close' was never emitted.
  await reader.cancel();
}
