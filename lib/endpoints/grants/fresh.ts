import { barredFrom } from '../../access/held.ts';
import type { Client } from '../../oauth/client.ts';
import { OAuthRefusal } from '../../oauth/errors.ts';
import type { Authorization } from '../../store/authorizations.ts';

/**
 * Checks what a token or an assertion is issued anew for: the user may use the client, and every
 * client that the authorization came through, as if the user were there.
 * @throws OAuthRefusal invalid_request (RFC 8693 section 2.2.2), insufficient_user_authentication
 */
export async function checkFresh(
  client: Client,
  authorization: Authorization,
  now: Date,
): Promise<void> {
  const barred = await barredFrom(client, authorization, 'anew', now);
  if (!barred) return;
  if (barred.by === 'sign-in') throw barred.refusal;
  const { reason, facts } = barred.refusal;
  throw new OAuthRefusal('invalid_request', reason, {}, facts);
}
