import type { Client } from './client.ts';

/** A scope that means something at one API only. */
export type ApiScope = {
  name: string;
  /** What people read. */
  description: string;
  /** The description by language. */
  translations: Readonly<Record<string, string>>;
};

/** `plain-jwt` is what `jwt` is but for the type in its header: some take no other than `JWT`. */
export const tokenFormats = ['opaque', 'jwt', 'plain-jwt'] as const;
export const apiAccesses = ['listed', 'admins', 'anyone'] as const;

/** An API that has tokens of its own (RFC 8707). */
export type Api = {
  id: string;
  /** What apps send as `resource`, and what its tokens name as their audience. */
  identifier: string;
  name: string;
  description: string | null;
  tokenFormat: (typeof tokenFormats)[number];
  /** Seconds; null: ten minutes for a JWT, else as for the client. */
  accessTokenTtl: number | null;
  /** Who may ask for its tokens: listed clients, all that admins made, or those that registered themselves too. */
  access: (typeof apiAccesses)[number];
  scopes: readonly ApiScope[];
  /** Ids of the clients that may ask while they are listed. */
  askedBy: readonly string[];
  /** Ids of the clients that are the API itself, and may introspect its tokens. */
  servedBy: readonly string[];
};

/**
 * Seconds that a JWT access token lives at most. It is good until it expires, whatever happens meanwhile, and as
 * long the keys that sign are published (`lib/identity/signing.ts`): a day is much already.
 */
export const longestJwtLife = 24 * 3600;

/** Seconds that a JWT access token lives unless its API says otherwise: nobody can take one back earlier. */
const usualJwtLife = 600;

/** Seconds that an access token of an API lives; `usual` is what the client or the server says. */
export function accessTokenLifeOf(
  api: Pick<Api, 'tokenFormat' | 'accessTokenTtl'>,
  usual: number,
): number {
  return api.accessTokenTtl ?? (usesJwts(api) ? usualJwtLife : usual);
}

/** Whether the tokens of an API are JWTs. */
export const usesJwts = ({ tokenFormat }: Pick<Api, 'tokenFormat'>) => tokenFormat !== 'opaque';

const longestIdentifier = 500;

/**
 * Whether a text can be an identifier (RFC 8707 section 2): an absolute http(s) address without
 * fragment, of characters that survive a space-delimited list and a quoted header value.
 */
export function isIdentifier(text: string): boolean {
  if (text.length > longestIdentifier || !/^https?:\/\/(?![/?])[!$-;=?-[\]_a-z~]+$/.test(text))
    return false;
  const url = URL.parse(text);
  return url !== null && url.username === '' && url.password === '' && !/@/.test(hostOf(text));
}

const hostOf = (identifier: string) => /^[a-z]+:\/\/([^/?]*)/i.exec(identifier)?.[1] ?? '';

/**
 * What two spellings of one identifier have in common: clients write the host in capital letters,
 * and add or leave out a slash at the end.
 */
export function identifierKey(identifier: string): string {
  const [, origin = '', rest = ''] = /^([a-z]+:\/\/[^/?]*)(.*)$/is.exec(identifier) ?? [];
  return origin.toLowerCase() + rest.replace(/\/$/, '');
}

/** The API that an identifier means, in any spelling of it. */
export function apiCalled<A extends Pick<Api, 'identifier'>>(
  identifier: string,
  apis: readonly A[],
): A | undefined {
  const key = identifierKey(identifier);
  return key === '' ? undefined : apis.find((api) => identifierKey(api.identifier) === key);
}

/** Whether a client may ask for tokens of an API. */
export function mayAskFor(api: Api, client: Pick<Client, 'id' | 'origin'>): boolean {
  if (api.access === 'anyone' || api.askedBy.includes(client.id)) return true;
  return api.access === 'admins' && client.origin === 'admin';
}

/*
 * What a user agrees to is a list of words in the grant. Scopes of the server stand in it as they
 * are; an API by its identifier, and a scope of it behind its identifier and '#'. An identifier has
 * no fragment, so the three cannot be taken for each other.
 */

/** The word in a grant for a scope of an API. */
export const consentWord = (api: Pick<Api, 'identifier'>, scope: string): string =>
  `${api.identifier}#${scope}`;

/** The words in a grant for an API with some of its scopes. */
export function consentWords(api: Api, scopes: readonly string[]): string[] {
  const own = api.scopes.filter(({ name }) => scopes.includes(name));
  return [api.identifier, ...own.map(({ name }) => consentWord(api, name))];
}

/** What a word in a grant means: an API, one of its scopes, or (null) a scope of the server. */
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
