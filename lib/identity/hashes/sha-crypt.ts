import { hash as hashOnce } from 'node:crypto';
import { cut, littleEndian64 } from './crypt64.ts';
import { type Family, type Hash, numberWithin, same } from './hash.ts';

type Digest = 'sha256' | 'sha512';

/** The order in which the digest's bytes are written: three for each group of four characters. */
const orders: Record<Digest, number[]> = { sha256: orderOf(10, 2), sha512: orderOf(21, 1) };

const form =
  /^(?:\{CRYPT\})?\$([56])\$(?:rounds=(\d+)\$)?([./\dA-Za-z]{1,16})\$([./\dA-Za-z]{43,86})$/;

/** `$5$` and `$6$`: SHA-crypt of Unix (Ulrich Drepper's specification, version 0.6). */
export const shaCryptFamily: Family = {
  name: 'shacrypt',

  read(text): Hash | null {
    const [, mark, said, salt = '', key = ''] = form.exec(text) ?? [];
    const rounds = numberWithin(said ?? '5000', 1000, 1_000_000);
    if (mark === undefined || rounds === null) return null;
    const digest = mark === '5' ? 'sha256' : 'sha512';
    return {
      // The salt's length decides how many blocks are hashed.
      work: { kind: `shacrypt:${digest}:${salt.length}`, amount: rounds },
      matches(password) {
        const { bytes, isWhole } = cut(password);
        const made = written(crypted(digest, bytes, Buffer.from(salt), rounds), digest);
        return same(Buffer.from(made), Buffer.from(key)) && isWhole;
      },
    };
  },

  spend(kind, amount, password) {
    const [, digest, length] = kind.split(':');
    crypted(digest as Digest, cut(password).bytes, Buffer.alloc(Number(length), '.'), amount);
  },
};

function crypted(digest: Digest, password: Buffer, salt: Buffer, rounds: number): Buffer {
  const hash = (...parts: Buffer[]) => hashOnce(digest, Buffer.concat(parts), 'buffer');
  const b = hash(password, salt, password);
  const bits = password.length.toString(2).split('').reverse();
  const byBits = password.length === 0 ? [] : bits.map((bit) => (bit === '1' ? b : password));
  let sum = hash(password, salt, repeated(b, password.length), ...byBits);
  const p = repeated(hash(...Array<Buffer>(password.length).fill(password)), password.length);
  const s = repeated(hash(...Array<Buffer>(16 + (sum[0] ?? 0)).fill(salt)), salt.length);
  for (let round = 0; round < rounds; round += 1) {
    const isOdd = round % 2 === 1;
    const parts = [isOdd ? p : sum];
    if (round % 3 !== 0) parts.push(s);
    if (round % 7 !== 0) parts.push(p);
    parts.push(isOdd ? sum : p);
    sum = hash(...parts);
  }
  return sum;
}

const repeated = (bytes: Buffer, length: number): Buffer => Buffer.alloc(length, bytes);

/** Three bytes, a third of the digest apart, rotated by `turn` against the last group. */
function orderOf(groups: number, turn: number): number[] {
  const order: number[] = [];
  let places = [0, groups, 2 * groups];
  for (let group = 0; group < groups; group += 1) {
    order.push(...places.toReversed());
    places = places.map((_, at) => (places[(at + turn) % 3] ?? 0) + 1);
  }
  return order;
}

function written(bytes: Buffer, digest: Digest): string {
  const rest = digest === 'sha256' ? [30, 31] : [63];
  return littleEndian64(Uint8Array.from([...orders[digest], ...rest], (at) => bytes[at] ?? 0));
}
