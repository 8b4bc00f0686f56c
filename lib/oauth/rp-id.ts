/** The host that passkeys belong to: the relying party ID of WebAuthn, which has neither scheme nor port. */
export const rpIdOf = (issuer: string): string => new URL(issuer).hostname;
