import cluster from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
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
import { replaceFailures } from '../http/next-failures.ts';
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
import { withoutRuntime } from '../http/script-free.ts';
import { httpMethods, type Mount, noteBusy, tryLater } from '../http/serve.ts';
import { transportHeaders } from '../http/transport.ts';
import { directories, unencryptedServers } from '../identity/directory/configured.ts';
import { readSession } from '../identity/session.ts';
import { ensureSigningKeys } from '../identity/signing.ts';
import { ensureTokenKeys } from '../identity/token-keys.ts';
import { resealProviderSecrets } from '../identity/upstream/secret.ts';
import { startJobs } from '../jobs.ts';
import { chooseLocale } from '../messages/choose-locale.ts';
import { OAuthRefusal, PageRefusal, type Refusal } from '../oauth/errors.ts';
import { derivedKeys } from '../sealed/seal.ts';
import { ownSecretIn, settingsFileOf } from '../settings/data-folder.ts';
import { isDatabaseAway } from '../store/engine/away.ts';
import { closeStore } from '../store/engine/database.ts';
import { timesAway } from '../store/engine/health.ts';
import { readRevision } from '../store/engine/revision.ts';
import { noteIssuer } from '../store/issuer-change.ts';
import { noteOperatorSettings } from '../store/operator-settings.ts';
import { log } from '../telemetry/log.ts';
import { metrics, startMetrics } from '../telemetry/metrics.ts';
import { recordRequest, spans, spanTime, startSpans } from '../telemetry/spans.ts';
import { followTrace } from '../telemetry/trace-context.ts';
import { applyMigrations } from '../tooling/migrate.ts';
import { migrationsRoot } from '../tooling/migrations.ts';
import { keepPidFile } from '../tooling/pid-file.ts';
import { ensureServerSecret } from '../tooling/secret.ts';
import { assetsIn } from './assets.ts';
import { whenAtRest } from './at-rest.ts';
import { Connections } from './connections.ts';
import { checkBackupFolder, closeToOthers, warnIfOpen } from './files.ts';
import { prepareForNext } from './for-next.ts';
import { greet } from './greet.ts';
import { checkNames } from './misspelt.ts';
import { Pages } from './pages.ts';
import { shareMetrics } from './relayed-metrics.ts';
import { startFailure } from './start-failure.ts';
import { stopOnSignal } from './stopping.ts';
import { placeName, tellPrimary, turnOf } from './turn.ts';
import { warmUp } from './warm-up.ts';

/**
 * Longer than proxies keep idle connections (Caddy: two minutes), so no request hits a closing
 * connection.
 */
const keepAliveTimeout = 125_000;
const nextMethods = new Set<string>(httpMethods);
const isAsset = assetsIn(resolve('public'));

try {
  await start();
} catch (error) {
  const sentence = await startFailure(error);
  console.error(sentence ? `Gatehouse cannot start: ${sentence}` : error);
  process.exit(1);
}

