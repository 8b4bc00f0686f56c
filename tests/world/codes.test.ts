import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { newRecoveryCodes, recoveryCodeHash } from '#lib/identity/recovery-codes.ts';
import { newTotpSecret, stepOfCode } from '#lib/identity/totp.ts';
import { newUserCode, readUserCode, shownUserCode } from '#lib/oauth/device-grant.ts';
import { typedCode } from '#lib/oauth/typed-code.ts';
import { spellings } from './codes.ts';
import { filesThatUse } from './doors.ts';

describe.each(spellings)('a code typed by hand: $why', ({ of }) => {
  test('of an authenticator app', () => {
    const [secret, now] = [newTotpSecret(), new Date()];
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: now.getTime(),
    });
    expect(stepOfCode(secret, of(code), now)).toBe(Math.floor(now.getTime() / 30_000));
  });

  test('of a mail', () => expect(typedCode(of('038154'))).toBe('038154'));

  test('of the recovery codes', () => {
    const [code = ''] = newRecoveryCodes();
    expect(recoveryCodeHash('ada', of(code))).toBe(recoveryCodeHash('ada', code));
  });

  test('of a device', () => {
    const code = newUserCode();
    expect(readUserCode(of(shownUserCode(code)))).toBe(code);
  });
});

test('five or seven digits are no code', () => {
  expect(stepOfCode(newTotpSecret(), '٠٢٢٣١', new Date())).toBeNull();
  expect(readUserCode('BCDFGHJKL')).toBeNull();
});

test('every code typed by hand is read by one function', () => {
  expect(filesThatUse('typedCode', 'lib/oauth/typed-code.ts')).toEqual([
    'lib/identity/app-passwords.ts',
    'lib/identity/mail-code.ts',
    'lib/identity/recovery-codes.ts',
    'lib/identity/totp.ts',
    'lib/oauth/device-grant.ts',
  ]);
});
