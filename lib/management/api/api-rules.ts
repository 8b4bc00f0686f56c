import { offeredLocales } from '../../messages/locales.ts';
import { type Sentence, sentence } from '../../messages/sentence.ts';
import {
  type Api,
  type ApiScope,
  accessTokenLifeOf,
  apiAccesses,
  apiCalled,
  identifierKey,
  isIdentifier,
  longestJwtLife,
  tokenFormats,
  usesJwts,
} from '../../oauth/api.ts';
import { isSoundName } from '../../oauth/name.ts';
import { scopeToken } from '../../oauth/scope.ts';
import { nameForAdmins } from '../../oauth/self-given-name.ts';
import { type ApiClientKind, type ApiSettings, mostClientsOfApi } from '../../store/api-changes.ts';
import { findClient } from '../../store/clients.ts';
import { apiPath, rightsFault } from '../api-key/rights.ts';
import { lifetime, timeFault } from '../client/client-rules.ts';
import { type Faults, faultsIn, refuseAdmin } from '../refusal.ts';

const mostScopesOfApi = 50;

/** What the names of an API are compared with. */
type ApiNeighbours = {
  issuer: string;
  apis: readonly Pick<Api, 'identifier' | 'name'>[];
  serverScopes: readonly string[];
  /** An app has the identifier as its client_id, and so as the audience of its ID tokens. */
  isClient: boolean;
};

export function apiFaults(api: ApiSettings, neighbours: ApiNeighbours): Faults {
  const faults: Record<keyof Omit<ApiSettings, 'askedBy' | 'servedBy'>, Sentence | null> = {
    identifier: identifierFault(api.identifier, neighbours),
    name: isName(api.name) ? null : sentence('refused.api.name'),
    description:
      api.description === null || isSoundName(api.description, 500)
        ? null
        : sentence('refused.api.description'),
    tokenFormat: choiceFault('refused.api.tokenFormat', api.tokenFormat, tokenFormats),
    accessTokenTtl: lifeFault(api),
    access:
      choiceFault('refused.api.access', api.access, apiAccesses) ?? ownAccessFault(api, neighbours),
    scopes: scopesFault(api.scopes, neighbours.serverScopes) ?? ownScopesFault(api, neighbours),
  };
  return faultsIn(faults);
}

function identifierFault(identifier: string, neighbours: ApiNeighbours): Sentence | null {
  if (!isIdentifier(identifier))
    return sentence('refused.api.identifier', { received: quoted(identifier) });
  if (identifierKey(identifier) === identifierKey(neighbours.issuer))
    return sentence('refused.api.identifierOfServer');
  if (neighbours.isClient) return sentence('refused.api.identifierOfClient');
  const own = neighbours.issuer + apiPath;
  if (identifierKey(identifier) === identifierKey(own) && identifier !== own)
    return sentence('refused.api.identifierOfOwn', { own });
  const taken = apiCalled(identifier, neighbours.apis);
  if (taken)
    return sentence('refused.api.identifierTaken', {
      api: taken.name,
      identifier: taken.identifier,
    });
  const alike = neighbours.serverScopes.find(
    (scope) => scope === identifier || scope.startsWith(`${identifier}#`),
  );
  return alike === undefined
    ? null
    : sentence('refused.api.identifierOfScope', { scope: quoted(alike) });
}

/** Whether this is the HTTP API of this server. With its tokens, apps can do what admins do. */
const isOwn = ({ identifier }: ApiSettings, { issuer }: ApiNeighbours) =>
  identifierKey(identifier) === identifierKey(issuer + apiPath);

function ownAccessFault(api: ApiSettings, neighbours: ApiNeighbours): Sentence | null {
  return isOwn(api, neighbours) && api.access !== 'listed'
    ? sentence('refused.api.ownAccess')
    : null;
}

function ownScopesFault(api: ApiSettings, neighbours: ApiNeighbours): Sentence | null {
  return isOwn(api, neighbours) ? rightsFault(api.scopes.map(({ name }) => name)) : null;
}

function lifeFault(api: ApiSettings): Sentence | null {
  const { accessTokenTtl } = api;
  if (accessTokenTtl === null) return null;
  if (lifetime.parse(String(accessTokenTtl)) !== accessTokenTtl) return timeFault(lifetime);
  return usesJwts(api) && accessTokenTtl > longestJwtLife ? sentence('refused.api.jwtLife') : null;
}

function scopesFault(
  scopes: readonly ApiScope[],
  serverScopes: readonly string[],
): Sentence | null {
  if (scopes.length > mostScopesOfApi)
    return sentence('refused.api.tooManyScopes', { most: mostScopesOfApi });
  const names = scopes.map(({ name }) => name);
  for (const [index, scope] of scopes.entries()) {
    const { name } = scope;
    const said = { name: quoted(name) };
    if (!scopeToken.test(name)) return sentence('refused.api.scopeName', said);
    if (names.indexOf(name) !== index) return sentence('refused.api.scopeTwice', said);
    if (serverScopes.includes(name))
      return sentence('refused.api.scopeOfServer', { ...said, example: quoted(`api:${name}`) });
    const fault = wordsFault(scope);
    if (fault) return fault;
  }
  return null;
}

function wordsFault({ name, description, translations }: ApiScope): Sentence | null {
  const known: readonly string[] = offeredLocales;
  const unknown = Object.keys(translations).find((tag) => !known.includes(tag));
  if (unknown !== undefined)
    return sentence('refused.language.unknown', { tag: quoted(unknown), known: known.join(', ') });
  return [description, ...Object.values(translations)].every((text) => isSoundName(text, 300))
    ? null
    : sentence('refused.api.scopeWords', { name: quoted(name) });
}

const isName = (text: string) => isSoundName(text, 100) && text.trim() === text;
const quoted = (text: string) => JSON.stringify(text.slice(0, 80));

function choiceFault(
  fault: 'refused.api.tokenFormat' | 'refused.api.access',
  value: string,
  known: readonly string[],
): Sentence | null {
  const said = { value: quoted(value), known: known.join(', ') };
  return known.includes(value) ? null : sentence(fault, said);
}

/**
 * Whether an edit of an API gives clients more, or makes what they have harder to revoke. `usual`
 * is the server's lifetime of access tokens.
 */
export function apiLoosens(before: ApiSettings, after: ApiSettings, usual: number): boolean {
  const rank = ({ access }: ApiSettings) => apiAccesses.indexOf(access);
  const format = ({ tokenFormat }: ApiSettings) => tokenFormats.indexOf(tokenFormat);
  const life = (api: ApiSettings) => accessTokenLifeOf(api, usual);
  return rank(after) > rank(before) || format(after) > format(before) || life(after) > life(before);
}

/**
 * Checks the clients that an API is to list: clients that may ask for tokens, or clients that are
 * the API itself, which must be able to prove their identity.
 * @throws AdminRefusal
 */
export async function checkListed(
  kind: ApiClientKind,
  ids: readonly string[],
  field = 'client',
): Promise<void> {
  if (ids.length > mostClientsOfApi)
    refuseAdmin(field, sentence('refused.api.tooManyApps', { most: mostClientsOfApi }), 'full');
  for (const id of ids) {
    const client = await findClient(id);
    if (!client) refuseAdmin(field, sentence('refused.api.client', { id: quoted(id) }));
    if (kind === 'serves' && client.type === 'public')
      refuseAdmin(field, sentence('refused.api.publicClient', { app: nameForAdmins(client) }));
  }
}
