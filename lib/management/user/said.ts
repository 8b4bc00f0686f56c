import { sentence } from '../../messages/sentence.ts';
import type { StoredClaims } from '../../oauth/claims.ts';
import { refuseAdmin } from '../refusal.ts';
import { claimsAfter, profileFields } from './claims.ts';
import { controlOf, type TypedFields } from './field-values.ts';
import type { ClaimsSaid, FieldsSaid } from './fields.ts';
import type { UserRecord } from './users.ts';

/** The claims of a user after setting some of them. @throws AdminRefusal */
export function claimsSaidOf({ claims: before }: UserRecord, said: ClaimsSaid): StoredClaims {
  const { phone_number_verified: isVerified, address = {}, ...plain } = said;
  const given = Object.entries({ ...plain, ...address }).filter(([, text]) => text !== undefined);
  const typed = Object.fromEntries(given.map(([name, text]) => [name, text ?? '']));
  const claims: StoredClaims = claimsAfter(before, typed);
  if (isVerified && claims.phone_number === undefined)
    refuseAdmin('phone_number', sentence('refused.person.noPhone'));
  if (isVerified === undefined) return claims;
  const { phone_number_verified: _, ...rest } = claims;
  return isVerified ? { ...rest, phone_number_verified: true } : rest;
}

/** Values of fields in the form in which forms send them. */
export const fieldsTyped = (said: FieldsSaid): TypedFields =>
  Object.fromEntries(
    Object.entries(said).map(([name, value]) => [
      name,
      value === null ? [] : Array.isArray(value) ? value : [String(value)],
    ]),
  );

/** The place of a fault in the act's input. The rules name the controls of forms. */
export function placeSaid(control: string): string {
  if (control.startsWith(controlOf(''))) return `fields.${control.slice(controlOf('').length)}`;
  const isClaim = claims.includes(control) || control.startsWith('address.');
  return isClaim ? `claims.${control}` : control;
}

const claims: readonly string[] = [...profileFields, 'phone_number_verified'];

/** The control of a form for a place in the act's input. */
export const controlAt = (place: string): string =>
  place.replace(/^claims\./, '').replace(/^fields\./, controlOf(''));
