import type { HttpRequest, HttpResponse } from '../http/message.ts';
import type { Client } from '../oauth/client.ts';
import { readClientCredentials } from '../oauth/client-auth.ts';
import { refuse } from '../oauth/errors.ts';
import { isRepeated, type Params } from '../oauth/params.ts';
import { clientAt } from '../store/clients.ts';
import { forClient, proveClient } from './client-work.ts';

/**
 * Answers a request of a client that must prove itself, as of a revision; whatever is refused on
 * the way names the client.
 * @throws OAuthRefusal invalid_client
 */
export async function withClient(
  params: Params,
  request: HttpRequest,
  revision: number,
  now: Date,
  answer: (client: Client) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const credentials = readClientCredentials(params, request.header('authorization'));
  const known = credentials.id === undefined ? null : await clientAt(revision, credentials.id);
  return forClient(request, known, now, async () => answer(proveClient(credentials, known, now)));
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
