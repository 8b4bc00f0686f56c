import { config } from '../config.ts';
import { log } from '../log.ts';
import { chooseLocale } from '../messages/choose-locale.ts';
import type { Locale } from '../messages/locales.ts';
import { OAuthRefusal, PageRefusal, refuse } from '../oauth/errors.ts';
import { jsonError } from './answers.ts';
import type { Endpoint, HttpHeaders, HttpRequest, HttpResponse } from './message.ts';
import { problemPage } from './problem-page.ts';

/** One path of this server and what answers there. */
export type Mount = {
  path: string;
  methods: { GET?: Endpoint; POST?: Endpoint };
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
  const always = mount.cors ? headersForScripts : headersOfAll;
  return { ...response, headers: { 'x-request-id': request.id, ...always, ...response.headers } };
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
  const endpoint = mount.methods[request.method as 'GET' | 'POST'];
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
  const response =
    mount.speaks === 'html'
      ? await problemFor(mount, request, new PageRefusal('method_not_allowed', reason), now)
      : jsonError(new OAuthRefusal('invalid_request', reason, { status: 405 }), config().issuer);
  return { ...response, headers: { ...response.headers, allow: allowed(mount) } };
}

/** The wire answer to whatever an endpoint threw, with the true reason in the log under the same request id. */
async function answerError(
  mount: Mount,
  request: HttpRequest,
  error: unknown,
  now: Date,
): Promise<HttpResponse> {
  const line = { requestId: request.id, method: request.method, path: mount.path };
  if (error instanceof OAuthRefusal || error instanceof PageRefusal) {
    log().info({ ...line, code: error.code, reason: error.reason, ...askedIn(error) }, 'refused');
  } else if (passing.has((error as Error).name)) {
    log().warn({ ...line, reason: (error as Error).message }, 'busy');
    return answerError(mount, request, tryLater(), now);
  } else {
    log().error({ ...line, err: error }, 'failed');
    return answerError(
      mount,
      request,
      new OAuthRefusal('server_error', 'An unexpected failure.'),
      now,
    );
  }
  if (mount.speaks === 'html') return problemFor(mount, request, error, now);
  const refusal =
    error instanceof OAuthRefusal
      ? error
      : new OAuthRefusal(error.code ?? 'invalid_request', error.reason);
  return jsonError(refusal, config().issuer);
}

/** Which client it was, and the address it sent, without the query: that may hold what logs must not keep. */
function askedIn(error: OAuthRefusal | PageRefusal): Record<string, string> {
  const asked = error instanceof PageRefusal ? error.asked : undefined;
  if (!asked) return {};
  const { client, redirectUri } = asked;
  const masked = redirectUri?.replace(/[?#].*$/s, '?…').slice(0, 300);
  return { clientId: client.id, ...(masked !== undefined && { redirectUri: masked }) };
}

async function problemFor(
  mount: Mount,
  request: HttpRequest,
  error: OAuthRefusal | PageRefusal,
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
