/** The values to fill into a program that checks tokens. */
export type CheckerFacts = {
  issuer: string;
  identifier: string;
  challenge: string;
  /** The `acr` values of sign-ins, the weakest first. */
  acrs: string;
  jwks: string;
  introspect: string;
  /** The `typ` header of the API's tokens, if they are JWTs. */
  typ: string;
};
