import {
  createRemoteJWKSet,
  customFetch as fetchKeys,
  importPKCS8,
  type JWTVerifyGetKey,
  SignJWT,
} from 'jose';
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
  type ServerMetadata,
} from 'openid-client';
import { askProvider } from '../../http/outgoing.ts';
import { once } from '../../once.ts';
import { mostProviders, type Provider } from '../../store/providers.ts';
import { ProviderFault } from './fault.ts';
import { faultOf } from './faults.ts';
import { kinds } from './kinds.ts';
import { openProviderSecret } from './secret.ts';

/** Milliseconds for which a provider's configuration stands, and for which a failure to read it does. */
const [good, bad] = [10 * 60_000, 5000];

type Held = { until: number; found: Promise<Configuration> };
const held = () => once('upstream-clients', () => new Map<string, unknown>()) as Map<string, Held>;

/**
 * This server as a client of a provider. What the provider says of itself is asked for once in ten
 * minutes, and after each change of its record.
 * @throws ProviderFault
 */
export function clientAt(provider: Provider, now: Date): Promise<Configuration> {
  const cache = held();
  const key = `${provider.id} ${provider.updatedAt.getTime()}`;
  const known = cache.get(key);
  if (known && known.until > now.getTime()) return known.found;
  for (const [other, { until }] of cache)
    if (until <= now.getTime() || cache.size > 2 * mostProviders) cache.delete(other);
  const entry = { until: now.getTime() + good, found: connectTo(provider) };
  cache.set(key, entry);
  entry.found.catch(() => {
    entry.until = now.getTime() + bad;
  });
  return entry.found;
}

/** The same asked anew. @throws ProviderFault */
export async function connectTo(provider: Provider): Promise<Configuration> {
  const opened = await openProviderSecret(provider);
  if (opened === 'lost')
    throw new ProviderFault('provider.client', 'The secret of the provider does not open.', '', [
      'the client secret, entered again',
    ]);
  const auth = authOf(provider, opened.secret);
  const { protocol } = kinds[provider.kind];
  const client =
    protocol === 'openid'
      ? await discover(provider, auth)
      : new Configuration(endpointsOf[protocol](provider.issuer), provider.clientId, {}, auth);
  client[customFetch] = (address, options) => askProvider(address, options);
  // Loopback alone is ever at http (kinds.ts), and only where the environment allows private addresses.
  if (provider.issuer.startsWith('http:')) allowInsecureRequests(client);
  if (protocol === 'openid') enableNonRepudiationChecks(client);
  return client;
}

/**
 * The keys that a provider signs with, read once in ten minutes, and at most once in half a minute for
 * a key that is not among them. @throws ProviderFault
 */
export async function keysOf(provider: Provider, now: Date): Promise<JWTVerifyGetKey> {
  const client = await clientAt(provider, now);
  const { jwks_uri: address } = client.serverMetadata();
  if (!address) throw new ProviderFault('provider.answer', 'The provider publishes no keys.');
  const known = keySets.get(client);
  if (known) return known;
  const found = createRemoteJWKSet(new URL(address), {
    [fetchKeys]: (url, { method, headers }) =>
      askProvider(url, { method, headers: Object.fromEntries(headers) }),
  });
  keySets.set(client, found);
  return found;
}

/** By a client that lasts as long: no more of them than of these. */
const keySets = new WeakMap<Configuration, JWTVerifyGetKey>();

async function discover(provider: Provider, auth: ClientAuth): Promise<Configuration> {
  const insecure = provider.issuer.startsWith('http:') ? [allowInsecureRequests] : [];
  const found = await discovery(new URL(provider.issuer), provider.clientId, {}, auth, {
    [customFetch]: (address, options) => askProvider(address, options),
    execute: insecure,
    timeout: 10,
  }).catch((error: unknown) => {
    throw faultOf(error, 'provider.unreachable');
  });
  const { issuer } = found.serverMetadata();
  if (new URL(issuer).href === new URL(provider.issuer).href) return found;
  throw new ProviderFault('provider.client', 'The provider calls itself otherwise.', issuer, [
    provider.issuer,
  ]);
}

/** Where those are asked that have no discovery. */
const endpointsOf = {
  // What its `iss` says, too (RFC 9207).
  github: (at: string): ServerMetadata => ({
    issuer: `${at}/login/oauth`,
    authorization_endpoint: `${at}/login/oauth/authorize`,
    token_endpoint: `${at}/login/oauth/access_token`,
  }),
  discord: (at: string): ServerMetadata => ({
    issuer: at,
    authorization_endpoint: `${at}/oauth2/authorize`,
    token_endpoint: `${at}/api/oauth2/token`,
  }),
};

function authOf(provider: Provider, secret: string | null): ClientAuth {
  if (secret === null) return None();
  if (kinds[provider.kind].secret === 'key') return appleAuth(provider, secret);
  const [post, basic] = [ClientSecretPost(secret), ClientSecretBasic(secret)];
  if (provider.kind !== 'openid') return post;
  return (as, client, body, headers) => {
    const { token_endpoint_auth_methods_supported: ways = ['client_secret_basic'] } = as;
    return (ways.includes('client_secret_basic') ? basic : post)(as, client, body, headers);
  };
}

/** Apple takes a JWT as the secret, signed with the key that it gave out ("Creating a client secret"). */
function appleAuth({ appleTeamId, appleKeyId, clientId }: Provider, key: string): ClientAuth {
  const auth = async (as: ServerMetadata, _: unknown, body: URLSearchParams): Promise<void> => {
    const secret = await new SignJWT({})
      .setProtectedHeader({ alg: 'ES256', kid: appleKeyId ?? '' })
      .setIssuer(appleTeamId ?? '')
      .setSubject(clientId)
      .setAudience(as.issuer)
      .setIssuedAt()
      .setExpirationTime('5 minutes')
      .sign(await importPKCS8(key, 'ES256'));
    body.set('client_id', clientId);
    body.set('client_secret', secret);
  };
  return auth;
}
