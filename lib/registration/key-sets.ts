import type { Sender } from '../http/network.ts';
import { type Fetched, FetchFailed, fetchDocument } from '../http/outgoing.ts';
import type { Client, FederatedCredential } from '../oauth/client.ts';
import type { AssertionFault } from '../oauth/client-assertion.ts';
import { freshSeconds } from '../oauth/client-document.ts';
import { jwksUriFault } from '../oauth/client-links.ts';
import { PageRefusal } from '../oauth/errors.ts';
import { type ClientKey, hasKey, readKeySet } from '../oauth/key-set.ts';
import { once } from '../once.ts';
import { readSettings } from '../store/settings.ts';
import { refreshed } from './document-clients.ts';
import { longestWithKeys } from './documents.ts';
import { type Budget, reserveFetch } from './fetch-limits.ts';

/*
 * The keys of clients, and of issuers that vouch for clients. Keys at an address are read through
 * the HTTP client that protects the operator's network, with one fetch at a time per address and
 * budget, and cached in each process.
 */

type Asker = Sender & { id: string };
/** The context of a key lookup: the request that causes it, the time, and who named the address. */
type Call = { asker: Asker; now: Date; budget: Budget };
type Keys = readonly ClientKey[];
/** Keys, or why there are none. */
type Found = { keys: Keys } | { fault: AssertionFault };

type Held = {
  keys: Keys | null;
  fault: AssertionFault | null;
  /**
   * In milliseconds: when it was last looked up, until when it is fresh, and until when it may
   * still be used while its host is unreachable.
   */
  lookedAt: number;
  staleAt: number;
  usableUntil: number;
};
type Memory = { held: Map<string, Held>; underWay: Map<string, Promise<Held>> };

/** The maximum number of key sets kept in memory, at up to 16 KB each. */
const mostHeld = 500;
/** Milliseconds between two fetches from one address, however many key ids a sender makes up. */
const pause = 30_000;

const memory = () => once('client-keys', (): Memory => ({ held: new Map(), underWay: new Map() }));

/** Parsed key sets stored with clients. A client remains the same object while nothing changes. */
const registered = new WeakMap<Client, Found>();

/**
 * The keys with which a client proves its identity.
 * @param kid the key that is wanted. If it is unknown, the set is fetched again, within limits.
 */
export async function keysOfClient(
  client: Client,
  kid: string | undefined,
  asker: Asker,
  now: Date,
): Promise<Found> {
  const current = client.origin === 'document' ? await asItIsNow(client, asker, now) : client;
  if ('fault' in current) return current;
  const { jwks, jwksUri, origin } = current;
  if (jwks !== null) return keysRegistered(current, jwks);
  if (jwksUri === null) return { fault: unreadable('a client without keys') };
  const budget = origin === 'admin' ? 'admins' : 'strangers';
  return keysAt(jwksUri, kid, { asker, now, budget });
}

/**
 * The client as its document describes it now. A key that was taken out of the document is no
 * longer valid, and neither is one at an address that the document no longer names.
 */
async function asItIsNow(
  client: Client,
  { address, isShared, id: requestId }: Asker,
  now: Date,
): Promise<Client | { fault: AssertionFault }> {
  try {
    const settings = await readSettings();
    const seeking = { address, isShared, requestId, settings };
    return await refreshed(client, seeking, now, longestWithKeys);
  } catch (error) {
    if (!(error instanceof PageRefusal)) throw error;
    return { fault: unreadable(error.reason) };
  }
}

function keysRegistered(client: Client, jwks: string): Found {
  const before = registered.get(client);
  if (before) return before;
  const read = readKeySet(jwks);
  const found = 'keys' in read ? read : { fault: unreadable(read.fault.english) };
  registered.set(client, found);
  return found;
}

/**
 * The keys of an issuer whose JWTs prove a client's identity: from the address that an admin gave,
 * or from the one that the issuer's metadata names (OpenID Connect Discovery section 4).
 */
export async function keysOfIssuer(
  { issuer, keys }: Pick<FederatedCredential, 'issuer' | 'keys'>,
  kid: string | undefined,
  asker: Asker,
  now: Date,
): Promise<Found> {
  const call: Call = { asker, now, budget: 'admins' };
  return keys === null
    ? keysAt(`issuer ${issuer}`, kid, call, () => readByMetadata(issuer, call))
    : keysAt(keys, kid, call);
}

