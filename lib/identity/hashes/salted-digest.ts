import { createHash } from 'node:crypto';
import { bytesIn, type Family, type Hash, same } from './hash.ts';

const lengths = { sha1: 20, sha256: 32, sha512: 64 } as const;
type Digest = keyof typeof lengths;

/** `{SSHA}`, `{SSHA256}` and `{SSHA512}` of LDAP servers: a digest followed by its salt. */
export const saltedDigestFamily: Family = {
  name: 'digest',

  read(text): Hash | null {
    const [, size, encoded] = /^\{SSHA(256|512)?\}([A-Za-z\d+/]+={0,2})$/.exec(text) ?? [];
    const digest: Digest = size === undefined ? 'sha1' : (`sha${size}` as Digest);
    const bytes = bytesIn(encoded, lengths[digest] + 4, lengths[digest] + 64);
    if (!bytes) return null;
    const key = bytes.subarray(0, lengths[digest]);
    const salt = bytes.subarray(lengths[digest]);
    return {
      work: { kind: `digest:${digest}`, amount: 1 },
      matches: (password) => same(digested(digest, password, salt), key),
    };
  },

  spend(kind, _, password) {
    digested(kind.split(':')[1] as Digest, password, Buffer.alloc(16));
  },
};

const digested = (digest: Digest, password: string, salt: Buffer) =>
  createHash(digest).update(password).update(salt).digest();
