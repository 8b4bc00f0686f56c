import type { Client } from '../oauth/client.ts';
import { readClientCredentials } from '../oauth/client-auth.ts';
import { refuse } from '../oauth/errors.ts';
import { first, type Params } from '../oauth/params.ts';
import { checkMachineScope } from '../oauth/scope.ts';
import { checkGrantType, lifetimes } from '../oauth/token-request.ts';
import { clientAt } from '../store/clients.ts';
import { readRevision } from '../store/revision.ts';
import { scopesAt } from '../store/scopes.ts';
import { settingsAt } from '../store/settings.ts';
import { forClient, proveClient } from './client-work.ts';
import { issueClientToken, type TokenAnswer } from './issue-tokens.ts';
import type { TokenRequest } from './token.ts';

/**
 * The client credentials grant (RFC 6749 section 4.4): a token that stands for the client itself.
 * Each client must have been allowed it. No refresh token comes with it.
 * @throws OAuthRefusal
 */
export async function clientCredentialsGrant(
  { params, http }: TokenRequest,
  now: Date,
): Promise<TokenAnswer> {
  const revision = await readRevision();
  const credentials = readClientCredentials(params, http.header('authorization'));
  const known = credentials.id === undefined ? null : await clientAt(revision, credentials.id);
  return forClient(http, known, now, async () => {
    const client = proveClient(credentials, known, now);
    return issue(client, revision, params, now);
  });
}

async function issue(
  client: Client,
  revision: number,
  params: Params,
  now: Date,
): Promise<TokenAnswer> {
  if (client.type === 'public')
    refuse('unauthorized_client', 'A public client cannot prove that it is itself.');
  checkGrantType(client, 'client_credentials');
  const scope = checkMachineScope(first(params, 'scope'), client, await scopesAt(revision)).join(
    ' ',
  );
  const { accessToken: life } = lifetimes(client, await settingsAt(revision));
  return issueClientToken(client, scope, life, revision, now);
}
