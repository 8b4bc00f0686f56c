import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzip } from 'node:zlib';
import type { HttpResponse } from './message.ts';

/**
 * Sends a page of Next.js without the scripts of Next.js and React; markup, styles and the page's
 * own small scripts stay. Next.js cannot leave these scripts out, and they weigh three times as
 * much as all the rest. The page is sent in one piece, compressed if the browser accepts that.
 * Responses that aren't pages pass unchanged. For a missing page, Next.js sends a document that
 * only its scripts would fill: `notFound` replaces it.
 */
export function withoutRuntime(
  request: IncomingMessage,
  response: ServerResponse,
  notFound: () => HttpResponse,
): void {
  const compresses = takesGzip(request.headers['accept-encoding']);
  // Otherwise Next.js would compress the page, which has to be read here.
  delete request.headers['accept-encoding'];
  const { writeHead, write, end, flushHeaders } = response;
  const chunks: Buffer[] = [];
  let isSending = false;
  const isPage = () =>
    !response.headersSent && /^text\/html\b/.test(String(response.getHeader('content-type')));
  const keep = (chunk: unknown, encoding: unknown) => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk, encoding as BufferEncoding));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  const send = (body: Buffer) => {
    isSending = true;
    Reflect.apply(end, response, [body]);
  };
  response.flushHeaders = () => {
    if (!isPage()) flushHeaders.call(response);
  };
  // Called before the first chunk is written, when the page's length and encoding aren't known yet.
  response.writeHead = ((status: number, ...sent: unknown[]) => {
    if (isSending || sent.length > 0 || !isPage())
      return Reflect.apply(writeHead, response, [status, ...sent]);
    response.statusCode = status;
    return response;
  }) as ServerResponse['writeHead'];
  response.write = ((...sent: unknown[]) => {
    if (!isPage()) return Reflect.apply(write, response, sent);
    keep(sent[0], sent[1]);
    sent.find((each) => typeof each === 'function')?.call(null);
    return true;
  }) as ServerResponse['write'];
  response.end = ((...sent: unknown[]) => {
    if (!isPage()) return Reflect.apply(end, response, sent);
    keep(sent[0], sent[1]);
    const written = Buffer.concat(chunks).toString();
    if (response.statusCode === 404 && written.includes('<html id="__next_error__"')) {
      const { headers, body } = notFound();
      for (const name of response.getHeaderNames()) response.removeHeader(name);
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      send(Buffer.from(body ?? ''));
      return response;
    }
    const page = Buffer.from(stripRuntime(written));
    response.removeHeader('content-length');
    if (!compresses || page.length === 0) send(page);
    else
      gzip(page, (error, small) => {
        if (!error) response.setHeader('content-encoding', 'gzip');
        send(error ? page : small);
      });
    return response;
  }) as ServerResponse['end'];
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

/** Whether `Accept-Encoding` names gzip with a weight above 0. */
function takesGzip(header: unknown): boolean {
  const coding = String(header ?? '')
    .split(',')
    .map((each) => each.trim())
    .find((each) => /^(x-)?gzip\s*(;|$)/i.test(each));
  return coding !== undefined && !/;\s*q=0(\.0*)?\s*$/i.test(coding);
}
