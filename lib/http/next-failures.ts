import type { ServerResponse } from 'node:http';
import type { HttpResponse } from './message.ts';

/**
 * When Next.js fails to render a page, it sends status 500 and a document that is blank without
 * scripts. This replaces that document with the page that `makePage` returns, unless the response
 * has already started.
 */
export function replaceFailures(response: ServerResponse, makePage: () => HttpResponse): void {
  const own = {
    writeHead: response.writeHead,
    write: response.write,
    end: response.end,
    flushHeaders: response.flushHeaders,
  };
  let replaced: boolean | undefined;
  /**
   * Whether our page has replaced Next's response. The patched methods are never restored, because
   * compression has wrapped them.
   */
  const isReplaced = (status: number, type: unknown): boolean => {
    if (replaced !== undefined) return replaced;
    replaced = !(response.headersSent || status < 500 || !isDocument(type));
    if (!replaced) return false;
    const { status: better, headers, body } = makePage();
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    own.writeHead.call(response, better, headers);
    const end: (chunk: unknown) => unknown = own.end.bind(response);
    end(body);
    return true;
  };
  const decide = () => isReplaced(response.statusCode, response.getHeader('content-type'));
  response.writeHead = ((status: number, ...rest: unknown[]) => {
    const sent = rest.find((each) => typeof each === 'object' && each !== null) ?? {};
    const type = (sent as Record<string, unknown>)['content-type'];
    if (isReplaced(status, type ?? response.getHeader('content-type'))) return response;
    return Reflect.apply(own.writeHead, response, [status, ...rest]);
  }) as ServerResponse['writeHead'];
  response.write = ((...chunk: unknown[]) =>
    decide() || Reflect.apply(own.write, response, chunk)) as ServerResponse['write'];
  response.end = ((...chunk: unknown[]) =>
    decide() ? response : Reflect.apply(own.end, response, chunk)) as ServerResponse['end'];
  response.flushHeaders = () => {
    if (!decide()) own.flushHeaders.call(response);
  };
}

/** Only documents are replaced. Responses to scripts are left alone. */
function isDocument(type: unknown): boolean {
  return type === undefined || /^text\/(html|plain)\b/.test(String(type));
}
