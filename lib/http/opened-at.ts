import { config } from '../config.ts';
import { PageRefusal } from '../oauth/errors.ts';
import { isLoopbackHost } from '../oauth/redirect-uri.ts';

type ReadHeader = (name: string) => string | undefined;

/** The browser has open: ours, another that also leads here (`at`), or another site. */
type Place = 'here' | 'foreign' | { at: string };

/** Whether an origin is ours. With a loopback issuer, any loopback name on its port is. */
export function isOwnOrigin(origin: string): boolean {
  const { issuer } = config();
  if (origin === issuer) return true;
  if (!URL.canParse(origin)) return false;
  const [ours, theirs] = [new URL(issuer), new URL(origin)];
  const names = ['localhost', '127.0.0.1', '[::1]'];
  return (
    ours.protocol === theirs.protocol &&
    ours.port === theirs.port &&
    names.includes(ours.hostname) &&
    names.includes(theirs.hostname)
  );
}

/**
 * Where a form was opened that was posted here. A post without Origin passes (old browsers, curl),
 * because forms also carry a CSRF value. A foreign origin counts as our own server at a wrong
 * address only if the browser says that the post stays within its origin or its host, which a page
 * cannot fake.
 */
export function postedFrom(header: ReadHeader): Place {
  const [origin, site] = [header('origin'), header('sec-fetch-site')];
  if (site === 'cross-site') return 'foreign';
  if (origin === undefined || isOwnOrigin(origin)) return 'here';
  const url = webOrigin(origin);
  if (!url) return 'foreign';
  return isWithin(url, header) ? { at: url.origin } : 'foreign';
}

/** Whether a request comes from a page of the same origin that it is sent to. */
function isWithin(from: URL, header: ReadHeader): boolean {
  const site = header('sec-fetch-site');
  return site === undefined ? from.host === header('host') : site === 'same-origin';
}

/**
 * The address at which a page was opened, when a browser asks for it. Behind a proxy that replaces
 * the Host header, `Host` names an inner network although people are at the right address. Such
 * names prove nothing ('unknown'). Only names that no proxy makes up count as a wrong address: a
 * public name, or any name if the issuer is this machine's own port.
 * @param port the port that this server listens on
 */
export function openedAt(header: ReadHeader, port: number): Exclude<Place, 'foreign'> | 'unknown' {
  const { issuer } = config();
  const { protocol } = new URL(issuer);
  const referer = webOrigin(header('referer'));
  if (referer && isWithin(referer, header))
    return isOwnOrigin(referer.origin) ? 'here' : { at: referer.origin };
  const host = header('host') ?? '';
  const passed = [host, ...forwardedHosts(header)];
  const origins = passed.map((name) => webOrigin(`${protocol}//${name}`)?.origin ?? '');
  if (origins.some(isOwnOrigin)) return 'here';
  const url = webOrigin(`${schemeOf(header, host)}://${host}`);
  if (!url) return 'unknown';
  return isPublicName(url) || isOwnPort(issuer, port) ? { at: url.origin } : 'unknown';
}

/**
 * The refusal of a visit or post at a wrong address.
 * @param target where a link to the same page leads
 */
export function wrongAddress(at: string, asked: 'visit' | 'post', target = '/'): PageRefusal {
  const { issuer } = config();
  const reason = `Opened at ${at}, but the address of this server is ${issuer}. If ${at} is right, set ISSUER=${at} and restart.`;
  const refusal = new PageRefusal(asked === 'visit' ? 'wrong_address' : 'posted_elsewhere', reason);
  refusal.opened = { at, issuer, target, tellsSetting: isOperators(at) || isOperators(issuer) };
  return refusal;
}

/** Only people who run this server, or are on its network, see it at such an address. */
const isOperators = (origin: string) => !isPublicName(new URL(origin));

function webOrigin(text: string | undefined): URL | null {
  if (!text || text.length > 2000 || !URL.canParse(text)) return null;
  const url = new URL(text);
  const plain = /^[a-z0-9._[\]:-]{1,255}$/i.test(url.host);
  return plain && /^https?:$/.test(url.protocol) ? url : null;
}

/** What a proxy says the browser asked for: only to confirm the address. */
function forwardedHosts(header: ReadHeader): string[] {
  const [first = ''] = (header('x-forwarded-host') ?? '').split(',', 1);
  const [, quoted] = /(?:^|[;,]) ?host="?([^\s";,]{1,255})/i.exec(header('forwarded') ?? '') ?? [];
  return [first.trim(), quoted ?? ''].filter(Boolean);
}

/** Browsers send Sec-Fetch-Site only over https and over http to loopback addresses. */
function schemeOf(header: ReadHeader, host: string): 'http' | 'https' {
  const [forwarded] = (header('x-forwarded-proto') ?? '').split(',', 1);
  if (forwarded === 'https' || forwarded === 'http') return forwarded;
  const secure = header('sec-fetch-site') !== undefined;
  return secure && !isLoopbackHost(host.replace(/:\d+$/, '')) ? 'https' : 'http';
}

const innerName = /(^|\.)(localhost|local|lan|home|internal|intranet|corp|svc|test|arpa)$/;

/** At the default port. Proxies usually reach the servers behind them on others. */
function isPublicName({ hostname, port }: URL): boolean {
  const isNumber = /^[\d.]+$/.test(hostname) || hostname.startsWith('[');
  return port === '' && hostname.includes('.') && !isNumber && !innerName.test(hostname);
}

/** Whether the issuer is this very port on this machine: then no proxy is in between. */
function isOwnPort(issuer: string, port: number): boolean {
  const url = new URL(issuer);
  return url.protocol === 'http:' && isLoopbackHost(url.hostname) && url.port === String(port);
}
