/**
 * The strength of a sign-in (OpenID Connect Core section 2, `acr`): one factor, or two of different
 * kinds. `amr` names the methods (RFC 8176).
 */
export const acrValues = { mfa: 'urn:gatehouse:mfa', single: 'urn:gatehouse:single' } as const;

type Acr = (typeof acrValues)[keyof typeof acrValues];

/** Whether these methods cover more than one kind of factor. */
export function isMultiFactor(amr: string): boolean {
  return amr.split(' ').includes('mfa');
}

export function acrOf(amr: string): Acr {
  return isMultiFactor(amr) ? acrValues.mfa : acrValues.single;
}

/** The sign-in strength a request asks for. `essential`: the request fails without it. */
export type AskedAcr = { essential: boolean };

/**
 * Whether a request asks for more than one factor: by `acr_values` (OpenID Connect Core section
 * 3.1.2.1, voluntary) or by the claim `acr` with values (section 5.5.1.1, possibly essential). A
 * request that also accepts a single factor asks for nothing.
 */
export function askedAcr(
  acrParameter: string | undefined,
  claim: { essential?: boolean; value?: unknown; values?: unknown[] } | null | undefined,
): AskedAcr | undefined {
  const claimed = [...(claim?.values ?? []), ...(claim?.value === undefined ? [] : [claim.value])];
  const wished = acrParameter?.split(' ') ?? [];
  const wants = (list: unknown[]) =>
    list.includes(acrValues.mfa) && !list.includes(acrValues.single);
  if (wants(claimed)) return { essential: claim?.essential === true };
  return wants(wished) ? { essential: false } : undefined;
}

/** The `amr` of a sign-in by more than one factor. */
export function allMethods(...methods: (string | string[])[]): string {
  return [...new Set([...methods.flat(), 'mfa'])].join(' ');
}
