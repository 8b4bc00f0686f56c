import { config } from '../config.ts';
import { chooseLocale } from '../messages/choose-locale.ts';
import type { Locale } from '../messages/locales.ts';
import { isRefusal, OAuthRefusal, PageRefusal, type Refusal, refuse } from '../oauth/errors.ts';
import { readBranding } from '../store/branding.ts';
import { isDatabaseFull } from '../store/engine/away.ts';
import type { TraceStepName } from '../store/traces.ts';
import { log } from '../telemetry/log.ts';
import { metrics, type RequestOutcome } from '../telemetry/metrics.ts';
import { recordRequest, spans, spanTime } from '../telemetry/spans.ts';
import { followTrace } from '../telemetry/trace-context.ts';
import { jsonError } from './answers.ts';
import type { Endpoint, HttpHeaders, HttpRequest, HttpResponse } from './message.ts';
import type { OwnAddress } from './own-address.ts';
import { problemJson } from './problem.ts';
import { problemPage } from './problem-page.ts';
import { recordRefusal, whyRefused } from './refused.ts';
import { limitFailure } from './request-limits.ts';
import { traceRequest } from './traced.ts';
import { transportHeaders } from './transport.ts';

export type Mount = {
  path: string;
  methods: Partial<Record<(typeof httpMethods)[number], Endpoint>>;
  /**
   * The form of errors. 'json': for programs; 'html': pages for people; 'either': a page if the
   * request accepts one; 'problem': the problems of the API.
   */
  speaks: 'json' | 'html' | 'either' | 'problem';
  /** Answers methods that `httpMethods` does not list, such as those of WebDAV. */
  otherMethods?: Endpoint;
  /** Its answers are shown at addresses of other hosts, where our files are not. */
  isElsewhere?: true;
  /** The body limit, if it is not the default. */
  bodyBytes?: number;
  /** Scripts from any origin can call it, without credentials. */
  cors?: true;
  /** The step that its requests are in the trace of an attempt. */
  step?: TraceStepName;
  /** The language of pages written here. Called only when one is written. */
  languageOf?: (request: HttpRequest, now: Date) => Promise<Locale>;
  /** Where an admin who is signed in at this browser sees why a request was refused. */
  whyAt?: (request: HttpRequest, now: Date) => Promise<OwnAddress | undefined>;
};

/** All methods except TRACE, which no server here supports. */
export const httpMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/**
 * Answers a request at a mount with the endpoint's response, or with the one for a wrong method, a
 * refusal or a failure. Never throws, so both adapters just write the result.
 */
export async function serve(mount: Mount, request: HttpRequest, now: Date): Promise<HttpResponse> {
  const meter = metrics();
  const exporter = spans();
  const parent = request.header('traceparent');
  const trace = parent !== undefined || exporter ? followTrace(request.id, parent) : null;
  const from = meter || exporter ? spanTime() : 0;
  const response = await dispatch(mount, request, now);
  if (response.refusal) await writeDown(response.refusal, mount, request, now);
  if (mount.step) traceRequest(mount.step, request, response.refusal, now);
  meter?.request(mount.path, outcomeOf(response), (spanTime() - from) / 1000);
  if (exporter && trace) {
    const span = { method: request.method, route: mount.path, from, status: response.status };
    recordRequest(exporter, trace, span, toldOf(response));
  }
  const always = mount.cors ? headersForScripts : headersOfAll;
  return {
    ...response,
    headers: { 'x-request-id': request.id, ...always, ...transportHeaders(), ...response.headers },
  };
}

function toldOf({ refusal }: HttpResponse) {
  const why = refusal && whyRefused(refusal);
  return why && { code: why.code, rule: why.rule ?? 'other' };
}

function outcomeOf({ status, refusal }: HttpResponse): RequestOutcome {
  if (refusal) return 'refused';
  return status >= 500 ? 'failed' : 'ok';
}

/** A refusal is answered even if it can't be recorded. */
async function writeDown(refusal: Refusal, mount: Mount, request: HttpRequest, now: Date) {
  try {
    await recordRefusal(refusal, request, mount, now);
  } catch (error) {
    log().error({ requestId: request.id, path: mount.path, err: error }, 'failed');
  }
}

const headersOfAll: HttpHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};
const headersForScripts: HttpHeaders = {
  ...headersOfAll,
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'WWW-Authenticate, X-Request-Id, DPoP-Nonce',
};

async function dispatch(mount: Mount, request: HttpRequest, now: Date): Promise<HttpResponse> {
  const endpoint =
    mount.methods[request.method as (typeof httpMethods)[number]] ?? mount.otherMethods;
  if (!endpoint)
    return request.method === 'OPTIONS' ? preflight(mount) : methodNotAllowed(mount, request, now);
  try {
    if (request.header('authorization') !== undefined && request.repeatsAuthorization())
      refuse('invalid_request', 'The Authorization header was sent more than once.', {
        rule: 'parameter.repeated',
        received: 'Authorization',
      });
    return await endpoint(request, now);
  } catch (error) {
    return answerError(mount, request, error, now);
  }
}

function allowed(mount: Mount): string {
  return [...Object.keys(mount.methods), 'OPTIONS'].join(', ');
}

