import { dpopAlgs } from './dpop.ts';
import { refuse } from './errors.ts';
import type { Rule } from './facts.ts';
import { first, isRepeated, type Params } from './params.ts';

const realm = 'Bearer realm="Gatehouse"';

/** The WWW-Authenticate challenge of RFC 6750 section 3, without an error if no token was sent. */
export function challenge(error?: string, description?: string): Record<Lowercase<string>, string> {
  const detail = error ? `, error="${error}", error_description="${description}"` : '';
  return { 'www-authenticate': realm + detail };
}

/** The same for a token that is bound to a key (RFC 9449 section 7.1). */
export function dpopChallenge(
  error: string,
  description: string,
): Record<Lowercase<string>, string> {
  const what = `DPoP realm="Gatehouse", error="${error}", error_description="${description}"`;
  return { 'www-authenticate': `${what}, algs="${dpopAlgs.join(' ')}"` };
}

export type SentToken = { text: string; scheme: 'Bearer' | 'DPoP' };

/**
 * The one access token of a request that accepts tokens bound to a key. Such a token is sent in the
 * header only (RFC 9449 section 7.1).
 * @throws OAuthRefusal
 */
export function readSentToken(
  authorization: string | undefined,
  body: Params,
  query: Params,
  acceptQuery: boolean,
): SentToken {
  const text = readHeader(authorization, 'DPoP');
  if (text === undefined)
    return { text: readBearerToken(authorization, body, query, acceptQuery), scheme: 'Bearer' };
  if ([body, query].some((params) => params.has('access_token')))
    refuseToken('The access token was sent in more than one way.', 'parameter.repeated');
  return { text, scheme: 'DPoP' };
}

/**
 * The one access token of a request (RFC 6750 section 2): from the header, the form body or, if a
 * setting allows it, the query.
 * @throws OAuthRefusal
 */
export function readBearerToken(
  authorization: string | undefined,
  body: Params,
  query: Params,
  acceptQuery: boolean,
): string {
  for (const params of [body, query]) {
    if (isRepeated(params, 'access_token'))
      refuseToken('access_token was sent more than once.', 'parameter.repeated');
  }
  const fromQuery = first(query, 'access_token');
  if (fromQuery !== undefined && !acceptQuery)
    refuseToken(
      'Access tokens are not accepted in the URL. Send it in the Authorization header.',
      'parameter.in-query',
    );
  const inHeader = readHeader(authorization, 'Bearer');
  const sent = [inHeader, first(body, 'access_token'), fromQuery].filter(
    (token) => token !== undefined,
  );
  if (sent.length > 1)
    refuseToken('The access token was sent in more than one way.', 'parameter.repeated');
  const missing = { rule: 'access-token.missing', expected: ['Authorization: Bearer …'] } as const;
  return (
    sent[0] ??
    refuse('invalid_token', 'No access token was sent.', missing, { headers: challenge() })
  );
}

const schemes = { Bearer: /^bearer(?: +(.*))?$/is, DPoP: /^dpop(?: +(.*))?$/is } as const;

function readHeader(
  authorization: string | undefined,
  scheme: SentToken['scheme'],
): string | undefined {
  const found = schemes[scheme].exec(authorization ?? '');
  if (!found) return undefined;
  const token = found[1]?.trim();
  return token && /^[A-Za-z0-9._~+/-]+=*$/.test(token)
    ? token
    : refuseToken(
        `The Authorization header does not contain a ${scheme} token.`,
        'parameter.invalid',
      );
}

function refuseToken(reason: string, rule: Rule): never {
  const facts = { rule, expected: ['Authorization: Bearer …, once'] };
  refuse('invalid_request', reason, facts, { headers: challenge('invalid_request', reason) });
}
