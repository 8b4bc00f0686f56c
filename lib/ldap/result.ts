/** The result codes that this server sends (RFC 4511 section 4.1.9). */
export const codes = {
  success: 0,
  protocolError: 2,
  timeLimitExceeded: 3,
  sizeLimitExceeded: 4,
  compareFalse: 5,
  compareTrue: 6,
  authMethodNotSupported: 7,
  strongerAuthRequired: 8,
  adminLimitExceeded: 11,
  unavailableCriticalExtension: 12,
  confidentialityRequired: 13,
  noSuchAttribute: 16,
  noSuchObject: 32,
  invalidDNSyntax: 34,
  invalidCredentials: 49,
  insufficientAccessRights: 50,
  busy: 51,
  unwillingToPerform: 53,
  other: 80,
} as const;

export type Code = keyof typeof codes;

/** How an operation ends: the code, and a sentence for whoever set the program up. */
export type Result = { code: Code; says?: string; matched?: string };

/** Ends an operation with this result. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly result: Result;

  constructor(code: Code, says: string, matched = '') {
    super(says);
    this.result = { code, says, matched };
  }
}
