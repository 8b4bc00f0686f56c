import type { StoredClaims } from '../../oauth/claims.ts';

/**
 * The standard claims (OpenID Connect Core section 5.1) that have a form field, besides the name.
 */
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

/** Typed values by field; `formatted` is the full address. An empty string removes a claim. */
type TypedClaims = Readonly<Record<string, string | undefined>>;

/**
 * Merges typed values into the claims; fields not typed stay. A changed phone number is unverified,
 * and a changed address drops its old formatted text.
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
