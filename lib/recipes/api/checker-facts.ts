/** What a program that checks tokens is filled with. */
export type CheckerFacts = {
  issuer: string;
  identifier: string;
  challenge: string;
  /** The `acr` of sign-ins, the weakest first. */
  acrs: string;
  jwks: string;
  introspect: string;
  /** The type in the header of its tokens, where they are JWTs. */
  typ: string;
};
