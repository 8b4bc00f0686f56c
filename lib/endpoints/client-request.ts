import type { HttpRequest } from '../http/message.ts';
import type { Client } from '../oauth/client.ts';
import { readClientCredentials } from '../oauth/client-auth.ts';
import { refuse } from '../oauth/errors.ts';
import { isRepeated, type Params } from '../oauth/params.ts';
import { clientAt } from '../store/clients.ts';
import { proveClient } from './client-failure.ts';

/** The client that sends a request, as of a revision, proven. @throws OAuthRefusal invalid_client */
export async function authenticateClient(
  params: Params,
  request: HttpRequest,
  revision: number,
  now: Date,
): Promise<Client> {
  const credentials = readClientCredentials(params, request.header('authorization'));
  const known = credentials.id === undefined ? null : await clientAt(revision, credentials.id);
  return proveClient(request, credentials, known, now);
}

/** Tokens and secrets in a URL end up in logs. @throws OAuthRefusal invalid_request */
export function checkNothingInQuery(request: HttpRequest): void {
  if (request.query !== '')
    refuse('invalid_request', 'Parameters belong in the body of the request, not in its URL.');
}

/** RFC 6749 section 3.2: no parameter more than once. @throws OAuthRefusal invalid_request */
export function checkNotRepeated(params: Params): void {
  const repeated = [...params.keys()].find((name) => isRepeated(params, name));
  if (repeated !== undefined)
    refuse('invalid_request', `${repeated.slice(0, 40)} is sent more than once.`);
}
