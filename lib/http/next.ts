import { randomUUID } from 'node:crypto';
import { cookies, headers } from 'next/headers';
import { config } from '../config.ts';
import { limits } from '../oauth/params.ts';
import { followTrace } from '../telemetry/trace-context.ts';
import { type HttpRequest, type HttpResponse, nothingKnown } from './message.ts';
import type { Sender } from './network.ts';
import { pageHeader, requestIdHeader } from './page-headers.ts';
import { readSender, senderHeader } from './passed-on.ts';
import { unknownAddress } from './peer.ts';
import { httpMethods, type Mount, serve } from './serve.ts';

type Handler = (request: Request) => Promise<Response>;
type Handlers = Record<(typeof httpMethods)[number], Handler>;

type FindTarget = (path: string, query: string) => { mount: Mount; query: string } | null;

/**
 * Next.js route handlers that answer with the mount they find, as our server does.
 * @param find returns the mount for a path and query
 */
export function routeHandlers(find: FindTarget): Handlers {
  const handler: Handler = async (request) => {
    const target = find(new URL(request.url).pathname, queryOf(request.url));
    if (!target) return new Response(null, { status: 404 });
    const answer = await serve(target.mount, toHttpRequest(request, target), new Date());
    return toResponse(answer, request.method);
  };
  return Object.fromEntries(httpMethods.map((method) => [method, handler])) as Handlers;
}

function queryOf(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at + 1).replace(/#.*$/s, '');
}

function toHttpRequest(
  request: Request,
  { mount, query }: { mount: Mount; query: string },
): HttpRequest {
  return {
    method: request.method,
    path: mount.path,
    query,
    header: (name) => request.headers.get(name) ?? undefined,
    // Repeated headers arrive joined with a comma, or only the first arrives.
    repeatsAuthorization: () =>
      /^[^,]*,\s*(basic|bearer)\b/i.test(request.headers.get('authorization') ?? ''),
    body: () => readBody(request, mount.bodyBytes ?? limits.bodyBytes),
    ...senderIn(request.headers),
    id: randomUUID(),
    about: nothingKnown(),
  };
}

async function readBody(request: Request, most: number): Promise<Uint8Array | 'too-large'> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > most) return 'too-large';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The sender that our server reported. Without our server, senders cannot be told apart. */
function senderIn(headers: Headers): Sender {
  return readSender(headers.get(senderHeader)) ?? { address: unknownAddress, isShared: true };
}

function toResponse(
  { status, headers: fields, body, stream }: HttpResponse,
  method: string,
): Response {
  const list = new Headers();
  for (const [name, value] of Object.entries(fields))
    for (const one of [value].flat()) list.append(name, one);
  return new Response(method === 'HEAD' ? null : (stream ?? body ?? null), {
    status,
    headers: list,
  });
}

export type RenderedRequest = Pick<HttpRequest, 'header' | 'address' | 'isShared' | 'id'> & {
  /** The path and query of the page. */
  page: string;
};

/** The request behind a page that is being rendered, or behind a server action. */
export async function pageRequest(): Promise<RenderedRequest> {
  const list = await headers();
  const jar = await cookies();
  const cookie = jar
    .getAll()
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ');
  const id = list.get(requestIdHeader) ?? randomUUID();
  followTrace(id, list.get('traceparent') ?? undefined);
  return {
    header: (name) => (name === 'cookie' ? cookie : (list.get(name) ?? undefined)),
    ...senderIn(list),
    id,
    page: list.get(pageHeader) ?? '/',
  };
}

/**
 * The request behind a server action, for code that expects an endpoint's request. Its body is
 * empty, because the action has read the form.
 */
export async function actionRequest(): Promise<HttpRequest & { page: string }> {
  const request = await pageRequest();
  return {
    ...request,
    method: 'POST',
    path: request.page,
    query: '',
    about: nothingKnown(),
    repeatsAuthorization: () => false,
    body: async () => new Uint8Array(),
  };
}

/** The public host of this server, shown on its pages. */
export function issuerHost(): string {
  return new URL(config().issuer).host;
}
