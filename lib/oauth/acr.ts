/**
 * The strength of a sign-in (OpenID Connect Core section 2, `acr`), the weakest first. `amr` names the
 * methods (RFC 8176).
 */
export const acrValues = {
  /** One factor, such as a password. */
  single: 'urn:gatehouse:single',
  /** Two steps: factors of different kinds. */
  mfa: 'urn:gatehouse:mfa',
  /** The same, and one of them was a passkey, which no page elsewhere can ask for. */
  passkey: 'urn:gatehouse:passkey',
} as const;

type Acr = (typeof acrValues)[keyof typeof acrValues];

/** In the order of their strength. */
export const acrNames: readonly Acr[] = Object.values(acrValues);

const isAcr = (value: unknown): value is Acr => acrNames.some((acr) => acr === value);

/** Whether these methods cover more than one kind of factor. */
export function isMultiFactor(amr: string): boolean {
  return amr.split(' ').includes('mfa');
}

/** The names of a passkey in `amr`: of one that stays on its device, and of one that is kept in sync. */
const passkeyMethods = ['hwk', 'swk'];

function strongest(amr: string): Acr {
  if (!isMultiFactor(amr)) return acrValues.single;
  const methods = amr.split(' ');
  return passkeyMethods.some((name) => methods.includes(name)) ? acrValues.passkey : acrValues.mfa;
}

/** Whether a sign-in by these methods is as strong as this, or stronger. */
const reaches = (amr: string, acr: Acr) =>
  acrNames.indexOf(strongest(amr)) >= acrNames.indexOf(acr);

/**
 * The `acr` of a sign-in. That it was by a passkey is told to whoever asked for that: apps have always
 * compared the value of two factors.
 */
export function acrOf(amr: string, asked?: AskedAcr | null): Acr {
  if (asked?.values.includes(acrValues.passkey) && reaches(amr, acrValues.passkey))
    return acrValues.passkey;
  return isMultiFactor(amr) ? acrValues.mfa : acrValues.single;
}

/** The sign-in strengths that a request asks for; one of them does. `essential`: the request fails without it. */
export type AskedAcr = { essential: boolean; values: readonly Acr[] };

/** Whether a sign-in is as strong as is asked. */
export const isStrongEnough = (amr: string, asked: AskedAcr | undefined): boolean =>
  asked === undefined || asked.values.some((acr) => reaches(amr, acr));

/**
 * Whether a request asks for more than one factor: by `acr_values` (OpenID Connect Core section
 * 3.1.2.1, voluntary) or by the claim `acr` with values (section 5.5.1.1, possibly essential). A
 * request that also accepts a single factor asks for nothing. One that insists on what nobody here
 * knows asks for a strength that no sign-in has.
 */
export function askedAcr(
  acrParameter: string | undefined,
  claim: { essential?: boolean; value?: unknown; values?: unknown[] } | null | undefined,
): AskedAcr | undefined {
  const claimed = [...(claim?.values ?? []), ...(claim?.value === undefined ? [] : [claim.value])];
  const essential = claim?.essential === true;
  const known = claimed.filter(isAcr);
  if (known.includes(acrValues.single)) return undefined;
  if (known.length > 0 || (essential && claimed.length > 0)) return { essential, values: known };
  const wished = (acrParameter?.split(' ') ?? []).filter(isAcr);
  if (wished.length === 0 || wished.includes(acrValues.single)) return undefined;
  return { essential: false, values: wished };
}

/** The `amr` of a sign-in by more than one factor. */
export function allMethods(...methods: (string | string[])[]): string {
  return [...new Set([...methods.flat(), 'mfa'])].join(' ');
}
