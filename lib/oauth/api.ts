import type { Client } from './client.ts';

/** A scope that means something at one API only. */
export type ApiScope = {
  name: string;
  description: string;
  translations: Readonly<Record<string, string>>;
};

/** `plain-jwt` is `jwt` with `JWT` as the type in the header: some APIs accept no other type. */
export const tokenFormats = ['opaque', 'jwt', 'plain-jwt'] as const;
export const apiAccesses = ['listed', 'admins', 'anyone'] as const;

/** An API with access tokens of its own (RFC 8707). */
export type Api = {
  id: string;
  /** The value that apps send as `resource`, and the audience of the API's tokens. */
  identifier: string;
  name: string;
  description: string | null;
  tokenFormat: (typeof tokenFormats)[number];
  /** Seconds; null: ten minutes for a JWT, otherwise the client's lifetime. */
  accessTokenTtl: number | null;
  /** Listed clients, all that admins made, or any, even self-registered ones. */
  access: (typeof apiAccesses)[number];
  scopes: readonly ApiScope[];
  /** Ids of the clients on the list, which may ask whatever `access` says. */
  askedBy: readonly string[];
  /** Ids of the clients that are the API itself and may introspect its tokens. */
  servedBy: readonly string[];
};

/**
 * The maximum lifetime of a JWT access token in seconds. It is valid until it expires, whatever
 * happens meanwhile, and the keys that sign it are published for as long
 * (`lib/identity/signing.ts`). A day is long enough.
 */
export const longestJwtLife = 24 * 3600;

/** The default lifetime of a JWT access token in seconds: APIs accept one until it expires. */
const usualJwtLife = 600;

/** The lifetime in seconds of an API's access tokens; `usual` is the client's or the server's. */
export function accessTokenLifeOf(
  api: Pick<Api, 'tokenFormat' | 'accessTokenTtl'>,
  usual: number,
): number {
  return api.accessTokenTtl ?? (usesJwts(api) ? usualJwtLife : usual);
}

export const usesJwts = ({ tokenFormat }: Pick<Api, 'tokenFormat'>) => tokenFormat !== 'opaque';

const longestIdentifier = 500;

/**
 * Whether a text can be an identifier: an absolute URI without a fragment (RFC 8707 section 2), or
 * the plain name that some servers, such as RabbitMQ, expect as their audience. Its characters
 * survive a space-delimited list and a quoted header value.
 */
export function isIdentifier(text: string): boolean {
  if (/^https?:/i.test(text)) return isWebIdentifier(text);
  if (plainName.test(text)) return true;
  if (text.length > longestIdentifier || !otherUri.test(text)) return false;
  return URL.canParse(text) && !hostOf(text).includes('@');
}

/** The characters of a client_id, of which none separates anything. */
const plainName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
/** Something follows the scheme and, in a URN, its namespace (RFC 8141). */
const otherUri = /^(?!urn:[^:]*:?$)[a-z][a-z0-9+.-]{1,30}:(?!\/*$)(?!\/\/[/?])[!$-;=?-[\]_a-z~]+$/;

/** Whether an identifier is an http(s) address, where an API can publish its metadata. */
export function isWebIdentifier(text: string): boolean {
  if (text.length > longestIdentifier || !/^https?:\/\/(?![/?])[!$-;=?-[\]_a-z~]+$/.test(text))
    return false;
  const url = URL.parse(text);
  return url !== null && url.username === '' && url.password === '' && !/@/.test(hostOf(text));
}

const hostOf = (identifier: string) =>
  /^[a-z][a-z0-9+.-]*:\/\/([^/?]*)/i.exec(identifier)?.[1] ?? '';

const usualPort = /^(https:.*):(?:443)?$|^(http:.*):(?:80)?$/;

/**
 * A key that different spellings of one identifier share: clients write the host in capital
 * letters, and add or omit the scheme's usual port (RFC 3986 section 6.2.3) and a slash at the end.
 * Names and URIs without a host have one spelling.
 */
export function identifierKey(identifier: string): string {
  const [, origin, rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/[^/?]*)(.*)$/is.exec(identifier) ?? [];
  if (origin === undefined) return identifier;
  return origin.toLowerCase().replace(usualPort, '$1$2') + rest.replace(/\/$/, '');
}

/** The API with this identifier, however it is spelled. */
export function apiCalled<A extends Pick<Api, 'identifier'>>(
  identifier: string,
  apis: readonly A[],
): A | undefined {
  const key = identifierKey(identifier);
  return key === '' ? undefined : apis.find((api) => identifierKey(api.identifier) === key);
}

export function mayAskFor(api: Api, client: Pick<Client, 'id' | 'origin'>): boolean {
  if (api.access === 'anyone' || api.askedBy.includes(client.id)) return true;
  return api.access === 'admins' && client.origin === 'admin';
}

/*
 * What a user agrees to is stored in the grant as a list of words. A scope of the server is its own
 * name, an API is its identifier, and a scope of an API is the identifier, '#' and the scope's
 * name. Identifiers have no fragment, so the three kinds cannot be confused.
 */

export const consentWord = (api: Pick<Api, 'identifier'>, scope: string): string =>
  `${api.identifier}#${scope}`;

export function consentWords(api: Api, scopes: readonly string[]): string[] {
  const own = api.scopes.filter(({ name }) => scopes.includes(name));
  return [api.identifier, ...own.map(({ name }) => consentWord(api, name))];
}

/** What a word in a grant means: an API, a scope of an API, or (null) a scope of the server. */
export function readConsentWord(
  word: string,
  apis: readonly Api[],
): { api: Api; scope: ApiScope | null } | null {
  const at = word.indexOf('#');
  const identifier = at < 0 ? word : word.slice(0, at);
  const api = apis.find((one) => one.identifier === identifier);
  if (!api) return null;
  if (at < 0) return { api, scope: null };
  const scope = api.scopes.find(({ name }) => name === word.slice(at + 1));
  return scope ? { api, scope } : null;
}