function preflight(mount: Mount): HttpResponse {
  const headers: HttpHeaders = { allow: allowed(mount) };
  if (mount.cors) {
    headers['access-control-allow-methods'] = allowed(mount);
    headers['access-control-allow-headers'] = 'Authorization, Content-Type, DPoP';
    headers['access-control-max-age'] = '86400';
  }
  return { status: 204, headers };
}

async function methodNotAllowed(
  mount: Mount,
  request: HttpRequest,
  now: Date,
): Promise<HttpResponse> {
  const reason = `Method not allowed. Allowed: ${allowed(mount)}.`;
  const expected = Object.keys(mount.methods);
  const facts = { rule: 'method', received: request.method, expected } as const;
  const refusal =
    mount.speaks === 'html'
      ? new PageRefusal('method_not_allowed', reason, null, { facts })
      : new OAuthRefusal('invalid_request', reason, { status: 405 }, facts);
  const response = await answerError(mount, request, refusal, now);
  return { ...response, headers: { ...response.headers, allow: allowed(mount) } };
}

/** The client is told little; the log has the true reason. */
async function answerError(
  mount: Mount,
  request: HttpRequest,
  error: unknown,
  now: Date,
): Promise<HttpResponse> {
  if (isRefusal(error)) {
    const refusal = await limitFailure(error, request, now);
    const answer = await leave(mount, request, refusal, now);
    // A device is only told to ask again, which is not a refusal.
    return refusal.code === 'authorization_pending' ? answer : { ...answer, refusal };
  }
  return tell(mount, request, failure(mount, request, error), now);
}

/**
 * Answers every refusal: sends it to the client if the client's address is trusted, else to the
 * sender of the request.
 */
async function leave(mount: Mount, request: HttpRequest, refusal: Refusal, now: Date) {
  const { reply } = request.about;
  if (!reply || !(refusal instanceof OAuthRefusal)) return tell(mount, request, refusal, now);
  try {
    return await reply(refusal, request.id);
  } catch (error) {
    return tell(mount, request, failure(mount, request, error), now);
  }
}

/** The wire form of a server failure. It is not a refusal; its cause is in the log. */
function failure(mount: Mount, request: HttpRequest, error: unknown): OAuthRefusal {
  const line = { requestId: request.id, method: request.method, path: mount.path };
  if (passing.has((error as Error).name)) {
    noteBusy(error as Error, line);
    return tryLater();
  }
  log().error({ ...line, err: error }, 'failed');
  return new OAuthRefusal('server_error', 'An unexpected failure.');
}

async function tell(
  mount: Mount,
  request: HttpRequest,
  error: Refusal,
  now: Date,
): Promise<HttpResponse> {
  if (mount.speaks === 'html' || (mount.speaks === 'either' && wantsPage(request)))
    return problemFor(mount, request, error, now);
  const refusal =
    error instanceof OAuthRefusal
      ? error
      : new OAuthRefusal(error.code ?? 'invalid_request', error.reason);
  if (mount.speaks === 'problem') return problemJson(refusal, request.id);
  // What no attempt keeps has no page to link to.
  return jsonError(refusal, config().issuer, mount.step ? request.id : '');
}

/** Whether a browser is opening an address or sending a form. */
function wantsPage(request: HttpRequest): boolean {
  return request.header('accept')?.includes('text/html') === true;
}

async function problemFor(
  mount: Mount,
  request: HttpRequest,
  error: Refusal,
  now: Date,
): Promise<HttpResponse> {
  // The language lookup needs the database, but must not break the page that reports that the
  // database is away.
  const asked = await mount.languageOf?.(request, now).catch(() => undefined);
  await readBranding().catch(() => {});
  const locale = asked ?? chooseLocale({ acceptLanguage: request.header('accept-language') });
  const from = mount.path.startsWith('/oauth/') ? 'app' : 'form';
  const whyAt = mount.step && (await mount.whyAt?.(request, now).catch(() => undefined));
  const ended = {
    error,
    path: mount.path,
    requestId: request.id,
    locale,
    from,
    whyAt,
    now,
  } as const;
  return mount.isElsewhere ? shownElsewhere(problemPage(ended)) : problemPage(ended);
}

/** The page with our files and links at the address of this server. */
function shownElsewhere({ status, headers, body = '' }: HttpResponse): HttpResponse {
  const { issuer } = config();
  const policy = String(headers['content-security-policy']).replaceAll("'self'", issuer);
  return {
    status,
    headers: { ...headers, 'content-security-policy': policy },
    body: body.replace(/ (href|src)="\//g, ` $1="${issuer}/`),
  };
}

/** Logs transient trouble as a warning. A full disk is an error, because someone has to act. */
export function noteBusy(error: Error, line: Record<string, unknown>): void {
  if (isDatabaseFull(error)) log().error({ ...line, reason: error.message }, 'disk full');
  else log().warn({ ...line, reason: error.message }, 'busy');
}

/** Transient failures by class name, which is the same in every module graph. */
const passing = new Set(['PasswordsBusy', 'DatabaseAway']);

/** The response while the server or its database is unavailable: try again soon. */
export function tryLater(): OAuthRefusal {
  return new OAuthRefusal('temporarily_unavailable', 'The server is busy.', {
    headers: { 'retry-after': '2' },
  });
}