/** The production server: the endpoints directly on node:http, everything else by Next.js. */
async function start(): Promise<void> {
  // Files created from here on hold secrets or personal data: readable by their owner only.
  process.umask(0o077);
  // An unhandled 'error' event would end the process, or be printed and fail again.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const turn = turnOf(process.env);
  // A worker has been told by the primary what the file says.
  const file = settingsFileOf(process.env, process.cwd());
  if (turn === 'alone' && existsSync(file)) process.loadEnvFile(file);
  ensureServerSecret(process.env);
  const settings = config();
  const warnings = checkNames(process.env);
  if (turn !== 'further') for (const warning of warnings) console.warn(`WARNING: ${warning}`);
  for (const url of unencryptedServers(directories()))
    log().warn({ server: url }, 'passwords travel to this directory as they are: use ldaps://');
  const others = turn === 'alone' || turn === 'first' ? 'by-leases' : 'certain';
  await applyMigrations(settings.databaseUrl, migrationsRoot, others);
  if (settings.backups) checkBackupFolder(settings.backups.folder);
  closeFiles();
  await ensureSigningKeys(new Date());
  await ensureTokenKeys(new Date());
  for (const { name } of await resealProviderSecrets())
    log().warn(
      { provider: name },
      'the secret of a provider is sealed with another SERVER_SECRET: enter it again',
    );
  await noteOperatorSettings(new Date());
  await noteIssuer(new Date());
  await measure();
  await startSpans();
  // Next.js would take the key of its build, which everybody has who has the build.
  const [key = new Uint8Array()] = derivedKeys('server-actions');
  process.env.NEXT_SERVER_ACTIONS_ENCRYPTION_KEY = Buffer.from(key).toString('base64');
  const pages = new Pages();
  const server = createServer({ maxHeaderSize: 32 * 1024, keepAliveTimeout });
  const connections = new Connections(server, (request, response) =>
    answer(request, response, pages),
  );
  // A database that is away is waited for where nobody else serves.
  const isBorne = (status: number) => turn === 'first' && status === 503;
  if (turn !== 'alone') await warmUp(server, new URL(settings.issuer).host, isBorne);
  // Last: a worker that does not come up for another reason has changed nothing.
  if (turn !== 'further' && settings.configFile !== null) {
    const { applyConfigFile } = await import('../config-file/at-start.ts');
    await applyConfigFile(process.env);
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.port, settings.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  if (settings.port === 0 && !process.env.ISSUER) settings.issuer = `http://localhost:${port}`;
  settings.port = port;
  if (turn === 'alone') keepPidFile(settings.dataDir);
  const jobs = await startJobs();
  stopOnSignal({
    connections,
    delay: settings.stopDelay * 1000,
    timeout: settings.stopTimeout * 1000,
    rest: jobs.rest,
    finish: async () => {
      await jobs.leave();
      await pages.close();
      await closeStore();
      await spans()?.flush();
    },
  });
  if (turn === 'alone' || turn === 'first') await greet(port);
  tellPrimary({ is: 'ready' });
  whenAtRest(() => pages.getReady());
}

/** A worker tells what it measures under its place, and asks the others for theirs. */
async function measure(): Promise<void> {
  const meter = await startMetrics();
  const place = process.env[placeName];
  if (!meter || !cluster.isWorker || place === undefined) return;
  meter.others = shareMetrics(() => meter.part(place));
  meter.place = place;
}

/** Files from an older version or another program may be readable by every user of the machine. */
function closeFiles(): void {
  const { database, databaseUrl, dataDir, secretFiles } = config();
  const file = databaseUrl.slice('file:'.length);
  closeToOthers([
    ...(database === 'sqlite' ? [file, `${file}-wal`, `${file}-shm`] : []),
    ownSecretIn(dataDir),
  ]);
  for (const secret of secretFiles) warnIfOpen(secret);
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  pages: Pages,
): Promise<void> {
  forgetUntrustedTrace(request);
  try {
    const split = splitTarget(request.url ?? '');
    const misplaced = split
      ? null
      : (findMalformedTarget(request.url ?? '') ?? findMerged(request.url ?? ''));
    if (misplaced) return await serveNode(misplaced.mount, misplaced.query, request, response);
    if (!split)
      return refuse(
        request,
        response,
        new PageRefusal('malformed_request', 'The request target is not a path.'),
      );
    const target = findTarget(split.path, split.query) ?? findMissedAt(split.path);
    const opened = isVisit(request, target?.mount, split.path)
      ? openedAt((name) => request.headers[name]?.toString(), config().port)
      : 'here';
    if (typeof opened === 'object')
      return refuse(request, response, wrongAddress(opened.at, 'visit', request.url));
    if (target) return await serveNode(target.mount, target.query, request, response);
    // Next.js answers unknown methods with 500.
    if (!nextMethods.has(request.method ?? ''))
      return refuse(request, response, new PageRefusal('method_not_allowed', 'No such method.'));
    // Next.js answers such a post with 500, or never if it contains no server action.
    const misposted = checkPost(request);
    if (misposted) return refuse(request, response, misposted);
    // Next.js would answer with the page and 200, as if something had happened.
    if (isSentToPage(request.method ?? '', split.path))
      return await refuseSent(request, response, split.path);
    prepareForNext(request, opened === 'unknown');
    await answerByNext(request, response, split, pages);
  } catch (error) {
    if (error instanceof PageRefusal || error instanceof OAuthRefusal)
      return refuse(request, response, error);
    if (isDatabaseAway(error)) return refuseAway(request, response, error as Error);
    log().error({ err: error }, 'a request failed');
    if (!response.headersSent) response.writeHead(500);
    response.end();
  }
}

/** A page, or a file of the build or of public/. */
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
  replaceFailures(response, () => pageFor(request, timesAway() > away ? tryLater() : failure()));
  if (kind === 'page')
    withoutRuntime(page, response, () => pageFor(request, nothingAt(split.path)));
  const from = spanTime();
  await pages.answer(page, response);
  const outcome = response.statusCode >= 500 ? 'failed' : 'ok';
  metrics()?.request(kind, outcome, (spanTime() - from) / 1000);
  recordPage(request, response, kind, from);
}

