import { IncomingMessage } from 'node:http';
import { PageRefusal, refusePage } from '../oauth/errors.ts';
import { limits, MalformedParams, parseForm } from '../oauth/params.ts';
import { isActionForm } from './action-form.ts';
import { readIncoming } from './incoming-body.ts';
import { readMultipart } from './multipart.ts';
import { inUploadPlace } from './upload-places.ts';

/** What a form of the dashboard may weigh, its picture included. */
export const actionBytes = 1024 * 1024;

/** Whose post it is, for its share of memory; null for anybody who may not use the dashboard. */
type FindAdmin = () => Promise<string | null>;

/**
 * Judges a request for a page before Next.js sees it, which bounds nothing by itself: the query, the
 * method, and a body that is read here, within bounds, and written anew. Gives the request that
 * Next.js may have.
 * @throws PageRefusal, OAuthRefusal
 */
export async function guardPage(
  incoming: IncomingMessage,
  { path, query }: { path: string; query: string },
  findAdmin: FindAdmin,
): Promise<IncomingMessage> {
  checkQuery(query);
  const { method, headers } = incoming;
  const hasBody =
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (method === 'GET' || method === 'HEAD') {
    if (hasBody) refusePage('malformed_request', 'A page is asked for without a body.');
    dropBrokenHints(incoming);
    return incoming;
  }
  if (method !== 'POST') refusePage('method_not_allowed', 'A page answers GET, HEAD and POST.');
  // Server actions live in the dashboard alone; the other forms are posted to endpoints.
  if (!/^\/admin(\/|$)/.test(path)) refusePage('not_found', 'Nothing is posted here.');
  dropBrokenHints(incoming);
  const small = Number(headers['content-length']) <= limits.bodyBytes;
  const admin = small ? null : await findAdmin();
  const form = admin
    ? await inUploadPlace(admin, () => readAction(incoming, actionBytes))
    : await readAction(incoming, limits.bodyBytes);
  if (form === 'busy') throw new PageRefusal('server_busy', 'Too many large forms at once.');
  return withBody(incoming, form);
}

/** Next.js reads a query several times over, and names that repeat in more than linear time. */
function checkQuery(query: string): void {
  try {
    parseForm(query);
  } catch (error) {
    if (error instanceof MalformedParams) refusePage('malformed_request', error.message);
    throw error;
  }
}

/** Headers that only make answers smaller, and fail them where they cannot be read. */
function dropBrokenHints({ headers }: IncomingMessage): void {
  const tree = headers['next-router-state-tree'];
  if (tree !== undefined && !isJson(tree)) delete headers['next-router-state-tree'];
}

function isJson(text: string | string[]): boolean {
  try {
    return Array.isArray(JSON.parse(decodeURIComponent(String(text))));
  } catch {
    return false;
  }
}

type Body = { type: string; bytes: Uint8Array };

/** The post of a server action, checked and written anew. @throws PageRefusal */
async function readAction(incoming: IncomingMessage, most: number): Promise<Body> {
  const type = incoming.headers['content-type'] ?? '';
  const bytes = await readIncoming(incoming, most);
  if (bytes === 'too-large') refusePage('too_large', `The form has more than ${most} bytes.`);
  const form = await readMultipart(bytes, type);
  const named = incoming.headers['next-action'];
  if (!form || !isActionForm(form, named === undefined ? undefined : String(named)))
    refusePage('form_malformed', 'The body is not a form of this page.');
  const anew = new Response(form);
  return {
    type: anew.headers.get('content-type') ?? '',
    bytes: new Uint8Array(await anew.arrayBuffer()),
  };
}

/** The same request with another body, which is all there. */
function withBody(incoming: IncomingMessage, { type, bytes }: Body): IncomingMessage {
  const { method, url, httpVersion, httpVersionMajor, httpVersionMinor, headers } = incoming;
  const request = new IncomingMessage(incoming.socket);
  Object.assign(request, { method, url, httpVersion, httpVersionMajor, httpVersionMinor });
  const { 'transfer-encoding': _, ...kept } = headers;
  // Next.js wants both to be one name; on loopback ours are several, and the origin has been checked.
  const host = headers.origin ? new URL(headers.origin).host : headers.host;
  request.headers = {
    ...kept,
    ...(host && { host }),
    'content-type': type,
    'content-length': String(bytes.length),
  };
  request.push(bytes);
  request.push(null);
  request.complete = true;
  return request;
}
