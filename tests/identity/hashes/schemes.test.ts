import { expect, test } from 'vitest';
import { makeArgon2 } from '#lib/identity/hashes/argon2.ts';
import { makeBcrypt } from '#lib/identity/hashes/bcrypt.ts';
import { compare, readHash } from '#lib/identity/hashes/table.ts';
import { firebase, originalPassword, originals } from './originals.ts';

test.each(Object.entries(originals))('password hash %s accepts only its password', (_, text) => {
  const hash = readHash(text);
  expect(hash?.matches(originalPassword)).toBe(true);
  expect(hash?.matches(`${originalPassword}.`)).toBe(false);
  expect(hash?.matches('')).toBe(false);
});

test('the password hash of Firebase’s scrypt accepts its password and no other', () => {
  const hash = readHash(firebase.hash);
  expect(hash?.matches(firebase.password)).toBe(true);
  expect(hash?.matches('user2password')).toBe(false);
});

test('own password hashes use every character of a long password, in Unicode normal form', () => {
  const long = 'é'.repeat(200);
  for (const text of [makeBcrypt(`${long}1`, 4), makeArgon2(`${long}1`)]) {
    expect(readHash(text)?.matches(`${long.normalize('NFD')}1`)).toBe(true);
    expect(readHash(text)?.matches(`${long}2`)).toBe(false);
  }
});

test('a WordPress password hash ignores white space around the password, as PHP’s trim does', () => {
  for (const name of ['PHP, the lines of WordPress 6.8', 'passlib phpass $P$'])
    expect(readHash(originals[name] ?? '')?.matches(` ${originalPassword}\n\0`)).toBe(true);
});

const salt = 'AAAAAAAAAAAAAAAAAAAAAA';
const key = 'A'.repeat(43);
test.each([
  ['bcrypt of cost 16', `$2b$16$${'a'.repeat(53)}`],
  ['bcrypt of cost 3', `$2b$03$${'a'.repeat(53)}`],
  ['bcrypt with a bug ($2x$)', `$2x$10$${'a'.repeat(53)}`],
  ['argon2 of 512 MiB', `$argon2id$v=19$m=524288,t=1,p=1$${salt}$${key}`],
  ['argon2 of 128 MiB, nine times', `$argon2id$v=19$m=131072,t=9,p=1$${salt}$${key}`],
  ['argon2 of 17 lanes', `$argon2id$v=19$m=65536,t=1,p=17$${salt}$${key}`],
  ['argon2 without passes', `$argon2id$v=19$m=65536,t=0,p=1$${salt}$${key}`],
  ['argon2 of version 16', `$argon2id$v=16$m=65536,t=1,p=1$${salt}$${key}`],
  ['argon2 with a number in another form', `$argon2id$v=19$m=065536,t=1,p=1$${salt}$${key}`],
  ['scrypt of 512 MiB', `$scrypt$ln=19,r=8,p=1$${salt}$${key}`],
  ['scrypt of N that is no power of two', `scrypt:32767:8:1$salt$${'ab'.repeat(32)}`],
  ['scrypt of 64 MiB, nine times', `$scrypt$ln=16,r=8,p=9$${salt}$${key}`],
  ['PBKDF2 of three million rounds', `$pbkdf2-sha256$3000000$${salt}$${key}`],
  ['PBKDF2 of no rounds', `$pbkdf2-sha256$0$${salt}$${key}`],
  ['PBKDF2 by SHA-224', `pbkdf2_sha224$1000$salt$${key}=`],
  ['PBKDF2 with a key of one byte', `$pbkdf2-sha256$1000$${salt}$AA`],
  ['phpass of 2^19 rounds', `$P$H${'a'.repeat(30)}`],
  ['SHA-crypt of more than a million rounds', `$6$rounds=1000001$salt$${'a'.repeat(86)}`],
  ['{SSHA} without salt', `{SSHA}${Buffer.alloc(20).toString('base64')}`],
  ['plain text', 'secret'],
  ['MD5', '5f4dcc3b5aa765d61d8327deb882cf99'],
  ['nothing', ''],
])('an unknown or too expensive password hash is refused: %s', (_, text) => {
  expect(readHash(text)).toBeNull();
});

test('a comparison takes the work of the dearest hash, whatever the hash itself takes', () => {
  const works = [
    { kind: 'pbkdf2:sha512', amount: 60_000 },
    { kind: 'shacrypt:sha512:16', amount: 6000 },
    { kind: 'bcrypt', amount: 2 ** 8 },
  ];
  const time = (text: string | null) => {
    const before = process.cpuUsage().user;
    compare('wrong', text === null ? null : readHash(text), works, expect.unreachable);
    return process.cpuUsage().user - before;
  };
  const middle = (text: string | null) =>
    Array.from({ length: 7 }, () => time(text)).sort((one, other) => one - other)[3] ?? 0;
  const unknown = middle(null);
  for (const name of ['passlib pbkdf2-sha512', 'passlib $6$', 'passlib bcrypt']) {
    const known = middle(originals[name] ?? '');
    expect(known / unknown, name).toBeGreaterThan(0.7);
    expect(known / unknown, name).toBeLessThan(1.4);
  }
});

/** Pseudo-random numbers, the same for the same seed. */
function* numbers(seed: number) {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state;
  }
}

test('40,000 broken password hashes are read in bounded time, and none exceeds the allowed work', () => {
  const random = numbers(42);
  const below = (most: number) => (random.next().value ?? 0) % most;
  const texts = [...Object.values(originals), firebase.hash];
  const pieces = ['$', ',', '=', ':', '{', '}', '9', '0', '99999999', '\0', 'ü', 'p=', '/', '.'];
  const before = process.cpuUsage().user;
  for (let each = 0; each < 40_000; each += 1) {
    let text = texts[below(texts.length)] ?? '';
    for (let change = below(3); change >= 0; change -= 1) {
      const at = below(text.length + 1);
      const piece = (pieces[below(pieces.length)] ?? '').repeat(each % 500 === 0 ? 3000 : 1);
      text = text.slice(0, at) + piece + text.slice(at + below(4));
    }
    const { kind = '', amount = 0 } = readHash(text)?.work ?? {};
    expect(amount).toBeLessThanOrEqual(2_500_000);
    expect(kind.length + String(amount).length).toBeLessThan(38);
  }
  expect((process.cpuUsage().user - before) / 1e6).toBeLessThan(10);
});
