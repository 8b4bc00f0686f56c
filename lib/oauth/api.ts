import type { Client } from './client.ts';

/** A scope that means something at one API only. */
export type ApiScope = {
  name: string;
  /** What people read. */
  description: string;
  /** The description by language. */
  translations: Readonly<Record<string, string>>;
};

export const tokenFormats = ['opaque', 'jwt'] as const;
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
  /** Who may ask for its tokens: listed clients, all that admins made, or those that introduced themselves too. */
  access: (typeof apiAccesses)[number];
  scopes: readonly ApiScope[];
  /** Ids of the clients that may ask while they are listed. */
  askedBy: readonly string[];
  /** Ids of the clients that are the API itself, and may introspect its tokens. */
  servedBy: readonly string[];
};

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
