import type { HttpRequest, HttpResponse } from '../../http/message.ts';
import { withParams } from '../../oauth/redirect-uri.ts';
import { revokeAuthorization } from '../../store/authorizations.ts';
import type { Guarded } from './begin.ts';
import { leadTo, toIssuer } from './leading.ts';
import { clearSiteToken } from './site-cookies.ts';

/**
 * Ends what a browser may do on a site, and leads to the sign-out of this server, which ends the
 * rest. A page of another site can lead there too, but ends nothing.
 */
export async function signOutOfSite(
  { site, client }: Guarded,
  token: { authorizationId: string | null } | null,
  request: HttpRequest,
  now: Date,
): Promise<HttpResponse> {
  const onward = withParams(toIssuer('/oauth/logout'), { client_id: client.id });
  const from = request.header('sec-fetch-site') ?? 'none';
  const dest = request.header('sec-fetch-dest') ?? 'document';
  if (from === 'cross-site' || !/^(?:document|empty)$/.test(dest)) return leadTo(onward);
  if (token?.authorizationId) await revokeAuthorization(token.authorizationId, now);
  return leadTo(onward, [clearSiteToken(site)]);
}
