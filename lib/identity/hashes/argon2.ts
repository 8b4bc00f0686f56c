import crypto, { randomBytes } from 'node:crypto';
import { bytesIn, type Family, type Hash, numberWithin, same, type Work } from './hash.ts';

const form =
  /^(v1:|argon2)?\$(argon2(?:id|i|d))\$v=19\$m=(\d+),(?:t=(\d+),)?p=(\d+)\$([^$]+)\$([^$]+)$/;

type Cost = { memory: number; passes: number; parallelism: number };

/** The most that a check may use: 256 MiB of memory, and one gigabyte written in all. */
const mostMemory = 256 * 1024;
const mostWritten = 1024 * 1024;

/** Whether this version of Node.js has argon2 (24.7 or later). */
const hasArgon2 = (): boolean => typeof crypto.argon2Sync === 'function';

/** argon2id, argon2i and argon2d, version 19. */
export const argon2Family: Family = {
  name: 'argon2',

  read(text): Hash | null {
    // Authelia before 4.36 leaves `t=1` out.
    const [, prefix, algorithm = '', m, t = '1', p, salt64, tag64] = form.exec(text) ?? [];
    const cost = costOf(m, t, p);
    const [nonce, tag] = [bytesIn(salt64, 8, 64), bytesIn(tag64, 16, 64)];
    if (!hasArgon2() || !cost || !nonce || !tag) return null;
    return {
      // The variants read memory in different orders, so they take different times.
      work: { kind: `argon2:${algorithm}:${m}:${t}:${p}`, amount: 1 },
      matches: (password) =>
        same(
          derive(algorithm, prefix === 'v1:' ? own(password) : password, {
            ...cost,
            nonce,
            tagLength: tag.length,
          }),
          tag,
        ),
    };
  },

  spend(kind, _, password) {
    const [, algorithm = '', m, t, p] = kind.split(':');
    const cost = costOf(m, t, p);
    if (hasArgon2() && cost)
      derive(algorithm, password, { ...cost, nonce: Buffer.alloc(16), tagLength: 32 });
  },
};

function costOf(m?: string, t?: string, p?: string): Cost | null {
  const [passes, parallelism] = [numberWithin(t, 1, 64), numberWithin(p, 1, 16)];
  const memory = numberWithin(m, 8 * (parallelism ?? 1), mostMemory);
  if (!memory || !passes || !parallelism || memory * passes > mostWritten) return null;
  return { memory, passes, parallelism };
}

type Deriving = Cost & { nonce: Buffer; tagLength: number };

function derive(algorithm: string, message: string, deriving: Deriving) {
  return crypto.argon2Sync(algorithm as 'argon2id', { message, ...deriving });
}

const own = (password: string) => password.normalize('NFC');

/** OWASP's second choice, which takes less than half the memory of the first. */
const ownCost: Cost = { memory: 19 * 1024, passes: 2, parallelism: 1 };
const ownText = `${ownCost.memory}:${ownCost.passes}:${ownCost.parallelism}`;
export const ownArgon2Work: Work = { kind: `argon2:argon2id:${ownText}`, amount: 1 };
const ownBeginning = `v1:$argon2id$v=19$m=${ownCost.memory},t=${ownCost.passes},p=${ownCost.parallelism}$`;

export function makeArgon2(password: string): string {
  const nonce = randomBytes(16);
  const tag = derive('argon2id', own(password), { ...ownCost, nonce, tagLength: 32 });
  return `${ownBeginning}${[nonce, tag].map((bytes) => bytes.toString('base64').replace(/={1,2}$/, '')).join('$')}`;
}
