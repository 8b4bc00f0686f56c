import { argon2Family } from './argon2.ts';
import { bcryptFamily } from './bcrypt.ts';
import { digestFamily } from './digest.ts';
import { type Family, foldBlanks, type Hash, type Work } from './hash.ts';
import { pbkdf2Family } from './pbkdf2.ts';
import { phpassFamily } from './phpass.ts';
import { scryptFamily } from './scrypt.ts';
import { shaCryptFamily } from './sha-crypt.ts';

/** Every scheme whose hashes can be used to sign in here. */
const families: readonly Family[] = [
  bcryptFamily,
  argon2Family,
  scryptFamily,
  pbkdf2Family,
  shaCryptFamily,
  phpassFamily,
  digestFamily,
];

/** Longer than the text of any scheme. */
const longestText = 2000;

/** What Dovecot calls schemes whose hashes say themselves what they are. */
const saidTwice = /^\{(?:BLF-CRYPT|SHA256-CRYPT|SHA512-CRYPT|ARGON2(?:ID?)?)\}(?=\$)/;

/**
 * A hash without what programs write before it: Nextcloud its version, Spring Security its own. The
 * name of a scheme in braces is read in any case (RFC 2307 5.3).
 */
const bare = (said: string): string =>
  said
    .replace(/^[123]\|(?=\$)/, '')
    .replace(/^\{([\w-]{1,40})(?:@\w{1,40})?\}/, (_, scheme: string) => `{${scheme.toUpperCase()}}`)
    .replace(saidTwice, '');

/** Parses a hash; null if its scheme is unknown or a check would cost too much. */
export function readHash(said: string): Hash | null {
  if (said.length > longestText) return null;
  const text = bare(said);
  for (const family of families) {
    const hash = family.read(text);
    if (hash) return hash;
  }
  return null;
}

/**
 * The name of the scheme of a hash, also of one that cannot be read; null if it does not say. It
 * has nothing of the hash itself, nor of a password that stands in its place.
 */
export function schemeOf(said: string): string | null {
  const text = said.slice(0, 60);
  const [braces = ''] = /^\{[A-Za-z][\w.-]{0,38}\}/.exec(text) ?? [];
  const [dollars] = /^\$[a-z\d][\w-]{0,15}\$/i.exec(text.slice(braces.length)) ?? [];
  const [word] = /^(?:pbkdf2|scrypt|bcrypt|argon2|sha|md5)\w{0,10}(?=[$:])/.exec(text) ?? [];
  return dollars || braces ? braces + (dollars ?? '') : (word ?? null);
}

/** Told of a kind of work that its primitive refuses, such as parameters that OpenSSL rejects. */
type OnRefused = (kind: string, error: unknown) => void;

/**
 * Compares with a hash (null: with none) and does all of this work. Work that the hash itself does
 * not take is done for nothing, so every password costs the same. Work that a primitive refuses
 * counts as done: one person's hash must never fail everybody's sign-in.
 *
 * A password with a blank that is no U+0020 is compared both folded and as it was typed, since
 * other programs and earlier releases did not fold it. Both are always done, for everybody.
 */
export function compare(password: string, ...rest: Comparison): boolean {
  const spellings = [...new Set([foldBlanks(password), password])];
  return spellings.map((each) => compareOne(each, ...rest)).includes(true);
}

type Comparison = [hash: Hash | null, works: readonly Work[], onRefused: OnRefused];

function compareOne(password: string, ...[hash, works, onRefused]: Comparison): boolean {
  const trying = (kind: string, work: () => boolean): boolean => {
    try {
      return work();
    } catch (error) {
      onRefused(kind, error);
      return false;
    }
  };
  const matches = hash !== null && trying(hash.work.kind, () => hash.matches(password));
  for (const { kind, amount } of works) {
    const rest = kind === hash?.work.kind ? amount - hash.work.amount : amount;
    if (rest > 0) trying(kind, () => spend({ kind, amount: rest }, password));
  }
  return matches;
}

function spend({ kind, amount }: Work, password: string): true {
  families.find(({ name }) => name === kind.split(':')[0])?.spend(kind, amount, password);
  return true;
}

/** Above this amount, a kind is timed by a sixteenth: its units all take the same time. */
const longTrial = 1024;

/** Milliseconds of processor time, or null if its primitive refuses it. */
export function timeWork({ kind, amount }: Work): number | null {
  const part = amount > longTrial ? Math.floor(amount / 16) : amount;
  const before = process.threadCpuUsage();
  try {
    spend({ kind, amount: part }, 'a password of usual length');
  } catch {
    return null;
  }
  const { user, system } = process.threadCpuUsage(before);
  return ((user + system) / 1000) * (amount / part);
}
