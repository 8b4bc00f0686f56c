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
  type ExportedJWKSCache,
  enableNonRepudiationChecks,
  getJwksCache,
  None,
  type ServerMetadata,
  setJwksCache,
} from 'openid-client';
import { askProvider } from '../../http/outgoing.ts';
import { once } from '../../once.ts';
import { mostProviders, type Provider } from '../../store/providers.ts';
import { ProviderFault } from './fault.ts';
import { faultOf } from './faults.ts';
import { kinds } from './provider-kinds.ts';
import { openProviderSecret } from './secret.ts';

/** Milliseconds for which a configuration is cached, and a failure to read it. */
const [good, bad] = [10 * 60_000, 5000];

/** A provider as it describes itself, and the keys it had recently. */
type Connection = {
  metadata: ServerMetadata;
  auth: ClientAuth;
  keys?: ExportedJWKSCache | undefined;
  keySet?: JWTVerifyGetKey;
};

type Held = { until: number; found: Promise<Connection> };
const held = () => once('upstream-clients', () => new Map<string, unknown>()) as Map<string, Held>;

const keyOf = ({ id, updatedAt }: Provider) => `${id} ${updatedAt.getTime()}`;

/** A provider's metadata is fetched once in ten minutes, and after each change of its record. */
function connectionAt(provider: Provider, now: Date): Promise<Connection> {
  const cache = held();
  const key = keyOf(provider);
  const known = cache.get(key);
  if (known && known.until > now.getTime()) return known.found;
  for (const [other, { until }] of cache)
    if (until <= now.getTime() || cache.size > 2 * mostProviders) cache.delete(other);
  const entry = { until: now.getTime() + good, found: readConnection(provider) };
  cache.set(key, entry);
  entry.found.catch(() => {
    entry.until = now.getTime() + bad;
  });
  return entry.found;
}

/** A provider's metadata. @param anew fetches it even if it is cached @throws ProviderFault */
export async function metadataOf(
  provider: Provider,
  now: Date,
  anew?: 'anew',
): Promise<ServerMetadata> {
  if (anew) held().delete(keyOf(provider));
  return (await connectionAt(provider, now)).metadata;
}

/** Reads a provider's metadata and secret, bypassing the cache. @throws ProviderFault */
export async function readConnection(provider: Provider): Promise<Connection> {
  const opened = await openProviderSecret(provider);
  if (opened === 'lost')
    throw new ProviderFault(
      'provider.client',
      'The client secret of the provider cannot be decrypted.',
      '',
      ['the client secret, entered again'],
    );
  const auth = authOf(provider, opened.secret);
  const { protocol } = kinds[provider.kind];
  const metadata =
    protocol === 'openid' ? await discover(provider, auth) : endpointsOf[protocol](provider.issuer);
  return { metadata, auth };
}

/** This server as a client of a provider. @throws ProviderFault */
export async function asClientOf(provider: Provider, now: Date): Promise<Configuration> {
  return clientOf(provider, await connectionAt(provider, now));
}

/** Called for each request to a provider; null: no response came. */
export type Watch = (address: string, answer: Response | null) => Promise<void>;

function clientOf(
  provider: Provider,
  { metadata, auth }: Connection,
  watch?: Watch,
): Configuration {
  const client = new Configuration(metadata, provider.clientId, {}, auth);
  client[customFetch] = async (address, options) => {
    const answer = await askProvider(address, options).catch(async (error: unknown) => {
      await watch?.(address, null);
      throw error;
    });
    await watch?.(address, answer.clone());
    return answer;
  };
  // Only loopback addresses can be http (provider-kinds.ts), and only if the environment allows
  // private addresses.
  if (provider.issuer.startsWith('http:')) allowInsecureRequests(client);
  if (kinds[provider.kind].protocol === 'openid') enableNonRepudiationChecks(client);
  return client;
}

/** Seconds after which openid-client fetches keys again if the signing key is not among them. */
const keysCool = 60;

/**
 * This server as a client for one answer, which `read` checks. If the answer was signed with an
 * unknown key, the keys are fetched again, however recent they are: a code works only once, so a
 * person whose provider has just changed its keys could not try again with it.
 * @throws ProviderFault, and what `read` throws
 */
export async function withAnswerAt<Result>(
  provider: Provider,
  now: Date,
  read: (client: Configuration) => Promise<Result>,
  watch?: Watch,
): Promise<Result> {
  const connection = await connectionAt(provider, now);
  const client = clientOf(provider, connection, watch);
  const { keys } = connection;
  const cooled = Math.floor(now.getTime() / 1000) - keysCool;
  if (keys) setJwksCache(client, { ...keys, uat: Math.min(keys.uat, cooled) });
  try {
    return await read(client);
  } finally {
    connection.keys = getJwksCache(client) ?? keys;
  }
}

/**
 * The keys with which a provider signs what it sends outside a sign-in (logout tokens, identity
 * assertions), and the algorithms it says it signs ID tokens with. Keys are fetched once in ten
 * minutes. An unknown key triggers another fetch at most once in half a minute, because anyone can
 * send one.
 * @throws ProviderFault
 */
export async function keysOfProvider(
  provider: Provider,
  now: Date,
): Promise<{ keys: JWTVerifyGetKey; algorithms: readonly string[] }> {
  const connection = await connectionAt(provider, now);
  const { jwks_uri: address, id_token_signing_alg_values_supported: said } = connection.metadata;
  if (!address) throw new ProviderFault('provider.answer', 'The provider publishes no keys.');
  connection.keySet ??= createRemoteJWKSet(new URL(address), {
    [fetchKeys]: (url, { method, headers }) =>
      askProvider(url, { method, headers: Object.fromEntries(headers) }),
  });
  return { keys: connection.keySet, algorithms: said ?? ['RS256'] };
}

async function discover(provider: Provider, auth: ClientAuth): Promise<ServerMetadata> {
  const insecure = provider.issuer.startsWith('http:') ? [allowInsecureRequests] : [];
  const found = await discovery(new URL(provider.issuer), provider.clientId, {}, auth, {
    [customFetch]: (address, options) => askProvider(address, options),
    execute: insecure,
    timeout: 10,
  }).catch((error: unknown) => {
    const { cause } = error as { cause?: { attribute?: unknown; body?: { issuer?: unknown } } };
    throw cause?.attribute === 'issuer'
      ? calledOtherwise(provider, String(cause.body?.issuer))
      : faultOf(error, 'provider.unreachable');
  });
  const metadata = found.serverMetadata();
  const { issuer } = metadata;
  if (new URL(issuer).href === new URL(provider.issuer).href) return metadata;
  throw calledOtherwise(provider, issuer);
}

const calledOtherwise = (provider: Provider, issuer: string) =>
  new ProviderFault('provider.client', 'The provider states another issuer.', issuer, [
    provider.issuer,
  ]);

/** The endpoints of providers without discovery. */
const endpointsOf = {
  // The same value as in `iss` (RFC 9207).
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

/** Apple takes a JWT, signed with the key it issued, as the secret ("Creating a client secret"). */
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
