import { json } from '../http/answers.ts';
import { readBodyParams, readQueryParams } from '../http/body.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { refuse } from '../oauth/errors.ts';
import { first, isRepeated, joinParams, type Params } from '../oauth/params.ts';
import { readSettings } from '../store/settings.ts';
import { clientCredentialsGrant } from './token-client.ts';
import { codeGrant } from './token-code.ts';
import { refreshGrant } from './token-refresh.ts';

/** A token request whose parameters have been read, each sent once. */
export type TokenRequest = { params: Params; http: HttpRequest };

/** The token endpoint (RFC 6749 section 3.2). @throws OAuthRefusal */
export async function token(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const params = await readParams(request);
  const grantType =
    first(params, 'grant_type') ?? refuse('invalid_request', 'grant_type is missing.');
  if (grantType === 'authorization_code')
    return json(200, await codeGrant({ params, http: request }, now));
  if (grantType === 'refresh_token')
    return json(200, await refreshGrant({ params, http: request }, now));
  if (grantType === 'client_credentials')
    return json(200, await clientCredentialsGrant({ params, http: request }, now));
  refuse('unsupported_grant_type', 'grant_type is not one of this server.');
}

/**
 * Body and query together. In the query only the refresh grant may stand, and only by the
 * setting: URLs end up in logs, and a code or secret there must not be spent.
 */
async function readParams(request: HttpRequest): Promise<Params> {
  const body = await readBodyParams(request);
  const query = readQueryParams(request);
  const params = joinParams(body, query);
  const repeated = [...params.keys()].find((name) => isRepeated(params, name));
  if (repeated !== undefined)
    refuse('invalid_request', `${repeated.slice(0, 40)} is sent more than once.`);
  if (query.size > 0) await checkQuery(first(params, 'grant_type'));
  return params;
}

async function checkQuery(grantType: string | undefined): Promise<void> {
  if (grantType !== 'refresh_token')
    refuse('invalid_request', 'Parameters belong in the body of the request, not in its URL.');
  const { acceptRefreshParamsInQuery } = await readSettings();
  if (!acceptRefreshParamsInQuery)
    refuse('invalid_request', 'This server takes no parameters in the URL; send them in the body.');
}
