import { checkProof } from '../../oauth/dpop.ts';
import { checkConfidentialGrant } from '../../oauth/grant-types.ts';
import { noteIgnoredScopes } from '../../oauth/ignored.ts';
import { first } from '../../oauth/params.ts';
import { askedResources, checkResources, noteIgnored } from '../../oauth/resource.ts';
import { checkMachineScope } from '../../oauth/scope.ts';
import { newId } from '../../oauth/secrets.ts';
import { checkFormat } from '../../oauth/token-target.ts';
import { apisAt } from '../../store/apis.ts';
import { readRevision } from '../../store/engine/revision.ts';
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
export async function clientCredentials(request: TokenRequest, now: Date): Promise<TokenAnswer> {
  const { params, http, dpop: sent } = request;
  const revision = await readRevision();
  const client = await authenticateClient(request, revision, now);
  checkConfidentialGrant(client, 'client_credentials', 'use client_credentials');
  const settings = await settingsAt(revision);
  const dpop = checkProof(sent, client, settings);
  const asked = checkResources(
    askedResources(params, client),
    client,
    await apisAt(revision),
    settings,
  );
  const { apis } = asked;
  const known = await scopesAt(revision);
  const scope = checkMachineScope(first(params, 'scope'), client, known, apis).join(' ');
  checkFormat(apis, scope);
  http.about.attempt = newId(now);
  http.about.notes.push(
    ...noteIgnored(asked),
    ...noteIgnoredScopes(first(params, 'scope'), scope.split(' ')),
  );
  return issueClientToken({ client, settings, revision, dpop }, { scope, apis }, now);
}
