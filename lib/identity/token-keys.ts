import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { config } from '../config.ts';
import { type TokenKey, tokenKey } from '../oauth/tokens.ts';
import { once } from '../once.ts';
import { wrongSecret } from '../sealed/seal.ts';
import { sealed } from '../sealed/sealed.ts';
import { longestAccessTokenLife } from '../store/clients.ts';
import { RevisionCache, readRevision } from '../store/engine/revision.ts';
import { readSettings } from '../store/settings.ts';
import {
  deleteTokenKeys,
  listTokenKeys,
  resealTokenKey,
  storeTokenKey,
  type TokenKeyRow,
} from '../store/token-keys.ts';

const day = 24 * 3600_000;
/** Age at which keys are replaced. */
const rotateAfter = 90 * day;
/**
 * A new key is stored before it is used, so that every process has read it even if clocks differ.
 */
const storedBeforeUse = 60_000;

/** 32 random bytes, base64url. */
export const sealedTokenKey = sealed('token-key', z.string(), { max: 1000 });

type TokenKeys = {
  byId: ReadonlyMap<number, TokenKey>;
  newestFirst: readonly { createdAt: Date; retiredAt: Date | null; key: TokenKey }[];
};

const cache = () => once('cache.token-keys', () => new RevisionCache<TokenKeys>(1));
const latest = () => once('token-keys', (): { keys: TokenKeys | null } => ({ keys: null }));

export function tokenKeysAt(revision: number): Promise<TokenKeys> {
  return cache().get('all', revision, async () => {
    const keys = await loadKeys();
    latest().keys = keys;
    return keys;
  });
}

/** The keys this process read last: enough to reject noise before the database is asked. */
export async function knownTokenKeys(): Promise<TokenKeys> {
  return latest().keys ?? tokenKeysAt(await readRevision());
}

/**
 * The key that makes tokens at a given time; deterministic. The very first key is used immediately,
 * and so is the successor of a revoked one: a key replaced long ago makes no tokens.
 */
export function keyInUse({ newestFirst }: TokenKeys, at: Date): TokenKey {
  const isSettled = (moment: Date) => at.getTime() - moment.getTime() >= storedBeforeUse;
  const usable = newestFirst.filter(({ retiredAt }) => !retiredAt || !isSettled(retiredAt));
  const found = usable.find(({ createdAt }) => isSettled(createdAt)) ?? usable.at(-1);
  if (!found) throw new Error('There is no token key.');
  return found.key;
}

async function loadKeys(): Promise<TokenKeys> {
  let rows = await listTokenKeys();
  // Created on demand where our own start didn't run (`next start`, serverless hosts).
  if (rows.length === 0) {
    await makeKey([], new Date());
    rows = await listTokenKeys();
  }
  const newestFirst = await Promise.all(
    rows.map(async (row) => {
      const { id, createdAt, retiredAt } = row;
      return { createdAt, retiredAt, key: tokenKey(id, await open(row)) };
    }),
  );
  return { byId: new Map(newestFirst.map(({ key }) => [key.id, key])), newestFirst };
}

/** @throws ConfigError when the server secret does not open the key */
async function open(row: TokenKeyRow): Promise<Uint8Array> {
  const text = await sealedTokenKey.open(row.sealed);
  if (text === null) throw wrongSecret('token keys');
  return Buffer.from(text, 'base64url');
}

/** Ids per region. The first byte of an id, with which each of its tokens begins, is the region. */
const idsOfRegion = 256;
const regionOf = (id: number) => Math.floor(id / idsOfRegion);

/** The next free id for this region's keys, starting over after the last. Null if all are taken. */
function nextId(existing: readonly TokenKeyRow[]): number | null {
  const { region } = config();
  const first = region * idsOfRegion;
  const own = existing.filter(({ id }) => regionOf(id) === region);
  const current = own.find(({ retiredAt }) => retiredAt === null) ?? own[0];
  const taken = new Set(own.map(({ id }) => id));
  for (let step = 1; step <= idsOfRegion; step += 1) {
    const id = first + (((current?.id ?? first) - first + step) % idsOfRegion);
    if (!taken.has(id)) return id;
  }
  return null;
}

async function makeKey(existing: TokenKeyRow[], now: Date): Promise<number | null> {
  const id = nextId(existing);
  if (id === null) return null;
  const text = await sealedTokenKey.seal(randomBytes(32).toString('base64url'));
  return (await storeTokenKey({ id, sealed: text, createdAt: now })) ? id : null;
}

/**
 * Creates a key if there is none or the newest is too old, and removes keys that made no live
 * token. Called at every start and by the jobs.
 * @throws ConfigError when the server secret does not open the keys
 */
export async function ensureTokenKeys(now: Date): Promise<void> {
  const rows = await listTokenKeys();
  for (const row of rows) {
    const bytes = await open(row);
    if (!sealedTokenKey.isCurrent(row.sealed))
      await resealTokenKey(
        row.id,
        await sealedTokenKey.seal(Buffer.from(bytes).toString('base64url')),
      );
  }
  const newest = rows.find(({ retiredAt }) => retiredAt === null) ?? rows[0];
  const isOver = ({ id, createdAt }: TokenKeyRow) =>
    regionOf(id) !== config().region || now.getTime() - createdAt.getTime() > rotateAfter;
  if (!newest || isOver(newest)) await makeKey(rows, now);
  if (rows.length > 1) await deleteUnneeded(now);
}

/** Client credentials tokens have no row: their key stays for the longest possible lifetime. */
async function deleteUnneeded(now: Date): Promise<void> {
  const { accessTokenTtl } = await readSettings();
  const life = Math.max(accessTokenTtl, await longestAccessTokenLife());
  const overlap = 2 * storedBeforeUse;
  await deleteTokenKeys(new Date(now.getTime() - life * 1000 - overlap), overlap);
}

/** The old one is used for a minute more, and verifies its tokens. Returns the new id. */
export async function rotateTokenKey(now: Date): Promise<number | null> {
  return makeKey(await listTokenKeys(), now);
}

/** Whether the key still existed: revoking a key revokes everything made with it. */
export async function isTrusted(keyId: number, revision: number): Promise<boolean> {
  return (await tokenKeysAt(revision)).byId.has(keyId);
}
