import { refuse } from '../../oauth/errors.ts';
import { checkGrantType } from '../../oauth/grant-types.ts';
import { first } from '../../oauth/params.ts';
import { checkMachineScope } from '../../oauth/scope.ts';
import { newId } from '../../oauth/secrets.ts';
import { lifetimes } from '../../oauth/token-request.ts';
import { readRevision } from '../../store/revision.ts';
import { scopesAt } from '../../store/scopes.ts';
import { settingsAt } from '../../store/settings.ts';
import { authenticateClient } from '../client-authentication.ts';
import { issueClientToken, type TokenAnswer } from '../issue-tokens.ts';
import type { TokenRequest } from './grant.ts';

/**
 * The client credentials grant (RFC 6749 section 4.4): a token for the client itself, without a
 * refresh token. Clients must be allowed to use it.
 * @throws OAuthRefusal
 */
export async function clientCredentials(
  { params, http }: TokenRequest,
  now: Date,
): Promise<TokenAnswer> {
  const revision = await readRevision();
  const client = await authenticateClient(params, http, revision, now);
  if (client.type === 'public')
    refuse('unauthorized_client', 'Public clients cannot use client_credentials.', {
      rule: 'client-auth.confidential-only',
    });
  checkGrantType(client, 'client_credentials');
  const scope = checkMachineScope(first(params, 'scope'), client, await scopesAt(revision));
  const { accessToken: life } = lifetimes(client, await settingsAt(revision));
  http.about.attempt = newId(now);
  return issueClientToken(client, scope.join(' '), life, revision, now);
}
