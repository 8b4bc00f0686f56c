/** `acr` (OpenID Connect Core section 2), weakest first. `amr` names methods (RFC 8176). */
export const acrValues = {
  /** One factor, such as a password. */
  single: 'urn:gatehouse:single',
  /** Two steps, with factors of different kinds. */
  mfa: 'urn:gatehouse:mfa',
  /** The same, with a passkey as one of them, which no phishing page can ask for. */
  passkey: 'urn:gatehouse:passkey',
} as const;

type Acr = (typeof acrValues)[keyof typeof acrValues];

/** Ordered by strength, weakest first. */
export const acrNames: readonly Acr[] = Object.values(acrValues);

const isAcr = (value: unknown): value is Acr => acrNames.some((acr) => acr === value);

/** Whether these methods cover more than one kind of factor. */
export function isMultiFactor(amr: string): boolean {
  return amr.split(' ').includes('mfa');
}

/** How `amr` names passkeys: one bound to its device, and one that is synced. */
const passkeyMethods = ['hwk', 'swk'];

function strongest(amr: string): Acr {
  if (!isMultiFactor(amr)) return acrValues.single;
  const methods = amr.split(' ');
  return passkeyMethods.some((name) => methods.includes(name)) ? acrValues.passkey : acrValues.mfa;
}

/** Whether a sign-in with these methods is at least this strong. */
const reaches = (amr: string, acr: Acr) =>
  acrNames.indexOf(strongest(amr)) >= acrNames.indexOf(acr);

/**
 * The `acr` of a sign-in. Only clients that asked for the passkey value are told that a passkey was
 * used, because apps have always compared with the value for two factors.
 */
export function acrOf(amr: string, asked?: AskedAcr | null): Acr {
  if (asked?.values.includes(acrValues.passkey) && reaches(amr, acrValues.passkey))
    return acrValues.passkey;
  return isMultiFactor(amr) ? acrValues.mfa : acrValues.single;
}

/** Any one of them is enough. `essential`: without one, the request fails. */
export type AskedAcr = { essential: boolean; values: readonly Acr[] };

export const isStrongEnough = (amr: string, asked: AskedAcr | undefined): boolean =>
  asked === undefined || asked.values.some((acr) => reaches(amr, acr));

/**
 * The sign-in strengths a request asks for: by `acr_values` (OpenID Connect Core section 3.1.2.1,
 * voluntary) or by the claim `acr` with values (section 5.5.1.1, possibly essential). A request
 * that also accepts a single factor asks for nothing. One that insists on values unknown here asks
 * for a strength that no sign-in has.
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

/** The `amr` of a sign-in with more than one factor. */
export function multiFactorAmr(...methods: (string | string[])[]): string {
  return [...new Set([...methods.flat(), 'mfa'])].join(' ');
}