async function keysAt(
  uri: string,
  kid: string | undefined,
  call: Call,
  ask: Asking = () => readSet(uri, call),
): Promise<Found> {
  const at = call.now.getTime();
  const before = memory().held.get(uri) ?? null;
  const isRight = before?.keys && at < before.staleAt && hasKey(before.keys, kid);
  const mayLook = !before || at - before.lookedAt >= pause || at < before.lookedAt;
  const held = isRight || !mayLook ? before : await look(uri, before, ask, call);
  if (held?.keys && at < held.usableUntil) return { keys: held.keys };
  return { fault: held?.fault ?? unreadable('nothing') };
}

/** Fetches a key set. `null`: no place is free for it now. */
type Asking = () => Promise<{ read: ReturnType<typeof readKeySet>; freshFor: number } | null>;

/** Per budget: a stranger's fetch without a free place must not fail an admin's. */
function look(uri: string, before: Held | null, ask: Asking, { now, budget }: Call): Promise<Held> {
  const { underWay } = memory();
  const name = `${budget} ${uri}`;
  const running = underWay.get(name);
  if (running) return running;
  const looking = lookOnce(uri, before, ask, now).finally(() => underWay.delete(name));
  underWay.set(name, looking);
  return looking;
}

async function lookOnce(uri: string, before: Held | null, ask: Asking, now: Date): Promise<Held> {
  const lookedAt = now.getTime();
  const last = before ?? nothing(lookedAt);
  try {
    const asked = await ask();
    // The host was not asked, so the next request may ask it.
    if (!asked) return { ...last, fault: unreadable('too many key sets are being fetched') };
    const { read, freshFor } = asked;
    // The host answered with something else than keys, so its earlier keys are no longer valid.
    if ('fault' in read)
      return remember(uri, { ...nothing(lookedAt), fault: unreadable(read.fault.english) });
    const usableUntil = lookedAt + longestWithKeys;
    return remember(uri, {
      ...nothing(lookedAt),
      keys: read.keys,
      staleAt: Math.min(lookedAt + freshFor * 1000, usableUntil),
      usableUntil,
    });
  } catch (error) {
    if (!(error instanceof FetchFailed)) throw error;
    return remember(uri, { ...last, lookedAt, fault: unreadable(error.message) });
  }
}

async function readSet(uri: string, call: Call): ReturnType<Asking> {
  const fetched = await fetchAt(uri, 'key set', call);
  if (!fetched) return null;
  const { text, cacheControl, age } = fetched;
  return { read: readKeySet(text), freshFor: freshSeconds(cacheControl, age) };
}

/** An issuer's metadata says where its keys are, and must name the issuer asked (section 4.3). */
async function readByMetadata(issuer: string, call: Call): ReturnType<Asking> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const fetched = await fetchAt(address, 'issuer metadata', call);
  if (!fetched) return null;
  const said = membersOf(fetched.text);
  if (said.issuer !== issuer)
    throw new FetchFailed(`its metadata names the issuer ${JSON.stringify(said.issuer)}`);
  const { jwks_uri: uri } = said;
  if (typeof uri !== 'string' || jwksUriFault(uri) !== null)
    throw new FetchFailed('its metadata has no jwks_uri that begins with https://');
  return readSet(uri, call);
}

function membersOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Thrown below.
  }
  throw new FetchFailed('its metadata is no JSON object');
}

async function fetchAt(
  uri: string,
  kind: 'key set' | 'issuer metadata',
  { asker, now, budget }: Call,
): Promise<Fetched | null> {
  const place = await reserveFetch(new URL(uri).hostname, asker, now, budget);
  if (!place || 'refusedUntil' in place) return null;
  try {
    const fetched = await fetchDocument(uri, null, asker.id, kind);
    if (fetched.status !== 200) throw new FetchFailed(`status ${fetched.status}`);
    return fetched;
  } finally {
    place.giveBack();
  }
}

const nothing = (lookedAt: number): Held => ({
  keys: null,
  fault: null,
  lookedAt,
  staleAt: 0,
  usableUntil: 0,
});

function remember(uri: string, found: Held): Held {
  const { held } = memory();
  held.delete(uri);
  const [oldest] = held.keys();
  if (held.size >= mostHeld && oldest !== undefined) held.delete(oldest);
  held.set(uri, found);
  return found;
}

const unreadable = (received: string): AssertionFault => ({
  reason: 'The keys to check the client assertion with cannot be read.',
  facts: {
    rule: 'client-assertion.keys-unreadable',
    received,
    expected: ['a JWK Set of at most 16 KB by https, within 5 seconds, no redirect'],
  },
});
