import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { FetchFailed } from '../../http/outgoing.ts';
import { type FaultRule, ProviderFault } from './fault.ts';

/** Error codes a provider sends if its record of this server, or ours of it, is wrong. */
const aboutClient = new Set([
  'invalid_client',
  'unauthorized_client',
  'redirect_uri_mismatch',
  'incorrect_client_credentials',
  // Slack
  'bad_client_secret',
  'invalid_client_id',
]);

/** RFC 6750 section 3.1: what a challenge says about an access token, not about this server. */
const aboutToken = new Set(['invalid_token', 'insufficient_scope', 'invalid_request']);

/**
 * The fault behind any error thrown while a provider was asked. `otherwise` is the rule if nothing
 * more specific is known.
 */
export function faultOf(error: unknown, otherwise: FaultRule = 'provider.answer'): ProviderFault {
  if (error instanceof ProviderFault) return error;
  const unreachable = [error, (error as Error).cause].find((each) => each instanceof FetchFailed);
  if (unreachable instanceof FetchFailed)
    return new ProviderFault('provider.unreachable', unreachable.message, unreachable.message);
  const refused = refusalIn(error);
  if (refused) {
    const isAboutClient = refused.isUnauthorized || aboutClient.has(refused.code);
    const rule = isAboutClient ? 'provider.client' : 'provider.refused';
    const received = `${refused.code} ${refused.text}`.trim();
    return new ProviderFault(rule, 'The provider refused.', received);
  }
  const { message, code } = error as Error & { code?: string };
  const { claim, expected, received } = comparedIn(error);
  const about = [message, code, claim, received].filter(Boolean).join(', ');
  return new ProviderFault(
    otherwise,
    `The answer of the provider is not right: ${message}`,
    about,
    expected,
  );
}

/** `isUnauthorized`: the provider does not accept this server as its client, whatever it says. */
type ProviderRefusal = { code: string; text: string; isUnauthorized: boolean };

/**
 * The error a provider sent instead of an answer: in a body, in a challenge (RFC 6749 section 5.2
 * has both), or as the status 401 alone. GitHub sends it in a token response with status 200.
 */
function refusalIn(error: unknown): ProviderRefusal | null {
  if (error instanceof AuthorizationResponseError)
    return { code: error.error, text: error.error_description ?? '', isUnauthorized: false };
  if (error instanceof ResponseBodyError) {
    const { error: code, error_description: text = '', status } = error;
    return { code, text, isUnauthorized: status === 401 };
  }
  if (error instanceof WWWAuthenticateChallengeError) return refusalOfChallenge(error);
  const cause = error instanceof ClientError ? error.cause : undefined;
  if (cause instanceof Response && cause.status === 401)
    return { code: 'HTTP 401', text: '', isUnauthorized: true };
  const { body } = factsOf(error) as { body?: Record<string, unknown> };
  const { error: code, error_description: said } = body ?? {};
  const text = typeof said === 'string' ? said : '';
  return typeof code === 'string' ? { code, text, isUnauthorized: false } : null;
}

function refusalOfChallenge({ cause, status }: WWWAuthenticateChallengeError): ProviderRefusal {
  const [challenge] = cause;
  const { error, error_description: text = '' } = challenge?.parameters ?? {};
  const code = error ?? `HTTP ${status} ${challenge?.scheme ?? ''}`.trim();
  return { code, text, isUnauthorized: status === 401 && !aboutToken.has(code) };
}

/** The details that openid-client gives of a wrong answer. */
function factsOf(error: unknown): Record<string, unknown> {
  const operation = error instanceof ClientError ? (error.cause as Error | undefined) : undefined;
  const { cause } = operation ?? {};
  return cause !== null && typeof cause === 'object' ? (cause as Record<string, unknown>) : {};
}

/** The claim that openid-client compared, its value and the expected value. */
function comparedIn(error: unknown) {
  const operation = error instanceof ClientError ? (error.cause as Error | undefined) : undefined;
  const { claim, attribute, expected, claims, body, parameters } = factsOf(error);
  // Of an answer's parameters only `iss` is compared there: its state was opened before.
  if (parameters instanceof URLSearchParams && expected !== undefined)
    return { claim: 'iss', received: parameters.get('iss') ?? '', expected: [String(expected)] };
  const name = typeof claim === 'string' ? claim : typeof attribute === 'string' ? attribute : null;
  const holder = (claims ?? body ?? {}) as Record<string, unknown>;
  const value = name === null ? undefined : holder[name];
  return {
    claim: name,
    received: value === undefined ? operation?.message : JSON.stringify(value)?.slice(0, 300),
    ...(expected !== undefined && { expected: [String(expected).slice(0, 300)] }),
  };
}
