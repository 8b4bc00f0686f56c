import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import { FetchFailed } from '../../http/outgoing.ts';
import { type FaultRule, ProviderFault } from './fault.ts';

/** What a provider says when its record of this server, or ours of it, is wrong. */
const aboutClient = new Set([
  'invalid_client',
  'unauthorized_client',
  'redirect_uri_mismatch',
  'incorrect_client_credentials',
]);

/** The fault behind whatever was thrown while a provider was asked. `otherwise`: what it is unless it is known better. */
export function faultOf(error: unknown, otherwise: FaultRule = 'provider.answer'): ProviderFault {
  if (error instanceof ProviderFault) return error;
  const unreachable = [error, (error as Error).cause].find((each) => each instanceof FetchFailed);
  if (unreachable instanceof FetchFailed)
    return new ProviderFault('provider.unreachable', unreachable.message, unreachable.message);
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    const { error: code, error_description: text = '' } = error;
    const rule = aboutClient.has(code) ? 'provider.client' : 'provider.refused';
    return new ProviderFault(rule, 'The provider refused.', `${code} ${text}`.trim());
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

/** What openid-client compared: the claim, what it was and what it should have been. */
function comparedIn(error: unknown) {
  const operation = error instanceof ClientError ? (error.cause as Error | undefined) : undefined;
  const facts = (operation?.cause ?? {}) as Record<string, unknown>;
  const { claim, attribute, expected, claims, body } = facts;
  const name = typeof claim === 'string' ? claim : typeof attribute === 'string' ? attribute : null;
  const holder = (claims ?? body ?? {}) as Record<string, unknown>;
  const value = name === null ? undefined : holder[name];
  return {
    claim: name,
    received: value === undefined ? operation?.message : JSON.stringify(value)?.slice(0, 300),
    ...(expected !== undefined && { expected: [String(expected).slice(0, 300)] }),
  };
}
