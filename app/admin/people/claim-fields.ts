import { addressFields, profileFields } from '#lib/management/user/claims.ts';
import type { ClaimsSaid } from '#lib/management/user/fields.ts';
import type { UserRecord } from '#lib/management/user/users.ts';
import { birthdateIn } from '#lib/messages/formats.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { textOf } from '../act.ts';

/** The claims with a text field in the user form. The names of address parts contain a dot. */
export const claimNames = [
  ...profileFields,
  'address.formatted',
  ...addressFields.map((part) => `address.${part}` as const),
] as const;

/** The claims in a form; an empty field means no claim. */
export function readClaimFields(form: FormData): ClaimsSaid {
  const isVerified = form.has('phone_number_verified');
  return {
    ...textsOf(form, profileFields),
    phone_number_verified: textOf(form, 'phone_number').trim() !== '' && isVerified,
    address: textsOf(form, ['formatted', ...addressFields], 'address.'),
  };
}

const textsOf = (form: FormData, names: readonly string[], before = '') =>
  Object.fromEntries(names.map((name) => [name, textOf(form, before + name)]));

/** The initial value of the field for a claim. */
export function claimValue(
  { claims }: UserRecord,
  name: (typeof claimNames)[number],
  locale: Locale,
): string {
  const birthdate = birthdateIn(locale, claims.birthdate ?? '');
  const values: Record<string, unknown> = { ...claims, birthdate };
  for (const [part, value] of Object.entries(claims.address ?? {}))
    values[`address.${part}`] = value;
  return String(values[name] ?? '');
}
