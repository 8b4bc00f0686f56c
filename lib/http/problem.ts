import { config } from '../config.ts';
import { type ErrorCode, errorTable, OAuthRefusal } from '../oauth/errors.ts';
import { type Facts, shownOf } from '../oauth/facts.ts';
import { json } from './answers.ts';
import type { HttpHeaders, HttpResponse } from './message.ts';

/** What is wrong with one field of a request: what arrived, and what is expected. */
type FieldFault = { field: string; detail: string };

/** The problems of the API by status, with their titles (RFC 9457). */
export const problems = {
  400: 'Malformed request',
  401: 'Not authenticated',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  406: 'Not acceptable',
  408: 'Request too slow',
  409: 'Conflict',
  412: 'Changed meanwhile',
  413: 'Too large',
  415: 'Unsupported media type',
  422: 'Invalid value',
  429: 'Too many requests',
  500: 'Failure',
  503: 'Busy',
} as const;

export type ProblemStatus = keyof typeof problems;

const codes: Partial<Record<ProblemStatus, ErrorCode>> = {
  401: 'invalid_token',
  403: 'insufficient_scope',
  429: 'temporarily_unavailable',
};

type Further = { headers?: Record<Lowercase<string>, string>; errors?: readonly FieldFault[] };

/** A refusal by the API: nothing has been changed. */
export class Problem extends OAuthRefusal {
  readonly errors: readonly FieldFault[];

  constructor(
    status: ProblemStatus,
    reason: string,
    { headers = {}, errors = [] }: Further = {},
    facts?: Facts,
  ) {
    // The reason may quote the request, where a secret may have been sent in the wrong place.
    super(codes[status] ?? 'invalid_request', shownOf(reason), { status, headers }, facts);
    this.errors = errors.map(({ field, detail }) => ({ field, detail: shownOf(detail) }));
  }
}

/** @throws Problem always */
export function refuseAs(
  status: ProblemStatus,
  reason: string,
  further?: Further,
  facts?: Facts,
): never {
  throw new Problem(status, reason, further, facts);
}

const isProblemStatus = (status: number): status is ProblemStatus => status in problems;

export function problemJson(refusal: OAuthRefusal, requestId: string): HttpResponse {
  const row = errorTable[refusal.code];
  const sent = refusal.wire.status ?? row.status;
  const status = isProblemStatus(sent) ? sent : 400;
  const isTold = refusal instanceof Problem || row.tellsReason;
  const errors = refusal instanceof Problem ? refusal.errors : [];
  const value = {
    type: `${config().issuer}/docs/api/problems#${status}`,
    title: problems[status],
    status,
    detail: isTold ? refusal.reason : (refusal.wire.sentence ?? row.sentence),
    request_id: requestId,
    ...(errors.length > 0 ? { errors } : {}),
  };
  const headers: HttpHeaders = {
    'content-type': 'application/problem+json',
    ...refusal.wire.headers,
  };
  return json(status, value, headers);
}
