import type { Facts } from './facts.ts';

/**
 * Every error code this server sends. `tellsReason`: the client may read the real reason, because
 * it concerns only the request and reveals nothing stored.
 */
export const errorTable = {
  // RFC 6749 section 5.2
  invalid_request: row(400, 'A parameter is missing, repeated or malformed.', true),
  invalid_client: row(401, 'Client authentication failed.', false),
  invalid_grant: row(
    400,
    'What was sent is invalid, expired, already used, or was issued for another request or client.',
    false,
  ),
  unauthorized_client: row(400, 'This client is not allowed to use this grant type.', true),
  unsupported_grant_type: row(400, 'Unsupported grant type.', true),
  invalid_scope: row(400, 'The scope is malformed, unknown, or not allowed for this client.', true),
  // RFC 8707 section 2
  invalid_target: row(400, 'The resource is malformed, unknown, or not allowed here.', true),
  // RFC 8628 section 3.5
  slow_down: row(400, 'The device asks too often. Wait as long as Retry-After says.', false),
  authorization_pending: row(
    400,
    'The user has not allowed this device yet. Ask again later.',
    false,
  ),
  expired_token: row(400, 'The device code has expired. Ask for a new one.', false),
  // RFC 6749 section 4.1.2.1
  access_denied: row(400, 'The user or the server denied the request.', true),
  unsupported_response_type: row(400, 'Only response_type=code is supported.', false),
  server_error: row(500, 'Something went wrong on this server. Try again.', false),
  temporarily_unavailable: row(503, 'The server is busy. Try again in a moment.', false),
  // RFC 6750 section 3.1
  invalid_token: row(401, 'The access token is invalid, expired, or revoked.', false),
  insufficient_scope: row(403, 'The access token does not allow this.', true),
  // RFC 9470 section 3, and section 8.2 of draft-ietf-oauth-identity-assertion-authz-grant
  insufficient_user_authentication: row(
    400,
    'The sign-in is too old or too weak. The user has to sign in again.',
    true,
  ),
  // RFC 9449 sections 5 and 8
  invalid_dpop_proof: row(400, 'The DPoP proof cannot be used.', true),
  use_dpop_nonce: row(400, 'The DPoP proof needs the nonce in DPoP-Nonce.', false),
  // RFC 7591 section 3.2.2
  invalid_redirect_uri: row(400, 'A redirect URI is missing or cannot be used.', true),
  invalid_client_metadata: row(400, 'The metadata of the client cannot be used.', true),
  // RFC 7009 section 2.2.1
  unsupported_token_type: row(400, 'Tokens of this type cannot be revoked.', false),
  // OpenID Connect Core Error Code unmet_authentication_requirements 1.0
  unmet_authentication_requirements: row(
    400,
    'The user cannot meet the requested authentication level.',
    false,
  ),
  // OpenID Connect Core section 3.1.2.6
  interaction_required: row(400, 'The user must interact with this server.', false),
  login_required: row(400, 'The user must sign in.', false),
  account_selection_required: row(400, 'The user must choose an account.', false),
  consent_required: row(400, 'The user must be asked for consent.', false),
  request_not_supported: row(400, 'Request objects are not supported.', false),
  request_uri_not_supported: row(400, 'The parameter request_uri is not supported.', false),
  registration_not_supported: row(400, 'The parameter registration is not supported.', false),
} as const;

export type ErrorCode = keyof typeof errorTable;

function row(status: number, sentence: string, tellsReason: boolean) {
  return { status, sentence, tellsReason };
}

/** A request refused by a rule: the code is for the client, the real reason for the log. */
export class OAuthRefusal extends Error {
  override readonly name = 'OAuthRefusal';
  readonly code: ErrorCode;
  readonly reason: string;
  /**
   * Set where the response must differ from the row: the status, the text of `error_description`,
   * headers such as WWW-Authenticate, or further members such as `max_age`.
   */
  readonly wire: {
    status?: number;
    sentence?: string;
    headers?: Record<Lowercase<string>, string>;
    members?: Readonly<Record<string, string | number>>;
  };

  /** The rule, with what was received and what was expected; for the trace. */
  readonly facts: Facts | undefined;

  constructor(code: ErrorCode, reason: string, wire: OAuthRefusal['wire'] = {}, facts?: Facts) {
    super(reason);
    this.code = code;
    this.reason = reason;
    this.wire = wire;
    this.facts = facts;
  }
}

