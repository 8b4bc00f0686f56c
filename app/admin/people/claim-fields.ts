import { addressFields, profileFields } from '#lib/management/user/claims.ts';
import type { UserRecord } from '#lib/management/user/users.ts';

/** The claims with a text field in the user form; parts of the address have a dot in their name. */
export const claimNames = [
  ...profileFields,
  'address.formatted',
  ...addressFields.map((part) => `address.${part}` as const),
] as const;

/** The claims from a form; an empty field is no claim. */
export function readClaimFields(form: FormData): Record<string, unknown> {
  const claims: Record<string, unknown> = {};
  const address: Record<string, string> = {};
  for (const name of claimNames) {
    const value = String(form.get(name) ?? '').trim();
    if (!value) continue;
    if (name.startsWith('address.')) address[name.slice('address.'.length)] = value;
    else claims[name] = value;
  }
  if (Object.keys(address).length > 0) claims.address = address;
  if (claims.phone_number && form.has('phone_number_verified')) claims.phone_number_verified = true;
  return claims;
}

/** The initial value of such a field. */
export function claimValue({ claims }: UserRecord, name: (typeof claimNames)[number]): string {
  const values: Record<string, unknown> = { ...claims };
  for (const [part, value] of Object.entries(claims.address ?? {}))
    values[`address.${part}`] = value;
  return String(values[name] ?? '');
}
