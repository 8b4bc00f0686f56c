import { z } from 'zod';
import { type AskedAcr, askedAcr } from './acr.ts';
import { isDay } from './day.ts';
import { refuse } from './errors.ts';
import { foldName, readName } from './name.ts';

/** The standard claims by scope (OpenID Connect Core section 5.4), and our own. */
export const claimsByScope = {
  profile: [
    'name',
    'family_name',
    'given_name',
    'middle_name',
    'nickname',
    'preferred_username',
    'profile',
    'picture',
    'website',
    'gender',
    'birthdate',
    'zoneinfo',
    'locale',
    'updated_at',
  ],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number', 'phone_number_verified'],
  groups: ['groups'],
} as const;

/** The claims stored as JSON, besides those with their own column. */
export const storedClaims = z.strictObject({
  family_name: z.string().max(200).optional(),
  given_name: z.string().max(200).optional(),
  middle_name: z.string().max(200).optional(),
  nickname: z.string().max(200).optional(),
  profile: z.url().max(500).optional(),
  website: z.url().max(500).optional(),
  gender: z.string().max(50).optional(),
  birthdate: z
    .string()
    .regex(/^\d{4}(-\d\d-\d\d)?$/)
    .optional(),
  zoneinfo: z.string().max(60).optional(),
  // A language tag (RFC 5646). Some use an underscore in it (OpenID Connect Core section 5.1).
  locale: z
    .string()
    .max(35)
    .regex(/^[A-Za-z]{1,8}([-_][A-Za-z0-9]{1,8})*$/)
    .optional(),
  phone_number: z.string().max(40).optional(),
  phone_number_verified: z.boolean().optional(),
  address: z
    .strictObject({
      formatted: z.string().max(500).optional(),
      street_address: z.string().max(300).optional(),
      locality: z.string().max(200).optional(),
      region: z.string().max(200).optional(),
      postal_code: z.string().max(40).optional(),
      country: z.string().max(100).optional(),
    })
    .optional(),
});
export type StoredClaims = z.infer<typeof storedClaims>;

const writtenName = z
  .string()
  .transform((typed, context) => {
    const name = foldName(typed) === '' ? '' : readName(typed, 200);
    if (name === null) context.addIssue({ code: 'custom' });
    return name ?? '';
  })
  .optional();

/** Claims that somebody writes: names in the spelling that is stored. */
export const writtenClaims = storedClaims.extend({
  family_name: writtenName,
  given_name: writtenName,
  middle_name: writtenName,
  nickname: writtenName,
  birthdate: z
    .string()
    .transform(isoDate)
    .refine((text) => /^\d{4}$/.test(text) || isDay(text))
    .optional(),
});

/** A date with its day first and dots, as many languages have it, in the order of ISO 8601. */
function isoDate(text: string): string {
  const [, day, month, year] = /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})$/.exec(text.trim()) ?? [];
  return day && month ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : text;
}

export type AskedClaims = {
  userinfo: string[];
  idToken: string[];
  /** The `sub` of the only user who may answer the request. */
  subject?: string;
  /** The requested sign-in strength. */
  acr?: AskedAcr;
};

const single = z
  .object({ essential: z.boolean(), value: z.unknown(), values: z.array(z.unknown()) })
  .partial()
  .nullable();
const parameter = z.object({
  userinfo: z.record(z.string(), single).optional(),
  id_token: z.record(z.string(), single).optional(),
});

/**
 * Reads the `claims` parameter (OpenID Connect Core section 5.5).
 * @throws OAuthRefusal invalid_request
 */
export function parseAskedClaims(text: string | undefined): AskedClaims | undefined {
  if (text === undefined) return undefined;
  const parsed = parameter.safeParse(parseJson(text));
  if (!parsed.success)
    refuse(
      'invalid_request',
      'claims does not have the form given in OpenID Connect Core section 5.5.',
      { rule: 'parameter.invalid', received: 'claims' },
    );
  const { userinfo = {}, id_token: idToken = {} } = parsed.data;
  const subject = subjectAsked(idToken.sub, userinfo.sub);
  const acr = askedAcr(undefined, idToken.acr);
  return {
    userinfo: Object.keys(userinfo).filter(scopeOfClaim),
    idToken: Object.keys(idToken).filter(scopeOfClaim),
    ...(subject !== undefined && { subject }),
    ...(acr && { acr }),
  };
}

/**
 * The one user that the request asks for through `sub` (section 5.5.1); undefined: any user.
 * @throws OAuthRefusal invalid_request
 */
function subjectAsked(...asked: (z.infer<typeof single> | undefined)[]): string | undefined {
  const values = new Set(asked.flatMap((sub) => (sub?.value === undefined ? [] : [sub.value])));
  if (values.size === 0) return undefined;
  const [subject] = values;
  if (values.size === 1 && typeof subject === 'string') return subject;
  refuse('invalid_request', 'The value of sub in claims must be the sub of one user, as text.', {
    rule: 'parameter.invalid',
    received: JSON.stringify([...values]).slice(0, 200),
    expected: ['one text'],
  });
}

/** The claims requested with an authorization, as stored; null: none. */
export function readAskedClaims(stored: string | null): AskedClaims | null {
  if (stored === null) return null;
  const { acr, ...asked } = JSON.parse(stored) as AskedClaims;
  // Older rows do not record which strength was asked for.
  return { ...asked, ...(acr && { acr: { ...acr, values: acr.values ?? [] } }) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    refuse('invalid_request', 'claims is not valid JSON.', {
      rule: 'parameter.invalid',
      received: 'claims',
      expected: ['JSON'],
    });
  }
}

/** The scope whose description the consent page shows for a claim. */
function scopeOfClaim(claim: string): string | undefined {
  return Object.entries(claimsByScope).find(([, names]) =>
    (names as readonly string[]).includes(claim),
  )?.[0];
}

/** The scopes that requested claims belong to. The user must consent to them as to any scope. */
export function scopesOfClaims(asked: AskedClaims | undefined): string[] {
  const names = [...(asked?.userinfo ?? []), ...(asked?.idToken ?? [])].map(scopeOfClaim);
  return [...new Set(names.filter((name) => name !== undefined))];
}

/** The requested claims, without those whose scopes this client may not ask for. */
export function withinScopes(
  asked: AskedClaims | undefined,
  allowed: readonly string[],
): AskedClaims | undefined {
  const may = (claim: string) => allowed.includes(scopeOfClaim(claim) ?? '');
  return (
    asked && { ...asked, userinfo: asked.userinfo.filter(may), idToken: asked.idToken.filter(may) }
  );
}
