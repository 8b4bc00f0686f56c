import { ensureSigningKeys, rotateSigningKeys } from '../identity/signing.ts';
import { audit } from '../store/audit.ts';
import { listKeys as listStored } from '../store/keys.ts';
import { type Actor, eventBy } from './actor.ts';

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
