import { config } from '../config.ts';
import { log } from '../log.ts';
import { chooseLocale } from '../messages/choose-locale.ts';
import type { Locale } from '../messages/locales.ts';
import { isRefusal, OAuthRefusal, PageRefusal, type Refusal, refuse } from '../oauth/errors.ts';
import { jsonError } from './answers.ts';
import { limitFailure } from './failed-requests.ts';
import type { Endpoint, HttpHeaders, HttpRequest, HttpResponse } from './message.ts';
import { problemPage } from './problem-page.ts';
import { noteRefusal } from './refused.ts';
import { transportHeaders } from './transport.ts';

/** One path of this server and what answers there. */
export type Mount = {
  path: string;
  methods: { GET?: Endpoint; HEAD?: Endpoint; POST?: Endpoint };
  /** Errors are JSON for programs, pages for people. */
  speaks: 'json' | 'html';
  /** How much may be sent here, where that is more than anywhere else. */
  bodyBytes?: number;
  /** Scripts of any origin may call it, without credentials. */
  cors?: true;
  /** The language of the pages written here; asked for only where one is. */
  languageOf?: (request: HttpRequest, now: Date) => Promise<Locale>;
};

/** Everything but TRACE, which no server here answers. */
export const httpMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/**
 * Answers a request at a mount: its endpoint, or what is due for another method, a refusal or a
 * failure. Never throws, so both adapters just write what comes back.
 */
export async function serve(mount: Mount, request: HttpRequest, now: Date): Promise<HttpResponse> {
  const response = await dispatch(mount, request, now);
  if (response.refusal) await writeDown(response.refusal, mount, request, now);
  const always = mount.cors ? headersForScripts : headersOfAll;
  return {
    ...response,
    headers: { 'x-request-id': request.id, ...always, ...transportHeaders(), ...response.headers },
  };
}

/** A refusal is answered also when it cannot be written down. */
async function writeDown(refusal: Refusal, mount: Mount, request: HttpRequest, now: Date) {
  try {
    await noteRefusal(refusal, request, mount.path, now);
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
  'access-control-expose-headers': 'WWW-Authenticate, X-Request-Id',
};

async function dispatch(mount: Mount, request: HttpRequest, now: Date): Promise<HttpResponse> {
  const endpoint = mount.methods[request.method as 'GET' | 'HEAD' | 'POST'];
  if (!endpoint)
    return request.method === 'OPTIONS' ? preflight(mount) : methodNotAllowed(mount, request, now);
  try {
    if (request.header('authorization') !== undefined && request.repeatsAuthorization())
      refuse('invalid_request', 'Authorization is sent more than once.');
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
    headers['access-control-allow-headers'] = 'Authorization, Content-Type';
    headers['access-control-max-age'] = '86400';
  }
  return { status: 204, headers };
}

async function methodNotAllowed(
  mount: Mount,
  request: HttpRequest,
  now: Date,
): Promise<HttpResponse> {
  const reason = `This address answers ${allowed(mount)}.`;
  const refusal =
    mount.speaks === 'html'
      ? new PageRefusal('method_not_allowed', reason)
      : new OAuthRefusal('invalid_request', reason, { status: 405 });
  const response = await answerError(mount, request, refusal, now);
  return { ...response, headers: { ...response.headers, allow: allowed(mount) } };
}

/** The wire answer to whatever an endpoint threw; the client hears little, the log the true reason. */
async function answerError(
  mount: Mount,
  request: HttpRequest,
  error: unknown,
  now: Date,
): Promise<HttpResponse> {
  if (isRefusal(error)) {
    const refusal = await limitFailure(error, request, now);
    return { ...(await tell(mount, request, refusal, now)), refusal };
  }
  return tell(mount, request, failure(mount, request, error), now);
}

/** What a failure of ours is on the wire; it is no refusal, and its cause stands in the log. */
function failure(mount: Mount, request: HttpRequest, error: unknown): OAuthRefusal {
  const line = { requestId: request.id, method: request.method, path: mount.path };
  if (passing.has((error as Error).name)) {
    log().warn({ ...line, reason: (error as Error).message }, 'busy');
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
  if (mount.speaks === 'html') return problemFor(mount, request, error, now);
  const refusal =
    error instanceof OAuthRefusal
      ? error
      : new OAuthRefusal(error.code ?? 'invalid_request', error.reason);
  return jsonError(refusal, config().issuer);
}

async function problemFor(
  mount: Mount,
  request: HttpRequest,
  error: Refusal,
  now: Date,
): Promise<HttpResponse> {
  // Whoever asks the database for the language must not fail where the page says that it is away.
  const asked = await mount.languageOf?.(request, now).catch(() => undefined);
  const locale = asked ?? chooseLocale({ acceptLanguage: request.header('accept-language') });
  return problemPage(error, request.id, locale, mount.path.startsWith('/oauth/') ? 'app' : 'form');
}

/** Failures that pass, by the names of their classes: the same in every module graph. */
const passing = new Set(['PasswordsBusy', 'DatabaseAway']);

/** What is said while the server, or its database, cannot do its work: try again soon. */
export function tryLater(): OAuthRefusal {
  return new OAuthRefusal('temporarily_unavailable', 'The server is busy.', {
    headers: { 'retry-after': '2' },
  });
}
