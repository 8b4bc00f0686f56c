import { createHash } from 'node:crypto';
import { bytesIn, type Family, type Hash, same } from './hash.ts';

const lengths = { md5: 16, sha1: 20, sha256: 32, sha384: 48, sha512: 64 } as const;
type Digest = keyof typeof lengths;

/** Names that are not the digest's own: RFC 2307 says SHA, Dovecot has its own MD5 besides. */
const others: Record<string, Digest> = { sha: 'sha1', 'ldap-md5': 'md5' };

/** Digests of LDAP servers: `{SSHA}` and such with their salt; `{SHA}`, `{MD5}` without. */
export const digestFamily: Family = {
  name: 'digest',

  read(text): Hash | null {
    const [, salted, said = '', encoded] =
      /^\{(S?)((?:LDAP-)?MD5|SHA(?:1|256|384|512)?)\}([A-Za-z\d+/]+={0,2})$/.exec(text) ?? [];
    const name = said.toLowerCase();
    const digest = others[name] ?? (name as Digest);
    if (encoded === undefined) return null;
    const [least, most] = salted ? [4, 64] : [0, 0];
    const bytes = bytesIn(encoded, lengths[digest] + least, lengths[digest] + most);
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
