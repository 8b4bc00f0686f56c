import { hash as hashOnce } from 'node:crypto';
import { alphabet, cut, littleEndian64 } from './crypt64.ts';
import { type Family, type Hash, same } from './hash.ts';

const mostRounds = 2 ** 18;

/** Portable hashes of phpass: WordPress before 6.8 (`$P$`) and phpBB (`$H$`). */
export const phpassFamily: Family = {
  name: 'phpass',

  read(text): Hash | null {
    const [, letter = '', salt = '', key = ''] =
      /^\$[PH]\$([./\dA-Za-z])([./\dA-Za-z]{8})([./\dA-Za-z]{22})$/.exec(text) ?? [];
    const rounds = 2 ** alphabet.indexOf(letter);
    if (letter === '' || rounds < 2 ** 7 || rounds > mostRounds) return null;
    return {
      work: { kind: 'phpass', amount: rounds },
      matches(password) {
        const { bytes, isWhole } = cut(phpTrim(password));
        const made = littleEndian64(stretched(salt, bytes, rounds));
        return same(Buffer.from(made), Buffer.from(key)) && isWhole;
      },
    };
  },

  spend(_, amount, password) {
    stretched('........', cut(password).bytes, amount);
  },
};

function stretched(salt: string, password: Buffer, rounds: number): Buffer {
  const md5 = (before: Buffer) => hashOnce('md5', Buffer.concat([before, password]), 'buffer');
  let sum = md5(Buffer.from(salt));
  for (let round = 0; round < rounds; round += 1) sum = md5(sum);
  return sum;
}

/** PHP's `trim`, which WordPress applies to each password. */
export const phpTrim = (text: string): string =>
  text.replace(/^[ \t\n\r\0\v]+|(?<![ \t\n\r\0\v])[ \t\n\r\0\v]+$/g, '');
