import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import {
  findMalformedTarget,
  findMissed,
  findTarget,
  missedAt,
  type Target,
} from '../../app/mounts.ts';
import { config } from '../config.ts';
import { type HttpResponse, nothingKnown } from '../http/message.ts';
import { sendDocuments, takeGzip } from '../http/next-document.ts';
import {
  forgetUntrustedTrace,
  senderOfIncoming,
  serveNode,
  splitTarget,
  writeResponse,
} from '../http/node.ts';
import { openedAt, postedFrom, wrongAddress } from '../http/opened-at.ts';
import { guardPage } from '../http/page-guard.ts';
import { problemPage } from '../http/problem-page.ts';
import { recordRefusal } from '../http/refused.ts';
import { httpMethods, type Mount, noteBusy, tryLater } from '../http/serve.ts';
import { transportHeaders } from '../http/transport.ts';
import { readSession } from '../identity/session.ts';
import { chooseLocale } from '../messages/choose-locale.ts';
import { OAuthRefusal, PageRefusal, type Refusal } from '../oauth/errors.ts';
import { isDatabaseAway } from '../store/engine/away.ts';
import { timesAway } from '../store/engine/health.ts';
import { readRevision } from '../store/engine/revision.ts';
import { log } from '../telemetry/log.ts';
import { metrics } from '../telemetry/metrics.ts';
import { recordRequest, spans, spanTime } from '../telemetry/spans.ts';
import { followTrace } from '../telemetry/trace-context.ts';
import { assetsIn } from './assets.ts';
import { prepareForNext } from './for-next.ts';
import type { Pages } from './pages.ts';

const nextMethods = new Set<string>(httpMethods);
const isAsset = assetsIn(resolve('public'));

/** Answers a request with an endpoint, a Next.js page or a refusal. Failures are answered too. */
export async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  pages: Pages,
): Promise<void> {
  forgetUntrustedTrace(request);
  try {
    await serve(request, response, pages);
  } catch (error) {
    // A response that has begun cannot be taken back. Cutting it off shows the client that it is
    // incomplete.
    if (response.headersSent) return cutOff(response, error);
    if (error instanceof PageRefusal || error instanceof OAuthRefusal)
      return refuse(request, response, error);
    if (isDatabaseAway(error)) return refuseAway(request, response, error as Error);
    log().error({ err: error }, 'a request failed');
    response.writeHead(500).end();
  }
}

/** @throws PageRefusal */
async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  pages: Pages,
): Promise<void> {
  if (namesHostsTwice(request))
    throw new PageRefusal('malformed_request', 'The Host header was sent more than once.');
  const split = splitTarget(request.url ?? '');
  const meantTarget = split
    ? null
    : (findMalformedTarget(request.url ?? '') ?? findMerged(request.url ?? ''));
  if (meantTarget) return serveNode(meantTarget.mount, meantTarget.query, request, response);
  if (!split) throw new PageRefusal('malformed_request', 'The request target is not a path.');
  const target = findTarget(split.path, split.query) ?? findMissedAt(split.path);
  const opened = isVisit(request, target?.mount, split.path)
    ? openedAt((name) => request.headers[name]?.toString(), config().port)
    : 'here';
  if (typeof opened === 'object') throw wrongAddress(opened.at, 'visit', request.url);
  if (target) return serveNode(target.mount, target.query, request, response);
  // Next.js answers unknown methods with 500.
  if (!nextMethods.has(request.method ?? ''))
    throw new PageRefusal('method_not_allowed', 'No such method.');
  // Next.js answers such a post with 500, or never if it contains no server action.
  const badPost = checkPost(request);
  if (badPost) throw badPost;
  // Next.js would answer with the page and status 200, as if something had happened.
  if (isWriteToPage(request.method ?? '', split.path))
    return refuseWriteToPage(request, response, split.path);
  prepareForNext(request, opened === 'unknown');
  await answerByNext(request, response, split, pages);
}