/** The span of a page. Next.js has given it its request id. */
function recordPage(
  { method = '', headers }: IncomingMessage,
  response: ServerResponse,
  route: string,
  from: number,
): void {
  const exporter = spans();
  const id = response.getHeader('x-request-id');
  if (!exporter || typeof id !== 'string') return;
  const trace = followTrace(id, headers.traceparent?.toString());
  recordRequest(exporter, trace, { method, route, from, status: response.statusCode });
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

function pageFor(request: IncomingMessage, problem: Refusal): HttpResponse {
  const locale = chooseLocale({ acceptLanguage: request.headers['accept-language'] });
  return problemPage({ error: problem, requestId: '', locale, from: 'form' });
}

async function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: Refusal,
): Promise<void> {
  const locale = chooseLocale({ acceptLanguage: request.headers['accept-language'] });
  const id = noteElsewhere(refusal, request);
  const page = problemPage({ error: refusal, requestId: id, locale, from: 'form' });
  if (page.status === 405) page.headers.allow = 'GET, HEAD, POST';
  if (page.status === 503) page.headers['retry-after'] = '2';
  // What scripts of Next.js take for an older version of the page.
  if (page.status === 409) page.headers['x-nextjs-action-not-found'] = '1';
  page.headers['x-request-id'] = id;
  page.headers.connection = 'close';
  await writeResponse(page, request, response);
}

/** Logs a request refused before it reaches any endpoint, and assigns its id. */
function noteElsewhere(refusal: Refusal, request: IncomingMessage): string {
  const id = randomUUID();
  followTrace(id, request.headers.traceparent?.toString());
  const seen = {
    id,
    method: request.method ?? '',
    address: senderOfIncoming(request).address,
    about: nothingKnown(),
  };
  recordRefusal(refusal, seen, 'elsewhere', new Date()).catch((error: unknown) =>
    log().error({ requestId: id, err: error }, 'failed'),
  );
  return id;
}

/** The admin signed in at the requesting browser. */
async function findAdmin({ method, headers }: IncomingMessage): Promise<string | null> {
  const header = (name: string) => headers[name]?.toString();
  const { session } = await readSession({ header, method }, new Date());
  return session?.user.isAdmin ? session.user.id : null;
}

/** Only pages below /admin and /account accept posts (server actions). */
function isSentToPage(method: string, path: string): boolean {
  const reads = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
  return !reads && !/^\/(admin|account)(\/|$)/.test(path);
}

/** A program posting where nothing is accepted gets a JSON answer. */
async function refuseSent(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  if (request.headers.accept?.includes('text/html'))
    return refuse(request, response, new PageRefusal('not_found', 'Nothing is accepted here.'));
  const { mount, query } = missedAt(path);
  await serveNode(mount, query, request, response);
}

/** A file of public/ is no unknown address: there may be some below /.well-known. */
function findMissedAt(path: string): Target | null {
  return isAsset(path) ? null : findMissed(path);
}

/** An issuer was written with a slash at its end, and addresses were appended. */
function findMerged(target: string): Target | null {
  const split = splitTarget(target.replace(/\/{2,}/g, '/'));
  return split && findMissed(split.path);
}

/** A person asks for a page. Programs reach the other addresses by inner names, and go on doing so. */
function isVisit({ method, headers }: IncomingMessage, mount: Mount | undefined, path: string) {
  const reads = method === 'GET' || method === 'HEAD';
  const isPage = mount ? mount.speaks === 'html' : !isAsset(path);
  return reads && isPage && headers.accept?.includes('text/html') === true;
}

/**
 * A missing Origin passes, as with our other forms: cookies are SameSite, and server actions are
 * multipart.
 */
function checkPost({ method, headers }: IncomingMessage): PageRefusal | null {
  if (method === 'GET' || method === 'HEAD') return null;
  const place = postedFrom((name) => headers[name]?.toString());
  if (place === 'foreign') return new PageRefusal('cross_site', 'A post from another origin.');
  return place === 'here' ? null : wrongAddress(place.at, 'post');
}
