import type { Sender } from '../http/network.ts';
import { FetchFailed, fetchDocument } from '../http/outgoing.ts';
import type { Client } from '../oauth/client.ts';
import type { AssertionFault } from '../oauth/client-assertion.ts';
import { freshSeconds } from '../oauth/client-document.ts';
import { type ClientKey, hasKey, readKeySet } from '../oauth/key-set.ts';
import { once } from '../once.ts';
import { takePlace } from './fetch-limits.ts';

/*
 * The keys of clients. Those at a jwks_uri are read by the client that the operator's network is guarded
 * with, at most once at a time, and kept for a while in each process.
 */

type Asker = Sender & { id: string };
type Keys = readonly ClientKey[];
type Found = { keys: Keys } | { fault: AssertionFault };

type Held = {
  keys: Keys | null;
  fault: AssertionFault | null;
  /** Milliseconds: when it was looked for, until when it is believed, and used while its host is away. */
  lookedAt: number;
  staleAt: number;
  usableUntil: number;
};
type Memory = { held: Map<string, Held>; underWay: Map<string, Promise<Held>> };

/** Sets that are remembered, at up to 16 KB each. */
const mostHeld = 500;
/** Milliseconds between two looks at an address, whatever names of keys somebody invents. */
const pause = 30_000;
/** Milliseconds: a key that its client has taken back works no longer than this. */
const longest = 3_600_000;

const memory = () => once('client-keys', (): Memory => ({ held: new Map(), underWay: new Map() }));

/** The registered sets as they were read; clients are the same objects while nothing changes. */
const registered = new WeakMap<Client, Found>();

/**
 * The keys by which a client proves itself.
 * @param kid the key that is wanted: one that is not known is looked for again, within limits
 */
export async function keysOf(
  client: Client,
  kid: string | undefined,
  asker: Asker,
  now: Date,
): Promise<Found> {
  const { jwks, jwksUri } = client;
  if (jwks !== null) return keysRegistered(client, jwks);
  if (jwksUri === null) throw new Error('A client without keys has none.');
  return keysAt(jwksUri, kid, asker, now);
}

function keysRegistered(client: Client, jwks: string): Found {
  const before = registered.get(client);
  if (before) return before;
  const read = readKeySet(jwks);
  const found = 'keys' in read ? read : { fault: unreadable(read.fault.english) };
  registered.set(client, found);
  return found;
}

async function keysAt(
  uri: string,
  kid: string | undefined,
  asker: Asker,
  now: Date,
): Promise<Found> {
  const at = now.getTime();
  const before = memory().held.get(uri) ?? null;
  const isRight = before?.keys && at < before.staleAt && hasKey(before.keys, kid);
  const mayLook = !before || at - before.lookedAt >= pause || at < before.lookedAt;
  const held = isRight || !mayLook ? before : await look(uri, before, asker, now);
  if (held?.keys && at < held.usableUntil) return { keys: held.keys };
  return { fault: held?.fault ?? unreadable('nothing') };
}

/** One look at a time, however many ask. */
function look(uri: string, before: Held | null, asker: Asker, now: Date): Promise<Held> {
  const { underWay } = memory();
  const running = underWay.get(uri);
  if (running) return running;
  const looking = lookOnce(uri, before, asker, now).finally(() => underWay.delete(uri));
  underWay.set(uri, looking);
  return looking;
}

async function lookOnce(uri: string, before: Held | null, asker: Asker, now: Date): Promise<Held> {
  const lookedAt = now.getTime();
  const last = before ?? nothing(lookedAt);
  const place = await takePlace(new URL(uri).hostname, asker, now);
  // Nobody has looked, so that the next may.
  if (!place || 'refusedUntil' in place)
    return { ...last, fault: unreadable('too many key sets are being fetched') };
  try {
    const { status, text, cacheControl, age } = await fetchDocument(uri, null, asker.id, 'key set');
    if (status !== 200) throw new FetchFailed(`status ${status}`);
    const read = readKeySet(text);
    // What its host says is not what it said before: the keys of before are no longer the client's.
    if ('fault' in read)
      return remember(uri, { ...nothing(lookedAt), fault: unreadable(read.fault.english) });
    const staleAt = lookedAt + freshSeconds(cacheControl, age) * 1000;
    const usableUntil = lookedAt + longest;
    return remember(uri, {
      ...nothing(lookedAt),
      keys: read.keys,
      staleAt: Math.min(staleAt, usableUntil),
      usableUntil,
    });
  } catch (error) {
    if (!(error instanceof FetchFailed)) throw error;
    return remember(uri, { ...last, lookedAt, fault: unreadable(error.message) });
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
  reason: 'The keys of the client cannot be read.',
  facts: {
    rule: 'client-assertion.keys-unreadable',
    received,
    expected: ['a JWK Set of at most 16 KB by https, within 5 seconds, no redirect'],
  },
});