/** Whether `Host` was sent more than once (RFC 9112 section 3.2); `headers` keeps only the first. */
function namesHostsTwice({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

function cutOff(response: ServerResponse, error: unknown): void {
  log().error({ err: error }, 'an answer broke off');
  response.destroy();
}

/** Answers with a page, or with a file of the build or of public/. */
async function answerByNext(
  request: IncomingMessage,
  response: ServerResponse,
  split: { path: string; query: string },
  pages: Pages,
): Promise<void> {
  const page = await guardPage(request, split, () => findAdmin(request), pages.actions);
  for (const [name, value] of Object.entries(transportHeaders())) response.setHeader(name, value);
  const kind = isAsset(split.path) ? 'asset' : 'page';
  if (kind === 'page') await readRevision();
  const away = timesAway();
  sendDocuments(response, kind === 'page' && takeGzip(page), {
    failed: () => pageFor(request, timesAway() > away ? tryLater() : failure(), idOf(response)),
    missing: () => pageFor(request, nothingAt(split.path), idOf(response)),
  });
  const from = spanTime();
  await pages.answer(page, response);
  const outcome = response.statusCode >= 500 ? 'failed' : 'ok';
  metrics()?.request(kind, outcome, (spanTime() - from) / 1000);
  recordPage(request, response, kind, from);
}

/** Records the span of a page. Next.js has set its request id. */
function recordPage(
  { method = '', headers }: IncomingMessage,
  response: ServerResponse,
  route: string,
  from: number,
): void {
  const exporter = spans();
  const id = idOf(response);
  if (!exporter || id === undefined) return;
  const trace = followTrace(id, headers.traceparent?.toString());
  recordRequest(exporter, trace, { method, route, from, status: response.statusCode });
}

/** The id that Next.js has given a page. */
function idOf(response: ServerResponse): string | undefined {
  const id = response.getHeader('x-request-id');
  return typeof id === 'string' ? id : undefined;
}

function failure(): OAuthRefusal {
  return new OAuthRefusal('server_error', 'A page could not be rendered.');
}

function nothingAt(path: string): PageRefusal {
  const problem = path.startsWith('/docs/') ? 'not_in_docs' : 'not_found';
  return new PageRefusal(problem, 'There is no such thing at this address.');
}

function refuseAway(request: IncomingMessage, response: ServerResponse, error: Error): void {
  noteBusy(error, { method: request.method });
  const { status, headers, body } = pageFor(request, tryLater());
  response.writeHead(status, { ...headers, connection: 'close' }).end(body);
}

const pathOf = ({ url = '' }: IncomingMessage) => url.split('?', 1)[0] ?? '';

function pageFor(
  request: IncomingMessage,
  error: Refusal,
  requestId: string = randomUUID(),
): HttpResponse {
  const locale = chooseLocale({ acceptLanguage: request.headers['accept-language'] });
  const page = problemPage({ error, path: pathOf(request), requestId, locale, from: 'form' });
  page.headers['x-request-id'] = requestId;
  return page;
}

async function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: Refusal,
): Promise<void> {
  const page = pageFor(request, refusal, noteElsewhere(refusal, request));
  if (page.status === 405) page.headers.allow = 'GET, HEAD, POST';
  if (page.status === 503) page.headers['retry-after'] = '2';
  // Tells the scripts of Next.js that the page is from an older version.
  if (page.status === 409) page.headers['x-nextjs-action-not-found'] = '1';
  page.headers.connection = 'close';
  await writeResponse(page, request, response);
}

/** Logs a request that was refused before it reached an endpoint, and gives it an id. */
function noteElsewhere(refusal: Refusal, request: IncomingMessage): string {
  const id = randomUUID();
  followTrace(id, request.headers.traceparent?.toString());
  const seen = {
    id,
    method: request.method ?? '',
    ...senderOfIncoming(request),
    about: nothingKnown(),
  };
  recordRefusal(refusal, seen, { path: 'elsewhere' }, new Date()).catch((error: unknown) =>
    log().error({ requestId: id, err: error }, 'failed'),
  );
  return id;
}

/** The admin who is signed in at the requesting browser. */
async function findAdmin({ method, headers }: IncomingMessage): Promise<string | null> {
  const header = (name: string) => headers[name]?.toString();
  const { session } = await readSession({ header, method }, new Date());
  return session?.user.isAdmin ? session.user.id : null;
}

/**
 * Whether something other than a read is sent to a page outside /admin. Below it, `guardPage` lets
 * the dashboard's server actions through.
 */
function isWriteToPage(method: string, path: string): boolean {
  const reads = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
  return !reads && !/^\/admin(\/|$)/.test(path);
}

/** Refuses a request that was sent to a page which accepts none. Programs get JSON. */
async function refuseWriteToPage(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  if (request.headers.accept?.includes('text/html'))
    return refuse(request, response, new PageRefusal('not_found', 'Nothing is accepted here.'));
  const { mount, query } = missedAt(path);
  await serveNode(mount, query, request, response);
}

/** A file of public/ is not an unknown address: there can be files below /.well-known. */
function findMissedAt(path: string): Target | null {
  return isAsset(path) ? null : findMissed(path);
}

/**
 * Finds the address meant if an issuer was written with a slash at its end and paths were appended
 * to it.
 */
function findMerged(target: string): Target | null {
  const split = splitTarget(target.replace(/\/{2,}/g, '/'));
  return split && findMissed(split.path);
}

/** Programs may use internal host names, so those are not checked. */
function isVisit({ method, headers }: IncomingMessage, mount: Mount | undefined, path: string) {
  const reads = method === 'GET' || method === 'HEAD';
  const isPage = mount ? mount.speaks === 'html' : !isAsset(path);
  return reads && isPage && headers.accept?.includes('text/html') === true;
}

/**
 * Checks where a post comes from. A missing Origin passes, as with our other forms, because cookies
 * are SameSite and server actions are multipart.
 */
function checkPost({ method, headers }: IncomingMessage): PageRefusal | null {
  if (method === 'GET' || method === 'HEAD') return null;
  const place = postedFrom((name) => headers[name]?.toString());
  if (place === 'foreign') return new PageRefusal('cross_site', 'A post from another origin.');
  return place === 'here' ? null : wrongAddress(place.at, 'post');
}
