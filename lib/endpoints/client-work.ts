import type { HttpRequest } from '../http/message.ts';
import type { Client } from '../oauth/client.ts';
import { type ClientCredentials, checkClientAuthentication } from '../oauth/client-auth.ts';
import { OAuthRefusal, onBehalfOf } from '../oauth/errors.ts';
import { noteUse } from '../store/usage.ts';
import { limitFailure } from './request-limits.ts';

/** Proves a client and notes which secret it used. @throws OAuthRefusal invalid_client */
export function proveClient(
  credentials: ClientCredentials,
  known: Client | null,
  now: Date,
): Client {
  const { client, secretHash } = checkClientAuthentication(known, credentials);
  if (secretHash !== null) noteUse('client_secrets', secretHash, now);
  return client;
}

/** What a check gives, or null where it refuses: for a try that is judged anew when it fails. */
export function orNull<T>(check: () => T): T | null {
  try {
    return check();
  } catch (error) {
    if (error instanceof OAuthRefusal) return null;
    throw error;
  }
}

/**
 * Does what a client asks for. A refusal says whose request it was; those for secrets, codes and
 * refresh tokens that are not good are limited.
 * @throws what the work throws
 */
export async function forClient<T>(
  request: HttpRequest,
  client: Client | null,
  now: Date,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await onBehalfOf(client?.id ?? null, work);
  } catch (error) {
    const guesses = error instanceof OAuthRefusal && guessed.has(error.code);
    throw guesses ? await limitFailure(request, client, error, now) : error;
  }
}
const guessed = new Set(['invalid_client', 'invalid_grant']);
