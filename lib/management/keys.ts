import { ensureSigningKeys, replaceSigningKey, rotateSigningKeys } from '../identity/signing.ts';
import { audit } from '../store/audit.ts';
import { deleteKey, listKeys as listStored } from '../store/keys.ts';
import { type Actor, eventBy } from './actor.ts';
import { refuseAdmin } from './refusal.ts';

/** A signing key, without its halves. */
export type SigningKeyRecord = {
  kid: string;
  alg: string;
  createdAt: Date;
  retiredAt: Date | null;
};

/** The keys that sign, and those they replaced; the newest first. */
export async function listKeys(): Promise<SigningKeyRecord[]> {
  return (await listStored()).map(({ kid, alg, createdAt, retiredAt }) => ({
    kid,
    alg,
    createdAt,
    retiredAt,
  }));
}

/** Replaces the signing keys; the old ones stay published while something they signed may live. @throws ConfigError */
export async function rotateKeys(actor: Actor, now: Date): Promise<SigningKeyRecord[]> {
  // A wrong server secret is found before a key is retired that only the right one opens.
  await ensureSigningKeys(now);
  const kids = await rotateSigningKeys(now);
  await audit(eventBy(actor, 'keys.rotated', { detail: { kids } }), now);
  return (await listKeys()).filter((key) => kids.includes(key.kid));
}

/**
 * Ends a key at once and everywhere, for one that others may have: it signs no more, leaves the key
 * set, and ID tokens it signed are no hint any more. Where it signed, a new key takes its place and
 * signs at once. Gives the keys that are left.
 * @throws AdminRefusal, ConfigError
 */
export async function revokeKey(kid: string, actor: Actor, now: Date): Promise<SigningKeyRecord[]> {
  await ensureSigningKeys(now);
  const key = (await listStored()).find((row) => row.kid === kid);
  const unknown = () => refuseAdmin(null, `There is no signing key "${kid.slice(0, 80)}".`);
  if (!key) return unknown();
  await replaceSigningKey(key, now);
  const event = eventBy(actor, 'keys.revoked', { detail: { kid, alg: key.alg } });
  return (await deleteKey(kid, event, now)) ? listKeys() : unknown();
}
