import { offeredLocales } from '../../messages/locales.ts';
import {
  type Api,
  type ApiScope,
  accessTokenLifeOf,
  apiAccesses,
  apiCalled,
  identifierKey,
  isIdentifier,
  tokenFormats,
  usesJwts,
} from '../../oauth/api.ts';
import { scopeToken } from '../../oauth/scope.ts';
import { nameForAdmins } from '../../oauth/self-given-name.ts';
import { type ApiClientKind, type ApiSettings, mostClientsOfApi } from '../../store/api-changes.ts';
import { findClient } from '../../store/clients.ts';
import { apiPath, rightsFault } from '../api-key/rights.ts';
import { lifetime } from '../client/client-rules.ts';
import { type Faults, refuseAdmin } from '../refusal.ts';

const mostScopesOfApi = 50;
/** A JWT is good until it expires, whatever happens meanwhile: a day is much already. */
export const longestJwtLife = 86_400;

/** What the names of an API are compared with. */
type ApiNeighbours = {
  issuer: string;
  /** The other APIs. */
  apis: readonly Pick<Api, 'identifier' | 'name'>[];
  /** The scopes of the server itself. */
  serverScopes: readonly string[];
};

/** What is wrong with an API, by field. */
export function apiFaults(api: ApiSettings, neighbours: ApiNeighbours): Faults {
  const faults: Record<keyof Omit<ApiSettings, 'askedBy' | 'servedBy'>, string | null> = {
    identifier: identifierFault(api.identifier, neighbours),
    name: isName(api.name) ? null : 'Use 1 to 100 characters in the name, on one line.',
    description:
      api.description === null || isSentence(api.description, 500)
        ? null
        : 'Use up to 500 characters in the description, on one line.',
    tokenFormat: oneOf('token format', api.tokenFormat, tokenFormats),
    accessTokenTtl: lifeFault(api),
    access:
      oneOf('answer to who may ask', api.access, apiAccesses) ?? ownAccessFault(api, neighbours),
    scopes: scopesFault(api.scopes, neighbours.serverScopes) ?? ownScopesFault(api, neighbours),
  };
  return Object.fromEntries(
    Object.entries(faults).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

function identifierFault(identifier: string, neighbours: ApiNeighbours): string | null {
  if (!isIdentifier(identifier))
    return `Use an absolute address of up to 500 visible ASCII characters, such as https://mcp.example.org/mcp, without user name, quotes and “#”. Received: ${quoted(identifier)}.`;
  if (identifierKey(identifier) === identifierKey(neighbours.issuer))
    return 'This is the address of this server itself. Use the address of the API.';
  const own = neighbours.issuer + apiPath;
  if (identifierKey(identifier) === identifierKey(own) && identifier !== own)
    return `The API of this server has the identifier ${own}.`;
  const taken = apiCalled(identifier, neighbours.apis);
  if (taken)
    return `The API “${taken.name}” has this identifier: ${taken.identifier}. Capital letters in the host and a slash at the end make no difference.`;
  const alike = neighbours.serverScopes.find(
    (scope) => scope === identifier || scope.startsWith(`${identifier}#`),
  );
  return alike === undefined
    ? null
    : `The scope ${quoted(alike)} of this server begins with this identifier. Delete the scope first.`;
}

/** Whether this is the HTTP API of this server: with its tokens apps do what admins do. */
const isOwn = ({ identifier }: ApiSettings, { issuer }: ApiNeighbours) =>
  identifierKey(identifier) === identifierKey(issuer + apiPath);

function ownAccessFault(api: ApiSettings, neighbours: ApiNeighbours): string | null {
  return isOwn(api, neighbours) && api.access !== 'listed'
    ? 'With tokens of this API apps do what admins do here. Only listed apps may ask for them.'
    : null;
}

function ownScopesFault(api: ApiSettings, neighbours: ApiNeighbours): string | null {
  return isOwn(api, neighbours) ? rightsFault(api.scopes.map(({ name }) => name)) : null;
}

function lifeFault(api: ApiSettings): string | null {
  const { accessTokenTtl } = api;
  if (accessTokenTtl === null) return null;
  if (lifetime.parse(String(accessTokenTtl)) !== accessTokenTtl) return `Enter ${lifetime.takes}.`;
  return usesJwts(api) && accessTokenTtl > longestJwtLife
    ? 'A JWT that is checked offline can’t be taken back before it expires. Use at most 24 hours.'
    : null;
}

function scopesFault(scopes: readonly ApiScope[], serverScopes: readonly string[]): string | null {
  if (scopes.length > mostScopesOfApi) return `An API has at most ${mostScopesOfApi} scopes.`;
  const names = scopes.map(({ name }) => name);
  for (const [index, scope] of scopes.entries()) {
    const { name } = scope;
    if (!scopeToken.test(name))
      return `${quoted(name)} can’t be the name of a scope. Use 1 to 128 visible ASCII characters without " and \\ (RFC 6749 section 3.3).`;
    if (names.indexOf(name) !== index) return `The scope ${quoted(name)} is listed twice.`;
    if (serverScopes.includes(name))
      return `This server itself has a scope ${quoted(name)}. Use another name, such as ${quoted(`api:${name}`)}.`;
    const fault = wordsFault(scope);
    if (fault) return fault;
  }
  return null;
}

function wordsFault({ name, description, translations }: ApiScope): string | null {
  const known: readonly string[] = offeredLocales;
  const unknown = Object.keys(translations).find((tag) => !known.includes(tag));
  if (unknown !== undefined)
    return `${quoted(unknown)} is not a language of this server. Use one of: ${known.join(', ')}.`;
  return [description, ...Object.values(translations)].every((text) => isSentence(text, 300))
    ? null
    : `Say in 1 to 300 characters what an app can do with ${quoted(name)}. People read this on the consent page.`;
}

const isName = (text: string) => /^\P{C}{1,100}$/u.test(text) && text.trim() === text;
const isSentence = (text: string, most: number) =>
  text.length <= 2 * most && [...text].length <= most && /^\P{C}+$/u.test(text);
const quoted = (text: string) => JSON.stringify(text.slice(0, 80));

function oneOf(what: string, value: string, known: readonly string[]): string | null {
  return known.includes(value)
    ? null
    : `${quoted(value)} is no ${what}. Use one of: ${known.join(', ')}.`;
}

/**
 * Whether an edit of an API gives clients more, or makes what they have harder to take back.
 * `usual` is the server's lifetime of access tokens.
 */
export function apiLoosens(before: ApiSettings, after: ApiSettings, usual: number): boolean {
  const rank = ({ access }: ApiSettings) => apiAccesses.indexOf(access);
  const format = ({ tokenFormat }: ApiSettings) => tokenFormats.indexOf(tokenFormat);
  const life = (api: ApiSettings) => accessTokenLifeOf(api, usual);
  return rank(after) > rank(before) || format(after) > format(before) || life(after) > life(before);
}

/**
 * Checks what an API is to list: those that may ask, or those that are the API itself and so have to
 * prove who they are.
 * @throws AdminRefusal
 */
export async function checkListed(
  kind: ApiClientKind,
  ids: readonly string[],
  field = 'client',
): Promise<void> {
  if (ids.length > mostClientsOfApi)
    refuseAdmin(field, `An API lists at most ${mostClientsOfApi} apps.`, 'full');
  for (const id of ids) {
    const client = await findClient(id);
    if (!client) refuseAdmin(field, `There is no client ${quoted(id)}.`);
    if (kind === 'serves' && client.type === 'public')
      refuseAdmin(
        field,
        `“${nameForAdmins(client)}” has no secret, so it can’t prove that it is the API. Choose a confidential app.`,
      );
  }
}
