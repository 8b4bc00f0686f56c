import { randomInt } from 'node:crypto';
import { OAuthRefusal, refuse } from './errors.ts';
import type { Rule } from './facts.ts';
import { addSeconds, type Barred, type IssuedAuthorization } from './token-request.ts';
import { typedCode } from './typed-code.ts';

/** No look-alikes (RFC 8628 section 6.1), no words; eight are 34.5 random bits. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
/** `device.codeHint` and `device.malformed` in people.json and docs/connect.md name this number. */
const length = 8;

/** Seconds within which a user must allow the device. */
export const deviceCodeLife = 600;
/** Seconds: the first polling interval, what each early request adds to it, and its maximum. */
export const deviceInterval = { initial: 5, step: 5, most: 60 };
/** Seconds by which network delays may shorten an interval. */
const tolerance = 1;

/** A new code for people to type, without the hyphen. */
export function newUserCode(): string {
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
}

/** The code that a person typed, however they spelled it; null if it cannot be one. */
export function readUserCode(typed: string): string | null {
  const code = typedCode(typed);
  return code.length === length && [...code].every((letter) => letters.includes(letter))
    ? code
    : null;
}

export const shownUserCode = (code: string) => `${code.slice(0, 4)}-${code.slice(4)}`;

/** A device that waits for its user, or whose user has decided. */
export type AskingDevice = {
  clientId: string;
  state: string;
  interval: number;
  askedAt: Date | null;
  expiresAt: Date;
};

/**
 * Checks a device code. Whose code it is comes first: another client's attempt changes nothing and
 * learns nothing.
 * @throws OAuthRefusal invalid_grant, expired_token or access_denied (RFC 8628 section 3.5)
 */
export function checkDevice<Device extends AskingDevice>(
  device: Device | null,
  clientId: string,
  now: Date,
): Device {
  if (!device)
    refuse('invalid_grant', 'There is no such device code.', { rule: 'device-code.unknown' });
  if (device.clientId !== clientId)
    refuse('invalid_grant', 'The device code was issued to another client.', {
      rule: 'device-code.other-client',
      received: clientId,
      expected: [device.clientId],
    });
  if (device.expiresAt <= now)
    refuse('expired_token', 'The device code has expired.', {
      rule: 'device-code.expired',
      expected: [`at most ${deviceCodeLife} s`],
    });
  if (device.state === 'denied')
    refuse('access_denied', 'The user denied the device.', { rule: 'device-code.denied' });
  return device;
}

export function asksTooSoon({ askedAt, interval }: AskingDevice, now: Date): boolean {
  return askedAt !== null && now < addSeconds(askedAt, interval - tolerance);
}

/**
 * @param interval the new interval, in seconds
 * @throws OAuthRefusal slow_down
 */
export function refuseTooSoon(interval: number): never {
  refuse(
    'slow_down',
    'The device asks too often.',
    { rule: 'device-code.too-soon', expected: [`one request in ${interval} s`] },
    { headers: { 'retry-after': String(interval) } },
  );
}

/** The outcome for the authorization behind a device code, as for an authorization code. */
type AllowedVerdict =
  | { does: 'redeem' }
  | { does: 'refuse' | 'burn' | 'end'; refusal: OAuthRefusal };

/**
 * Checks what has happened to an authorization since its user gave it. A second redemption ends its
 * tokens, because another party may have the code.
 * @param allowed null: it was deleted with the withdrawn consent
 */
export function judgeAllowed(
  allowed: IssuedAuthorization | null,
  barred: Barred | null,
): AllowedVerdict {
  if (!allowed) return ended('The consent behind the device code was withdrawn.');
  if (allowed.redeemedAt !== null)
    return { ...ended('The device code was used before.', 'device-code.used'), does: 'end' };
  if (barred?.by === 'app') return { does: 'burn', refusal: barred.refusal };
  if (allowed.revokedAt !== null || !allowed.alive)
    return ended('The user, the client or the consent has ended.');
  return barred ? { does: 'burn', refusal: barred.refusal } : { does: 'redeem' };
}

function ended(reason: string, rule: Rule = 'device-code.ended') {
  const refusal = new OAuthRefusal('invalid_grant', reason, {}, { rule });
  return { does: 'refuse', refusal } as const;
}
