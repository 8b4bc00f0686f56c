import { pbkdf2Sync } from 'node:crypto';
import { bytesIn, bytesInHex, type Family, type Hash, numberWithin, same } from './hash.ts';

/** The digests, and how many bytes each produces. */
const digests = { sha1: 20, sha256: 32, sha512: 64 } as const;
type Digest = keyof typeof digests;

const mostRounds = 2_500_000;

type Said = { digest: string; rounds: string; salt: Buffer | null; key: Buffer | null };

/**
 * PBKDF2 as written by passlib, Authelia, Auth0, Kratos and Discourse (`i=`), LDAP servers,
 * Dovecot, Django, Werkzeug and Mattermost (and, once converted, Keycloak); and as 389 Directory
 * Server, FreeIPA, ASP.NET, Atlassian and Spring do, with all parts in one.
 */
export const pbkdf2Family: Family = {
  name: 'pbkdf2',

  read(text): Hash | null {
    const said = forms.map((form) => form(text)).find((found) => found !== null);
    const rounds = numberWithin(said?.rounds, 1, mostRounds);
    if (!said?.salt || !said.key || !rounds || !(said.digest in digests)) return null;
    const { salt, key } = said;
    const digest = said.digest as Digest;
    // The blocks of the key are independent: comparing the first is enough, and takes equally long
    // for every key.
    const first = key.subarray(0, digests[digest]);
    return {
      work: { kind: `pbkdf2:${digest}`, amount: rounds },
      matches: (password) => same(pbkdf2Sync(password, salt, rounds, first.length, digest), first),
    };
  },

  spend(kind, amount, password) {
    const digest = kind.split(':')[1] as Digest;
    pbkdf2Sync(password, Buffer.alloc(16), amount, digests[digest], digest);
  },
};

function inPasslib(text: string): Said | null {
  const found =
    /^(?:\$pbkdf2(?:-(sha\d+))?\$|\{PBKDF2(?:-(SHA\d+))?\})(?:i=)?(\d+)(?:,l=\d{1,3})?\$([^$]*)\$([^$]+)$/.exec(
      text,
    );
  if (!found) return null;
  const [, inDollars, inBraces, rounds = '', salt, key] = found;
  const digest = (inDollars ?? inBraces ?? 'sha1').toLowerCase();
  return { digest, rounds, salt: bytesIn(salt, 0, 1024), key: bytesIn(key, 16, 512) };
}

function inDjango(text: string): Said | null {
  const found = /^pbkdf2_(sha\d+)\$(\d+)\$([^$]{1,128})\$([^$]+)$/.exec(text);
  if (!found) return null;
  const [, digest = '', rounds = '', salt = '', key] = found;
  return { digest, rounds, salt: Buffer.from(salt), key: bytesIn(key, 16, 512) };
}

function inWerkzeug(text: string): Said | null {
  const found = /^pbkdf2:(sha\d+):(\d+)\$([^$]{1,128})\$([^$]+)$/.exec(text);
  if (!found) return null;
  const [, digest = '', rounds = '', salt = '', key] = found;
  return { digest, rounds, salt: Buffer.from(salt), key: bytesInHex(key, 16, 512) };
}

function inDovecot(text: string): Said | null {
  const found = /^\{PBKDF2\}\$1\$([^$]{1,128})\$(\d+)\$([\da-f]{40})$/.exec(text);
  if (!found) return null;
  const [, salt = '', rounds = '', key] = found;
  return { digest: 'sha1', rounds, salt: Buffer.from(salt), key: bytesInHex(key, 20, 20) };
}

/** The rounds in 4 bytes, the salt in 64, the key in 256. */
function in389(text: string): Said | null {
  const [, encoded] = /^\{PBKDF2_SHA256\}([A-Za-z\d+/]{432})$/.exec(text) ?? [];
  const bytes = bytesIn(encoded, 324, 324);
  if (!bytes) return null;
  const rounds = String(bytes.readUInt32BE(0));
  return { digest: 'sha256', rounds, salt: bytes.subarray(4, 68), key: bytes.subarray(68) };
}

/** ASP.NET Core Identity: a version, in 3 also digest, rounds and length of the salt, then both. */
function inAspNet(text: string): Said | null {
  const bytes = /^A[A-Za-z\d+/]{64,400}={0,2}$/.test(text) ? bytesIn(text, 49, 300) : null;
  if (bytes?.[0] === 0 && bytes.length === 49)
    return { digest: 'sha1', rounds: '1000', salt: bytes.subarray(1, 17), key: bytes.subarray(17) };
  if (bytes?.[0] !== 1) return null;
  const [digest = '', end] = [
    Object.keys(digests)[bytes.readUInt32BE(1)],
    13 + bytes.readUInt32BE(9),
  ];
  const [salt, key] = [bytes.subarray(13, end), bytes.subarray(end)];
  const isWhole = salt.length >= 8 && key.length >= 16;
  return isWhole ? { digest, rounds: String(bytes.readUInt32BE(5)), salt, key } : null;
}

/** Atlassian’s Crowd, Confluence and Jira: a salt of 16 bytes and the key as one. */
function inAtlassian(text: string): Said | null {
  const bytes = bytesIn(/^\{PKCS5S2\}([A-Za-z\d+/]{64})$/.exec(text)?.[1], 48, 48);
  return bytes && { ...apart(bytes, 16), digest: 'sha1', rounds: '10000' };
}

/** Spring Security without a secret of its own, since 5.8 and before: the salt and the key as one. */
function inSpring(text: string): Said | null {
  const bytes = bytesInHex(/^\{PBKDF2\}([\da-f]{80}|[\da-f]{96})$/.exec(text)?.[1], 40, 48);
  if (bytes?.length === 48) return { ...apart(bytes, 16), digest: 'sha256', rounds: '310000' };
  return bytes && { ...apart(bytes, 8), digest: 'sha1', rounds: '185000' };
}
const apart = (bytes: Buffer, at: number) => ({
  salt: bytes.subarray(0, at),
  key: bytes.subarray(at),
});

/** Mattermost since 11: the PHC string format with names of its own. */
function inMattermost(text: string): Said | null {
  const found = /^\$pbkdf2\$f=(SHA\d+),w=(\d+),l=\d{1,3}\$([^$]+)\$([^$]+)$/.exec(text);
  if (!found) return null;
  const [, digest = '', rounds = '', salt, key] = found;
  return {
    digest: digest.toLowerCase(),
    rounds,
    salt: bytesIn(salt, 0, 1024),
    key: bytesIn(key, 16, 512),
  };
}

const forms = [
  inPasslib,
  inDjango,
  inWerkzeug,
  inDovecot,
  in389,
  inAspNet,
  inAtlassian,
  inSpring,
].concat(inMattermost);
