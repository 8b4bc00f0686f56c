/*
 * Sites of apps that a proxy guards. An app behind a proxy speaks no OAuth: this server takes the
 * answer to a sign-in for it, at an address on the app's own host.
 */

/** An origin in its one spelling, such as `https://app.example.org`. Only `siteIn` makes one. */
export type Site = string & { readonly brand: 'site' };

const longest = 253;

/**
 * The site that a text names: `https://app.example.org`, `http://nas.lan:8080`, or a host alone,
 * which is at https. Null if it names none, or more than a site. Every place that compares hosts
 * compares what this returns: in lower case and punycode, without a default port or a final dot.
 */
export function siteIn(text: string): Site | null {
  const [, scheme = 'https', host = ''] =
    /^(?:(https?):\/\/)?([^\s/?#@\\%]+)\/?$/i.exec(text) ?? [];
  if (host === '' || host.length > longest + 6) return null;
  const url = URL.parse(`${scheme}://${host}`);
  if (!url || !/^[a-z0-9._-]+$|^\[[0-9a-f:.]+\]$/.test(url.hostname)) return null;
  const name = url.hostname.endsWith('.') ? url.hostname.slice(0, -1) : url.hostname;
  if (name === '' || name.endsWith('.') || name.length > longest) return null;
  return `${url.protocol}//${name}${url.port && `:${url.port}`}` as Site;
}

/** The host of a site, with a port that is not the default. */
export const hostOfSite = (site: Site): string => site.slice(site.indexOf('//') + 2);

/** What this server answers on every guarded site. */
export const ownFolder = '/.gatehouse/';

/** Where the answer to a sign-in goes: a redirect URI of the site's app. */
export const callbackOf = (site: string): string => `${site}${ownFolder}callback`;

/** What the headers of an app can hold. */
export const siteFacts = ['user', 'name', 'email', 'groups', 'sub'] as const;
export type SiteFact = (typeof siteFacts)[number];

/** Names that every guarded site gets, each with what it holds. */
export const usualSiteHeaders = {
  'remote-user': 'user',
  'remote-name': 'name',
  'remote-email': 'email',
  'remote-groups': 'groups',
  'remote-sub': 'sub',
  'x-auth-request-user': 'sub',
  'x-auth-request-email': 'email',
  'x-auth-request-groups': 'groups',
  'x-auth-request-preferred-username': 'user',
} as const satisfies Record<string, SiteFact>;

/** Headers that say how a message is sent, or that someone else writes. */
const notOwn =
  /^(?:accept.*|authorization|connection|content-.*|cookie|date|expect|forwarded|host|keep-alive|location|origin|proxy-.*|referer|sec-.*|set-cookie|te|trailer|transfer-encoding|upgrade|via|www-authenticate|x-forwarded-.*|x-gatehouse-.*|x-original-.*|x-real-ip)$/;

/** Whether an app can have a header of this name about the user. */
export const isSiteHeader = (name: string): boolean =>
  /^[A-Za-z][A-Za-z0-9-]{0,63}$/.test(name) && !notOwn.test(name.toLowerCase());

/** Whether a prefix of open paths is in the form that paths are compared in. */
export const isOpenPath = (prefix: string): boolean =>
  prefix.startsWith('/') &&
  prefix.length > 1 &&
  prefix.length <= 200 &&
  plainPath(prefix) === prefix;

/**
 * Whether a path of a site needs no sign-in. It is judged as the app may read it: decoded once. A
 * path that two programs could read differently is never open: one with dot segments, empty
 * segments, backslashes or parameters (`;`), with an escaped slash, escaped twice, or not in UTF-8.
 * @param path as it was sent, without the query
 */
export function isOpen(prefixes: readonly string[], path: string): boolean {
  if (prefixes.length === 0) return false;
  const plain = plainPath(path);
  return (
    plain !== null &&
    prefixes.some((each) => {
      const folder = each.endsWith('/') ? each : `${each}/`;
      return plain === each || plain.startsWith(folder);
    })
  );
}

/** The decoded path; null if it could be read in two ways. */
function plainPath(path: string): string | null {
  if (/%(?:2f|5c|25|00)/i.test(path)) return null;
  try {
    const plain = decodeURIComponent(path);
    const isPlain =
      !/[\\%;?#\p{C}\s]|\/\/|(?:^|\/)\.{1,2}(?:\/|$)/u.test(plain) && plain.startsWith('/');
    return isPlain ? plain : null;
  } catch {
    return null;
  }
}
