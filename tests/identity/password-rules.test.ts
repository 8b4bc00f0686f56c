import { expect, test } from 'vitest';
import { passwordFault } from '#lib/identity/password-rules.ts';

const ada = { username: 'ada.lovelace', email: 'ada@example.org', name: 'Augusta King' };
const faultOf = (password: string) => passwordFault(password, ada);

test('a password that is too short or too long is refused', async () => {
  expect(await faultOf('seven77')).toBe('setup.passwordShort');
  expect(await faultOf('x9'.repeat(600))).toBe('setup.passwordLong');
});

test.each([
  'correct horse battery staple',
  'unrelated words in a row',
  'zebra-koffer-lampe',
  'ada.lovelace loves engines',
  'mQ7vT2kx',
  'kaffee bleibt morgens warm',
])('a password that takes many guesses is accepted, of any characters: %s', async (password) => {
  expect(await faultOf(password)).toBeNull();
});

test.each([
  'password',
  'password12345',
  'Password1',
  ' QWERTYUIOP ',
  'P@ssw0rd2024',
  'passwort12345',
  'Schatz123456',
  'qwertz123456',
  'Sommer2026!',
  'aaaaaaaaaaaaaaaa',
  'ｐａｓｓｗｏｒｄ',
  '12031984',
  'x9'.repeat(300),
])('a password that is guessed soon is refused: %s', async (password) => {
  expect(await faultOf(password)).toBe('password.weak');
});

test.each(['gatehouse1', 'lovelace12', 'adalovelace1', 'Augusta1815', 'ada@example.org1'])(
  'the user’s names and the server’s are known words: %s',
  async (password) => {
    expect(await faultOf(password)).toBe('password.weak');
  },
);

test('a password that is the user’s own username or email address is refused', async () => {
  expect(await faultOf('Ada.Lovelace')).toBe('password.own');
  expect(await faultOf('ada@example.org')).toBe('password.own');
});

test('judging the worst passwords of 1,024 characters takes bounded time, without blocking the event loop', async () => {
  const worst = ['p4$$w0rd-', '@s$3!1|0', 'ab1', '1', '4@48(3$5|!1'].map((part) =>
    part.repeat(1024).slice(0, 1024),
  );
  await faultOf('a first one, for the words to be loaded');
  let beats = 0;
  const pulse = setInterval(() => (beats += 1), 5);
  const before = performance.now();
  for (const password of worst) await faultOf(password);
  clearInterval(pulse);
  // Without limits, each of them would take many seconds.
  expect(performance.now() - before).toBeLessThan(worst.length * 3000);
  expect(beats).toBeGreaterThan(0);
});
