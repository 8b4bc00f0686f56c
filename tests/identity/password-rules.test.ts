import { expect, test } from 'vitest';
import { passwordFault } from '#lib/identity/password-rules.ts';

test('length decides, not kinds of characters', () => {
  expect(passwordFault('seven77')).toBe('setup.passwordShort');
  expect(passwordFault('unrelated words in a row')).toBeNull();
  expect(passwordFault('x9'.repeat(600))).toBe('setup.passwordLong');
});

test('the most common passwords are refused, in any case', () => {
  for (const common of [
    'password',
    'Password1',
    ' QWERTYUIOP ',
    'iloveyou',
    'aaaaaaaaaaaaaaaa',
    'ｐａｓｓｗｏｒｄ',
  ]) {
    expect(passwordFault(common), common).toBe('password.common');
  }
});

test('nobody’s password is their own name or address', () => {
  expect(passwordFault('Ada.Lovelace', ['ada.lovelace', 'ada@example.org'])).toBe('password.own');
  expect(passwordFault('ada@example.org', ['ada.lovelace', 'ada@example.org'])).toBe(
    'password.own',
  );
  expect(
    passwordFault('ada.lovelace loves engines', ['ada.lovelace', 'ada@example.org']),
  ).toBeNull();
});