/** Ends the request. @throws OAuthRefusal always */
export function refuse(
  code: ErrorCode,
  reason: string,
  facts?: Facts,
  wire?: OAuthRefusal['wire'],
): never {
  throw new OAuthRefusal(code, reason, wire, facts);
}

/** The text of `error_description`: printable ASCII without `"` and `\` (RFC 6749 section 5.2). */
export function descriptionOf(refusal: OAuthRefusal): string {
  const row = errorTable[refusal.code];
  const text = row.tellsReason ? refusal.reason : (refusal.wire.sentence ?? row.sentence);
  return text
    .replace(/"/g, "'")
    .replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?')
    .slice(0, 300);
}

/** The problems that end on an error page and are never sent to a client by redirect. */
const pageProblems = [
  'malformed_request',
  'client_id_missing',
  'client_id_repeated',
  'client_unknown',
  'client_disabled',
  'client_document_invalid',
  'client_document_unreachable',
  'client_gone',
  'client_not_accepted',
  'request_uri_invalid',
  'redirect_uri_missing',
  'redirect_uri_repeated',
  'redirect_uri_unregistered',
  'redirect_uri_forbidden',
  'cancelled',
  'flow_foreign',
  'flow_invalid',
  'flow_used',
  'logout_refused',
  'logout_refused_signed_out',
  'cross_site',
  'wrong_address',
  'posted_elsewhere',
  'form_stale',
  'account_switched',
  'form_malformed',
  'form_outdated',
  'not_found',
  'not_in_docs',
  'method_not_allowed',
  'too_large',
  'server_error',
  'server_busy',
  'too_many_new_apps',
  'too_many_documents',
] as const;

export type PageProblem = (typeof pageProblems)[number];

/** The client that a refused request named, and the redirect URI exactly as sent. */
type Asked = { client: { id: string; name: string }; redirectUri: string | undefined };

/** What the page tells the client's developer, and what the trace keeps. */
type RefusedPage = { asked?: Asked | undefined; facts?: Facts | undefined };

/** The address at which a page was opened, and the one at which it should have been. */
export type Opened = {
  at: string;
  issuer: string;
  /** The same page, as path and query. */
  target: string;
  /** Whether the page names the setting to change, because the visitor is probably the operator. */
  tellsSetting: boolean;
};

/** A refusal shown on our error page instead of being sent to a client. */
export class PageRefusal extends Error {
  override readonly name = 'PageRefusal';
  readonly problem: PageProblem;
  readonly reason: string;
  readonly code: ErrorCode | null;
  /** For the client's developer, once the client is known. */
  readonly asked: Asked | undefined;
  /** As in OAuthRefusal. */
  readonly facts: Facts | undefined;
  /** Where the browser was, if that is the problem. */
  opened?: Opened;
  /** After too many requests: when the same request would be answered again. */
  refusedUntil?: Date;

  constructor(
    problem: PageProblem,
    reason: string,
    code: ErrorCode | null = null,
    { asked, facts }: RefusedPage = {},
  ) {
    super(reason);
    this.problem = problem;
    this.reason = reason;
    this.code = code;
    this.asked = asked;
    this.facts = facts;
  }
}

/** A refused request, answered to a program or on a page. */
export type Refusal = OAuthRefusal | PageRefusal;

export function isRefusal(error: unknown): error is Refusal {
  return error instanceof OAuthRefusal || error instanceof PageRefusal;
}

/** The original refusal behind one that replaced it, such as "too many requests". */
export const trueRefusal = (refusal: Refusal): Refusal =>
  refusal.cause instanceof OAuthRefusal ? refusal.cause : refusal;

/** Ends the request on an error page. @throws PageRefusal always */
export function refusePage(
  problem: PageProblem,
  reason: string,
  code: ErrorCode | null = null,
  about: RefusedPage = {},
): never {
  throw new PageRefusal(problem, reason, code, about);
}

/**
 * The same after too many requests, with the time from which they are answered again.
 * @throws PageRefusal always
 */
export function refusePageUntil(
  refusedUntil: Date,
  problem: PageProblem,
  reason: string,
  about: RefusedPage,
): never {
  const refusal = new PageRefusal(problem, reason, 'temporarily_unavailable', about);
  throw Object.assign(refusal, { refusedUntil });
}
