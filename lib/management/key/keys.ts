import { ensureSigningKeys, replaceSigningKey, rotateSigningKeys } from '../../identity/signing.ts';
import { ensureTokenKeys, rotateTokenKey } from '../../identity/token-keys.ts';
import { sentence } from '../../messages/sentence.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import { audit } from '../../store/audit.ts';
import { deleteKey, listKeys as listStored } from '../../store/keys.ts';
import { deleteTokenKey, listTokenKeys as listStoredTokenKeys } from '../../store/token-keys.ts';
import { refuseAdmin } from '../refusal.ts';

/** A signing key, without key material. */
export type SigningKeyRecord = {
  kid: string;
  alg: string;
  createdAt: Date;
  retiredAt: Date | null;
};

/** Signing keys and the ones they replaced, newest first. */
export async function listKeys(): Promise<SigningKeyRecord[]> {
  return (await listStored()).map(({ kid, alg, createdAt, retiredAt }) => ({
    kid,
    alg,
    createdAt,
    retiredAt,
  }));
}

/** A key that codes and tokens are MACed with. */
export type TokenKeyRecord = Omit<SigningKeyRecord, 'alg'>;

const nameOf = (id: number) => `tokens-${id}`;

/** Token keys and the ones they replaced, newest first. */
export async function listTokenKeys(): Promise<TokenKeyRecord[]> {
  return (await listStoredTokenKeys()).map(({ id, createdAt, retiredAt }) => ({
    kid: nameOf(id),
    createdAt,
    retiredAt,
  }));
}

/**
 * Rotates the signing keys and the token key. The old ones stay while anything they signed may be
 * valid. Returns the new signing keys.
 * @throws ConfigError
 */
export async function rotateKeys(actor: Actor, now: Date): Promise<SigningKeyRecord[]> {
  // Detects a wrong server secret before retiring a key that only the right one opens.
  await ensureSigningKeys(now);
  await ensureTokenKeys(now);
  const kids = await rotateSigningKeys(now);
  const tokenKey = await rotateTokenKey(now);
  const all = tokenKey === null ? kids : [...kids, nameOf(tokenKey)];
  await audit(eventBy(actor, 'keys.rotated', { detail: { kids: all } }), now);
  return (await listKeys()).filter((key) => kids.includes(key.kid));
}

/**
 * Revokes a compromised key immediately and everywhere: it stops signing, leaves the key set, and
 * ID tokens that it signed are no longer accepted as hints. If it was the signing key, a new one
 * replaces it immediately. Revoking a token key ends everything made with it. Returns the remaining
 * signing keys.
 * @throws AdminRefusal, ConfigError
 */
export async function revokeKey(kid: string, actor: Actor, now: Date): Promise<SigningKeyRecord[]> {
  await ensureSigningKeys(now);
  if (kid.startsWith(nameOf(0).slice(0, -1))) return revokeTokenKey(kid, actor, now);
  const key = (await listStored()).find((row) => row.kid === kid);
  const unknown = () =>
    refuseAdmin(null, sentence('refused.signingKey.missing', { kid: kid.slice(0, 80) }), 'missing');
  if (!key) return unknown();
  await replaceSigningKey(key, now);
  const event = eventBy(actor, 'keys.revoked', { detail: { kid, alg: key.alg } });
  return (await deleteKey(kid, event, now)) ? listKeys() : unknown();
}

async function revokeTokenKey(kid: string, actor: Actor, now: Date): Promise<SigningKeyRecord[]> {
  await ensureTokenKeys(now);
  const key = (await listStoredTokenKeys()).find(({ id }) => nameOf(id) === kid);
  if (key?.retiredAt === null) await rotateTokenKey(now);
  const event = eventBy(actor, 'keys.revoked', { detail: { kid } });
  return key && (await deleteTokenKey(key.id, event, now))
    ? listKeys()
    : refuseAdmin(null, sentence('refused.key.missing', { kid: kid.slice(0, 80) }), 'missing');
}
