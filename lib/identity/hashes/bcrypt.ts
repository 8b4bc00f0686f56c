import { createHash, createHmac } from 'node:crypto';
import bcrypt from 'bcryptjs';
import type { Family, Hash } from './hash.ts';
import { phpTrim } from './phpass.ts';

/**
 * Our own: hashed first, because bcrypt reads at most 72 bytes and every character should count.
 */
const own = (password: string) =>
  createHash('sha256').update(password.normalize('NFC')).digest('base64');

/** WordPress 6.8 and later. */
const wordpress = (password: string) =>
  createHmac('sha384', 'wp-sha384').update(phpTrim(password)).digest('base64');

const djangoSha256 = (password: string) => createHash('sha256').update(password).digest('hex');

const asItIs = (password: string) => password;

/** The prefixes of bcrypt hashes, and what happens to the password before bcrypt sees it. */
const before: Record<string, (password: string) => string> = {
  'v1:': own,
  $wp: wordpress,
  bcrypt$: asItIs,
  bcrypt_sha256$: djangoSha256,
  '{BCRYPT}': asItIs,
  '{CRYPT}': asItIs,
  '': asItIs,
};

const form =
  /^(v1:|\$wp|bcrypt\$|bcrypt_sha256\$|\{BCRYPT\}|\{CRYPT\})?(\$2[aby]\$(\d\d)\$[./\dA-Za-z]{53})$/;

/** bcrypt, with the preprocessing that WordPress, Django and we apply to passwords. */
export const bcryptFamily: Family = {
  name: 'bcrypt',

  read(text): Hash | null {
    const [, prefix = '', hash, digits] = form.exec(text) ?? [];
    const [prepare, cost] = [before[prefix], Number(digits)];
    if (!prepare || !hash || cost < 4 || cost > 15) return null;
    return {
      work: { kind: 'bcrypt', amount: 2 ** cost },
      matches: (password) => bcrypt.compareSync(prepare(password), hash),
    };
  },

  // Work is 2 ** cost, so the difference to a higher cost is a sum of such powers.
  spend(_, amount, password) {
    for (let cost = 4; 2 ** cost <= amount; cost += 1)
      if (Math.floor(amount / 2 ** cost) % 2 === 1)
        bcrypt.hashSync(own(password), `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(22)}`);
  },
};

export const makeBcrypt = (password: string, cost: number): string =>
  `v1:${bcrypt.hashSync(own(password), cost)}`;
