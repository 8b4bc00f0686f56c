import type { StoredClaims } from '../oauth/claims.ts';

/** The standard claims (OpenID Connect Core section 5.1) with a field of their own, besides the name. */
export const profileFields = [
  'given_name',
  'middle_name',
  'family_name',
  'nickname',
  'gender',
  'profile',
  'website',
  'birthdate',
  'zoneinfo',
  'phone_number',
  'locale',
] as const;
export const addressFields = [
  'street_address',
  'postal_code',
  'locality',
  'region',
  'country',
] as const;

/** What somebody typed, by field; `formatted` is the address written out. An empty text takes a claim away. */
export type TypedClaims = Readonly<Record<string, string | undefined>>;

/**
 * The claims with what was typed of them; what was not stays. A number that is another one has not
 * been confirmed, and an address written out says what the old one was.
 */
export function claimsAfter(before: StoredClaims, typed: TypedClaims): Record<string, unknown> {
  const { phone_number_verified, address: { formatted, ...parts } = {}, ...rest } = before;
  const claims: StoredClaims = { ...rest, ...given(profileFields, typed) };
  const address: Record<string, string | undefined> = { ...parts, ...given(addressFields, typed) };
  const sameAddress = addressFields.every((part) => address[part] === parts[part]);
  const written = typed.formatted ?? (sameAddress ? formatted : undefined);
  address.formatted = written?.trim() || undefined;
  const samePhone = claims.phone_number === before.phone_number;
  return withoutGaps({
    ...claims,
    ...(samePhone && { phone_number_verified }),
    address: Object.values(address).some(Boolean) ? withoutGaps(address) : undefined,
  });
}

function given(names: readonly string[], typed: TypedClaims): Record<string, string | undefined> {
  const named = names.filter((name) => typed[name] !== undefined);
  return Object.fromEntries(named.map((name) => [name, typed[name]?.trim() || undefined]));
}

function withoutGaps(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
