import { hash as hashOnce } from 'node:crypto';
import { alphabet, cut, littleEndian64 } from './crypt64.ts';
import { type Family, type Hash, same } from './hash.ts';

const mostRounds = 2 ** 18;

/** By the letter that says so: the digest, and how many characters of the hash are kept. */
const schemes: Record<string, ['md5' | 'sha512', number]> = {
  P: ['md5', 22],
  H: ['md5', 22],
  S: ['sha512', 43],
};

/** WordPress before 6.8 (`$P$`), phpBB (`$H$`) and Drupal before 10.1 (`$S$`, SHA-512). */
export const phpassFamily: Family = {
  name: 'phpass',

  read(text): Hash | null {
    const [, mark = '', letter = '', salt = '', key = ''] =
      /^\$([PHS])\$([./\dA-Za-z])([./\dA-Za-z]{8})([./\dA-Za-z]{22,43})$/.exec(text) ?? [];
    const [digest, length] = schemes[mark] ?? ['md5', 0];
    const rounds = 2 ** alphabet.indexOf(letter);
    if (key.length !== length || rounds < 2 ** 7 || rounds > mostRounds) return null;
    return {
      work: { kind: digest === 'md5' ? 'phpass' : `phpass:${digest}`, amount: rounds },
      matches(password) {
        const { bytes, isWhole } = cut(digest === 'md5' ? phpTrim(password) : password);
        const made = littleEndian64(stretched(digest, salt, bytes, rounds)).slice(0, length);
        return same(Buffer.from(made), Buffer.from(key)) && isWhole;
      },
    };
  },

  spend(kind, amount, password) {
    const [, digest = 'md5'] = kind.split(':');
    stretched(digest, '........', cut(password).bytes, amount);
  },
};

function stretched(digest: string, salt: string, password: Buffer, rounds: number): Buffer {
  const hash = (before: Buffer) => hashOnce(digest, Buffer.concat([before, password]), 'buffer');
  let sum = hash(Buffer.from(salt));
  for (let round = 0; round < rounds; round += 1) sum = hash(sum);
  return sum;
}

/** PHP's `trim`, which WordPress applies to each password. */
export const phpTrim = (text: string): string =>
  text.replace(/^[ \t\n\r\0\v]+|(?<![ \t\n\r\0\v])[ \t\n\r\0\v]+$/g, '');
