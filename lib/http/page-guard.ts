import { IncomingMessage } from 'node:http';
import { config } from '../config.ts';
import { PageRefusal, refusePage } from '../oauth/errors.ts';
import { limits, MalformedParams, parseForm } from '../oauth/params.ts';
import { actionNamed, isActionForm } from './action-form.ts';
import { readIncoming } from './incoming-body.ts';
import { readMultipart } from './multipart.ts';
import { inUploadPlace } from './upload-places.ts';

/** The maximum size of a dashboard form, including its picture. */
const actionBytes = 1024 * 1024;

/**
 * Finds the owner of a post, who gets a share of memory; null for anyone without dashboard access.
 */
type FindAdmin = () => Promise<string | null>;

/**
 * Checks a page request before Next.js sees it, because Next.js sets no limits. Checks the query
 * and the method, reads the body within limits and rewrites it. Drops headers and refuses posts
 * that Next.js would only print errors about.
 * @param actions the ids of the server actions that exist
 * @returns the request that Next.js receives
 * @throws PageRefusal, OAuthRefusal
 */
export async function guardPage(
  incoming: IncomingMessage,
  { path, query }: { path: string; query: string },
  findAdmin: FindAdmin,
  actions: ReadonlySet<string>,
): Promise<IncomingMessage> {
  checkQuery(query);
  const { method, headers } = incoming;
  const hasBody =
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (method === 'GET' || method === 'HEAD') {
    if (hasBody) refusePage('malformed_request', 'A request for a page must not have a body.');
    dropBrokenHints(incoming);
    return incoming;
  }
  if (method !== 'POST') refusePage('method_not_allowed', 'Pages accept GET, HEAD and POST.');
  // Only the dashboard has server actions; all other forms post to endpoints.
  if (!/^\/admin(\/|$)/.test(path)) refusePage('not_found', 'This page does not accept POST.');
  dropBrokenHints(incoming);
  const small = Number(headers['content-length']) <= limits.bodyBytes;
  const admin = small ? null : await findAdmin();
  const form = admin
    ? await inUploadPlace(admin, () => readAction(incoming, actionBytes, actions))
    : await readAction(incoming, limits.bodyBytes, actions);
  if (form === 'busy') throw new PageRefusal('server_busy', 'Too many large forms at once.');
  return withBody(incoming, form);
}

/**
 * Next.js parses a query several times, and its time for repeated names grows faster than linearly.
 */
function checkQuery(query: string): void {
  try {
    parseForm(query);
  } catch (error) {
    if (error instanceof MalformedParams) refusePage('malformed_request', error.message);
    throw error;
  }
}

/** Removes a malformed optional header that would break the response. */
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

/** A server action post, checked and rewritten. @throws PageRefusal */
async function readAction(
  incoming: IncomingMessage,
  most: number,
  actions: ReadonlySet<string>,
): Promise<Body> {
  const type = incoming.headers['content-type'] ?? '';
  const bytes = await readIncoming(incoming, most);
  if (bytes === 'too-large') refusePage('too_large', `The form is larger than ${most} bytes.`);
  const form = await readMultipart(bytes, type);
  const header = incoming.headers['next-action']?.toString();
  if (!form || !isActionForm(form, header))
    refusePage('form_malformed', 'The body is not a form from this page.');
  if (!actions.has(actionNamed(form, header)))
    refusePage('form_outdated', 'The form is for an action that this version does not have.');
  const encoded = new Response(form);
  return {
    type: encoded.headers.get('content-type') ?? '',
    bytes: new Uint8Array(await encoded.arrayBuffer()),
  };
}

function withBody(incoming: IncomingMessage, { type, bytes }: Body): IncomingMessage {
  const { method, url, httpVersion, httpVersionMajor, httpVersionMinor, headers } = incoming;
  const request = new IncomingMessage(incoming.socket);
  Object.assign(request, { method, url, httpVersion, httpVersionMajor, httpVersionMinor });
  const { 'transfer-encoding': _, ...kept } = headers;
  // Next.js requires Host and Origin to match, and prints a line if there is no Origin. On loopback
  // this server has several names, and the origin has already been checked.
  const origin = headers.origin ?? config().issuer;
  request.headers = {
    ...kept,
    origin,
    host: new URL(origin).host,
    'content-type': type,
    'content-length': String(bytes.length),
  };
  request.push(bytes);
  request.push(null);
  request.complete = true;
  return request;
}
