import { expect, test } from 'vitest';
import { acrOf, askedAcr, isStrongEnough, multiFactorAmr } from '#lib/oauth/acr.ts';
import { isSignInEnough } from '#lib/people/second-factor.ts';

const [mfa, single, passkey] = [
  'urn:gatehouse:mfa',
  'urn:gatehouse:single',
  'urn:gatehouse:passkey',
] as const;

test('acr is derived from amr: mfa with a second factor, single without', () => {
  expect(multiFactorAmr('pwd', ['otp'])).toBe('pwd otp mfa');
  expect(acrOf('pwd otp mfa')).toBe(mfa);
  expect(acrOf('pwd')).toBe(single);
});

test('acr is passkey only where the request asked for it', () => {
  const asked = { essential: false, values: [passkey] };
  expect(acrOf('swk user mfa', asked)).toBe(passkey);
  expect(acrOf('pwd hwk mfa', asked)).toBe(passkey);
  expect(acrOf('swk user mfa')).toBe(mfa);
  expect(acrOf('swk user mfa', { essential: true, values: [mfa] })).toBe(mfa);
  expect(acrOf('pwd otp mfa', asked)).toBe(mfa);
  expect(acrOf('hwk', asked)).toBe(single);
});

test.each([
  ['pwd', [mfa], false],
  ['pwd otp mfa', [mfa], true],
  ['pwd otp mfa', [passkey], false],
  ['pwd otp mfa', [passkey, mfa], true],
  ['swk user mfa', [mfa], true],
  ['swk user mfa', [passkey], true],
  ['fed', [mfa], false],
  ['swk user mfa', [], false],
] as const)('amr %s satisfies an essential acr of %j: %s', (amr, values, isSo) => {
  expect(isStrongEnough(amr, { essential: true, values })).toBe(isSo);
});

test.each([
  [mfa, undefined, { essential: false, values: [mfa] }],
  [`urn:a ${passkey} ${mfa}`, undefined, { essential: false, values: [passkey, mfa] }],
  [`${mfa} ${single}`, undefined, undefined],
  [single, undefined, undefined],
  ['urn:elsewhere:gold', undefined, undefined],
  [undefined, { essential: true, values: [mfa] }, { essential: true, values: [mfa] }],
  [undefined, { essential: true, values: ['urn:a'] }, { essential: true, values: [] }],
  [undefined, { values: ['urn:a'] }, undefined],
  [undefined, { essential: true, value: mfa }, { essential: true, values: [mfa] }],
  [undefined, { value: mfa }, { essential: false, values: [mfa] }],
  [undefined, { essential: true, values: [mfa, single] }, undefined],
  [undefined, { essential: true }, undefined],
  [undefined, null, undefined],
])('acr_values %s and the acr claim %j ask for %j', (parameter, claim, asked) => {
  expect(askedAcr(parameter, claim)).toEqual(asked);
});

test('REQUIRE_SECOND_FACTOR asks the users that it names: admins, support and auditors, or everyone', () => {
  const asked = { requireSecondFactor: false } as const;
  const [admin, person] = [
    { ...asked, role: 'admin' },
    { ...asked, role: 'none' },
  ] as const;
  expect([isSignInEnough('off', admin, 'pwd'), isSignInEnough('admins', admin, 'pwd')]).toEqual([
    true,
    false,
  ]);
  expect([
    isSignInEnough('admins', person, 'pwd'),
    isSignInEnough('everyone', person, 'pwd'),
  ]).toEqual([true, false]);
  expect(isSignInEnough('everyone', person, 'swk user mfa')).toBe(true);
  for (const role of ['support', 'auditor'] as const)
    expect(isSignInEnough('admins', { ...asked, role }, 'pwd')).toBe(false);
});

test('a user who must use a second factor needs one whatever REQUIRE_SECOND_FACTOR says', () => {
  const person = { role: 'none', requireSecondFactor: true } as const;
  for (const rule of ['off', 'admins', 'everyone'] as const) {
    expect(isSignInEnough(rule, person, 'pwd')).toBe(false);
    expect(isSignInEnough(rule, person, 'pwd otp mfa')).toBe(true);
  }
});
