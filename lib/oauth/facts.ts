/** The rules that can refuse a request. Traces store these names, and the dashboard words them. */
export const rules = [
  'client.missing',
  'client.unknown',
  'client.disabled',
  'client.document-host',
  'client.document-invalid',
  'client.document-unreachable',
  'client.host-blocked',
  'client.gone',
  'client.no-key',
  'client.not-accepted',
  'client.too-many-new',
  'client.too-many-documents',
  'client-auth.missing',
  'client-auth.wrong-secret',
  'client-auth.secret-of-other',
  'client-auth.not-encoded',
  'client-auth.public-with-secret',
  'client-auth.malformed',
  'client-auth.two-ways',
  'client-auth.confidential-only',
  'client-auth.other-method',
  'client-assertion.type',
  'client-assertion.malformed',
  'client-assertion.alg',
  'client-assertion.typ',
  'client-assertion.issuer',
  'client-assertion.audience',
  'client-assertion.claims',
  'client-assertion.expiry',
  'client-assertion.not-yet',
  'client-assertion.jti',
  'client-assertion.key',
  'client-assertion.signature',
  'client-assertion.used',
  'client-assertion.keys-unreadable',
  'dpop.missing',
  'dpop.malformed',
  'dpop.typ',
  'dpop.alg',
  'dpop.key',
  'dpop.method',
  'dpop.address',
  'dpop.time',
  'dpop.jti',
  'dpop.token',
  'dpop.nonce',
  'dpop.signature',
  'dpop.used',
  'dpop.other-key',
  'dpop.scheme',
  'redirect-uri.missing',
  'redirect-uri.unregistered',
  'redirect-uri.forbidden',
  'redirect-uri.differs',
  'post-logout.unregistered',
  'post-logout.no-client',
  'id-token-hint.foreign',
  'id-token-hint.other-client',
  'response-type',
  'response-mode',
  'grant-type.missing',
  'grant-type.unknown',
  'grant-type.not-allowed',
  'scope.malformed',
  'scope.unknown',
  'scope.not-allowed',
  'scope.wider',
  'scope.ignored',
  'scope.folded',
  'claims.left-out',
  'claims.no-name',
  'resource.malformed',
  'resource.unknown',
  'resource.not-allowed',
  'resource.not-granted',
  'resource.one-at-a-time',
  'resource.ignored',
  'iss.left-out',
  'issuer.elsewhere',
  'state.missing',
  'state.too-long',
  'state.differs',
  'pkce.required',
  'pkce.method',
  'pkce.challenge-malformed',
  'pkce.verifier-missing',
  'pkce.verifier-malformed',
  'pkce.verifier-is-challenge',
  'pkce.verifier-differs',
  'pkce.verifier-unexpected',
  'code.missing',
  'code.unknown',
  'code.other-client',
  'code.used',
  'code.expired',
  'code.ended',
  'device-code.missing',
  'device-code.unknown',
  'device-code.other-client',
  'device-code.too-soon',
  'device-code.denied',
  'device-code.used',
  'device-code.expired',
  'device-code.ended',
  'device.too-many',
  'refresh-token.missing',
  'refresh-token.unknown',
  'refresh-token.other-client',
  'refresh-token.used',
  'refresh-token.expired',
  'refresh-token.ended',
  'exchange.parameter',
  'exchange.subject',
  'exchange.no-person',
  'exchange.other-audience',
  'exchange.actor',
  'exchange.depth',
  'exchange.not-permitted',
  'exchange.unbound',
  'exchange.ended',
  'identity.not-permitted',
  'identity.subject',
  'identity.group',
  'assertion.missing',
  'assertion.issuer',
  'assertion.client',
  'assertion.invalid',
  'assertion.used',
  'assertion.nobody',
  'access-token.missing',
  'access-token.ended',
  'access-token.id-token',
  'access-token.no-user',
  'access-token.other-audience',
  'introspection.foreign',
  'parameter.repeated',
  'parameter.in-query',
  'parameter.invalid',
  'parameter.ignored',
  'parameter.audience',
  'method',
  'content-type',
  'request.malformed',
  'request.object',
  'request-uri.required',
  'request-uri.invalid',
  'address.unknown',
  'registration.off',
  'registration.token',
  'registration.access',
  'registration.metadata',
  'registration.too-many',
  'login-required',
  'consent-required',
  'second-factor-required',
  'sign-in-too-old',
  'sign-in-over',
  'access.not-listed',
  'access.network',
  'approval.needed',
  'approval.refused',
  'provider.off',
  'provider.state',
  'provider.refused',
  'provider.unreachable',
  'provider.client',
  'provider.answer',
  'provider.subject',
  'provider.scope',
  'provider.domain',
  'provider.unlinked',
  'other',
] as const;

