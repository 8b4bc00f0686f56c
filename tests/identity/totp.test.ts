import { expect, test } from 'vitest';
import { recoveryCodeHash } from '#lib/identity/recovery-codes.ts';
import { stepOfCode } from '#lib/identity/totp.ts';

// RFC 6238 appendix B: the secret "12345678901234567890", SHA-1, the last six digits.
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1234567890, '005924'],
  [20000000000, '353130'],
])('the TOTP code at second %i is %s', (second, code) => {
  expect(stepOfCode(secret, code, new Date(second * 1000))).toBe(Math.floor(second / 30));
});

test('a TOTP code is valid one step early and one step late, and not two', () => {
  const steps = [-2, -1, 0, 1, 2].map((off) =>
    stepOfCode(secret, '005924', new Date((1234567890 + off * 30) * 1000)),
  );
  const right = Math.floor(1234567890 / 30);
  expect(steps).toEqual([null, right, right, right, null]);
});

test.each(['00592', '0059245', '00592a', '', 'ⅤⅠ5924'])('%j is no TOTP code', (code) => {
  expect(stepOfCode(secret, code, new Date(1234567890_000))).toBeNull();
});

test('the hash of a recovery code ignores case, spaces and hyphens, and differs per user', () => {
  const hash = recoveryCodeHash('u1', 'ABCD-EFGH-2345-6789');
  expect(recoveryCodeHash('u1', ' abcd efgh 23456789 ')).toBe(hash);
  expect(recoveryCodeHash('u2', 'ABCD-EFGH-2345-6789')).not.toBe(hash);
  expect(recoveryCodeHash('u1', 'ABCD-EFGH-2345')).toBeNull();
});
