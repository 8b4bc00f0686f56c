import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzip } from 'node:zlib';
import type { HttpResponse } from './message.ts';

/** Our pages that replace documents of Next.js which are blank without its scripts. */
type InPlace = {
  /** Replaces the document sent when a page could not be rendered (status 500). */
  failed: () => HttpResponse;
  /** Replaces the document sent when a page does not exist. */
  missing: () => HttpResponse;
};

/**
 * Sends the documents of Next.js without the scripts of Next.js and React; markup, styles and the
 * page's own small scripts stay. Next.js cannot leave these scripts out, and they weigh three times
 * as much as all the rest. A document is sent in one piece. All other responses pass unchanged.
 * @param compresses whether to compress the document; `takeGzip` has kept Next.js from doing so
 */
export function sendDocuments(response: ServerResponse, compresses: boolean, ours: InPlace): void {
  const { writeHead, write, end, flushHeaders } = response;
  const chunks: Buffer[] = [];
  let isWhole = false;
  const isHeld = () => !isWhole && !response.headersSent && isDocument(response);
  const hold = ([chunk, encoding]: unknown[]) => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk, encoding as BufferEncoding));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  const send = (body: string | Buffer | undefined) => void Reflect.apply(end, response, [body]);
  response.flushHeaders = () => {
    if (!isHeld()) flushHeaders.call(response);
  };
  response.writeHead = ((status: number, ...rest: unknown[]) => {
    if (isWhole || response.headersSent)
      return Reflect.apply(writeHead, response, [status, ...rest]);
    response.statusCode = status;
    setHeaders(response, rest.at(-1));
    return isHeld() ? response : Reflect.apply(writeHead, response, [status, ...rest]);
  }) as ServerResponse['writeHead'];
  response.write = ((...sent: unknown[]) => {
    if (!isHeld()) return Reflect.apply(write, response, sent);
    hold(sent);
    sent.find((each) => typeof each === 'function')?.call(null);
    return true;
  }) as ServerResponse['write'];
  response.end = ((...sent: unknown[]) => {
    if (!isHeld()) return Reflect.apply(end, response, sent);
    hold(sent);
    isWhole = true;
    const html = Buffer.concat(chunks).toString();
    const page = inPlaceOf(response.statusCode, html, ours);
    if (page) sendInstead(response, page, send);
    else sendPage(response, Buffer.from(stripRuntime(html)), compresses, send);
    return response;
  }) as ServerResponse['end'];
}

/** Whether a response is a page, or what Next.js sends a browser when it fails. */
function isDocument(response: ServerResponse): boolean {
  const type = String(response.getHeader('content-type') ?? '');
  return (
    /^text\/html\b/.test(type) || (response.statusCode >= 500 && /^(text\/plain\b|$)/.test(type))
  );
}

function setHeaders(response: ServerResponse, headers: unknown): void {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) return;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

function inPlaceOf(status: number, html: string, ours: InPlace): HttpResponse | null {
  if (status >= 500) return ours.failed();
  return status === 404 && html.includes('<html id="__next_error__"') ? ours.missing() : null;
}

function sendInstead(
  response: ServerResponse,
  { status, headers, body }: HttpResponse,
  send: (body: string | undefined) => void,
): void {
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  response.statusCode = status;
  setHeaders(response, headers);
  send(body);
}

function sendPage(
  response: ServerResponse,
  page: Buffer,
  compresses: boolean,
  send: (body: Buffer) => void,
): void {
  response.removeHeader('content-length');
  if (!compresses || page.length === 0) send(page);
  else
    gzip(page, (error, small) => {
      if (!error) response.setHeader('content-encoding', 'gzip');
      send(error ? page : small);
    });
}

/**
 * Removes inline scripts, the scripts of the build, and the hints to load them. React escapes `<`
 * in texts and attributes, so anything that looks like a tag is a tag.
 */
export function stripRuntime(html: string): string {
  return html
    .replace(/<script\b([^>]*)>[^<]*<\/script>/g, (whole, attributes: string) =>
      /\ssrc="\/(?!_next\/)/.test(attributes) ? whole : '',
    )
    .replace(/<link\b[^>]*\sas="script"[^>]*>/g, '');
}

/**
 * Whether `Accept-Encoding` names gzip with a weight above 0. Removes the header, so that Next.js
 * doesn't compress.
 */
export function takeGzip({ headers }: IncomingMessage): boolean {
  const coding = String(headers['accept-encoding'] ?? '')
    .split(',')
    .map((each) => each.trim())
    .find((each) => /^(x-)?gzip\s*(;|$)/i.test(each));
  delete headers['accept-encoding'];
  return coding !== undefined && !/;\s*q=0(\.0*)?\s*$/i.test(coding);
}