export type Rule = (typeof rules)[number];

/**
 * Rules that refuse an app because it, or its record here, is misconfigured, so that every sign-in
 * will fail again.
 */
export const configurationRules: readonly Rule[] = [
  ...(['client-auth.missing', 'client-auth.wrong-secret', 'client-auth.two-ways'] as const),
  ...(['client-auth.public-with-secret', 'client-auth.confidential-only'] as const),
  ...(['client-auth.other-method', 'client-assertion.type', 'client-assertion.alg'] as const),
  ...(['client-assertion.typ', 'client-assertion.issuer', 'client-assertion.audience'] as const),
  ...(['client-assertion.claims', 'client-assertion.expiry', 'client-assertion.jti'] as const),
  'client-assertion.key',
  ...(['client-assertion.signature', 'client-assertion.keys-unreadable'] as const),
  'client.no-key',
  ...(['dpop.missing', 'dpop.malformed', 'dpop.typ', 'dpop.alg', 'dpop.key'] as const),
  ...(['dpop.method', 'dpop.address', 'dpop.time', 'dpop.jti', 'dpop.signature'] as const),
  ...(['redirect-uri.missing', 'redirect-uri.unregistered', 'redirect-uri.forbidden'] as const),
  ...(['redirect-uri.differs', 'response-type', 'response-mode', 'grant-type.unknown'] as const),
  ...(['grant-type.not-allowed', 'scope.malformed', 'scope.unknown', 'scope.not-allowed'] as const),
  ...(['resource.malformed', 'resource.unknown', 'resource.not-allowed'] as const),
  ...(['pkce.required', 'pkce.method', 'pkce.challenge-malformed'] as const),
  ...(['pkce.verifier-missing', 'pkce.verifier-malformed', 'parameter.in-query'] as const),
  ...(['content-type', 'request.object', 'request-uri.required'] as const),
  ...(['exchange.parameter', 'exchange.not-permitted', 'exchange.unbound'] as const),
  ...(['identity.not-permitted', 'assertion.missing', 'assertion.issuer'] as const),
];

/**
 * The rule that refused a request, what it received, and what would have been right. Never a
 * secret, code, token, verifier or password, or a part of one: such values are described, not
 * shown.
 */
export type Facts = { rule: Rule; received?: string | undefined; expected?: readonly string[] };

/** The maximum length of a received text in a trace. */
const longest = 500;

/** One of our secrets, complete or cut off, wherever it was sent by mistake. */
const secretLooking = /gh_[a-z]{2,5}_[A-Za-z0-9_-]*/g;
/** User information in an address: it may hold a password. */
const userInformation = /(:\/\/)[^/?#@]*@/g;
/** A value that is long enough to be a third party's secret. */
const longValue = /([?&#][^=&#]{1,60}=)([^&#]{24,})/g;

/**
 * A received text in a form that may be stored and shown: cut to length, without control characters
 * and marks that reverse the direction of a line, and without anything that could be a secret. Runs
 * in time linear in its length.
 */
export function shownOf(text: string): string {
  const cut = text.length > longest * 2 ? text.slice(0, longest * 2) : text;
  const masked = cut
    .replace(secretLooking, (secret) => `[masked: ${secret.length} characters]`)
    .replace(userInformation, '$1[masked]@')
    .replace(
      longValue,
      (_, name: string, value: string) => `${name}[masked: ${value.length} characters]`,
    );
  const plain = masked.toWellFormed().replace(/\p{C}/gu, '\ufffd');
  return plain.length > longest || cut.length < text.length ? `${plain.slice(0, longest)}…` : plain;
}

/** A description of a secret that was sent. */
export function masked(what: string, text: string): string {
  return `${what} of ${text.length} characters (masked)`;
}
