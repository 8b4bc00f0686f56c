import type { HttpRequest } from '../../http/message.ts';
import { refuse } from '../../oauth/errors.ts';
import { hostOfSite, siteIn } from '../../oauth/site.ts';

/** The kinds of proxy, each with its own address: how each says what was asked for. */
export const proxies = {
  nginx: { url: 'x-original-url', method: 'x-original-method' },
  traefik: 'forwarded',
  caddy: 'forwarded',
  haproxy: 'forwarded',
  apache: 'forwarded',
  envoy: 'own',
} as const;
export type ProxyKind = keyof typeof proxies;

/** These can only admit or refuse: their answers to a sign-in come from another location. */
export const passesAnswers = (kind: ProxyKind): boolean => kind !== 'nginx' && kind !== 'apache';

/** A request that a proxy asks about. */
export type Asked = {
  kind: ProxyKind;
  method: string;
  /** In its one spelling, with a port that is not the default. */
  host: string;
  /** As it was sent, without the query. */
  path: string;
  /** After the first `?`; '' if there is none. */
  query: string;
};

/** Every header in which some proxy says what was asked for. */
export const forwardedHeaders = [
  'x-original-url',
  'x-original-uri',
  'x-original-method',
  'x-original-host',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-forwarded-uri',
  'x-forwarded-method',
  'x-forwarded-port',
  'x-forwarded-prefix',
  'forwarded',
] as const;

/** Those that belong to a kind of proxy, and `X-Forwarded-Proto`, which all of them send. */
const own: Record<ProxyKind, readonly string[]> = {
  nginx: ['x-original-url', 'x-original-method'],
  traefik: ['x-forwarded-host', 'x-forwarded-uri', 'x-forwarded-method'],
  caddy: ['x-forwarded-host', 'x-forwarded-uri', 'x-forwarded-method'],
  haproxy: ['x-forwarded-host', 'x-forwarded-uri', 'x-forwarded-method'],
  apache: ['x-forwarded-host', 'x-forwarded-uri', 'x-forwarded-method'],
  envoy: [],
};
const ofAll = ['x-forwarded-proto', 'x-forwarded-port', 'x-forwarded-prefix'];

/** Headers of other kinds of proxy, which came along and were not read. */
export const ignoredHeaders = (kind: ProxyKind, request: Pick<HttpRequest, 'header'>): string[] =>
  forwardedHeaders.filter(
    (name) =>
      !own[kind].includes(name) && !ofAll.includes(name) && request.header(name) !== undefined,
  );

/**
 * Reads what a proxy of this kind asks about, from the headers of its own family alone. nginx may
 * name the server block that it serves in the query (`?server_name=`): `Host` can name another.
 * @param below what follows the address of this server in the request line, of Envoy the original
 * @throws OAuthRefusal if a part is missing, unreadable or there twice
 */
export function readAsked(kind: ProxyKind, below: string, request: HttpRequest): Asked {
  const said = saidBy(kind, below, request);
  const scheme = (said.scheme.toLowerCase() as Lowercase<string>).replace(/^ws/, 'http');
  const site = /^https?$/.test(scheme) ? siteIn(`${scheme}://${said.host}`) : null;
  if (!site) refuseHeaders(kind, `${said.scheme}://${said.host}`);
  const served = kind === 'nginx' ? new URLSearchParams(request.query).get('server_name') : null;
  if (served !== null && served.toLowerCase() !== new URL(site).hostname)
    refuseHeaders(kind, `${said.host} at the server ${served}`);
  if (!/^[A-Z][A-Z-]{0,30}$/.test(said.method)) refuseHeaders(kind, said.method);
  if (!/^\/[\x21-\x7e\x80-\xff]*$/.test(said.target) || said.target.includes('#'))
    refuseHeaders(kind, said.target);
  const at = said.target.indexOf('?');
  return {
    kind,
    method: said.method,
    host: hostOfSite(site),
    path: at < 0 ? said.target : said.target.slice(0, at),
    query: at < 0 ? '' : said.target.slice(at + 1),
  };
}

type Said = { scheme: string; host: string; target: string; method: string };

function saidBy(kind: ProxyKind, below: string, request: HttpRequest): Said {
  const one = (name: string) => {
    const value = request.header(name);
    // Node.js joins a header that was sent twice.
    if (value === undefined || value === '' || /, /.test(value))
      refuseHeaders(kind, value ? `${name}: ${value}` : `no ${name}`);
    return value;
  };
  if (kind === 'nginx')
    return { ...splitUrl(one('x-original-url')), method: one('x-original-method') };
  const scheme = one('x-forwarded-proto');
  if (kind === 'envoy')
    return { scheme, host: one('host'), target: targetOf(below, request), method: request.method };
  return {
    scheme,
    host: one('x-forwarded-host'),
    target: one('x-forwarded-uri'),
    method: one('x-forwarded-method'),
  };
}

const targetOf = (below: string, { query }: HttpRequest) =>
  query === '' ? below || '/' : `${below || '/'}?${query}`;

function splitUrl(url: string): Omit<Said, 'method'> {
  const [, scheme = '', host = '', target = ''] = /^([a-z]+):\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  return { scheme, host, target: target.startsWith('?') ? `/${target}` : target || '/' };
}

const expected: Record<ProxyKind, readonly string[]> = {
  nginx: ['X-Original-URL: https://app.example.org/path?query', 'X-Original-Method: GET'],
  traefik: ['X-Forwarded-Proto, -Host, -Uri and -Method, each once'],
  caddy: ['X-Forwarded-Proto, -Host, -Uri and -Method, each once'],
  haproxy: ['X-Forwarded-Proto, -Host, -Uri and -Method, each once'],
  apache: ['X-Forwarded-Proto, -Host, -Uri and -Method, each once'],
  envoy: ['X-Forwarded-Proto and Host, each once'],
};

function refuseHeaders(kind: ProxyKind, received: string): never {
  refuse(
    'access_denied',
    'The proxy does not say what was asked for, or says it twice.',
    { rule: 'proxy.headers', received, expected: expected[kind] },
    { status: 403 },
  );
}
