import { actorAt } from '../../http/actor.ts';
import type { HttpRequest } from '../../http/message.ts';
import { notify } from '../../mail/notify.ts';
import type { OAuthRefusal } from '../../oauth/errors.ts';
import { nameByProof } from '../../oauth/self-given-name.ts';
import type { Barred } from '../../oauth/token-request.ts';
import { auditNoAccess } from '../../store/access.ts';
import { eventBy } from '../../store/actor.ts';
import { audit } from '../../store/audit.ts';
import { type Authorization, revokeAuthorization } from '../../store/authorizations.ts';
import { findClient } from '../../store/clients.ts';
import { log } from '../../telemetry/log.ts';

/** A refused code or refresh token, and its authorization; null if there is none. */
type Refused = {
  sent: 'code' | 'refresh-token';
  authorization: Authorization | null;
  /**
   * What happens to the authorization: nothing ('refuse'), it ends ('burn'), or it ends because the
   * code or token was used before ('end').
   */
  does: 'refuse' | 'burn' | 'end';
  refusal: OAuthRefusal;
  /** What bars its user from the client; null if nothing does. */
  barred: Barred | null;
};

/** Ends the authorization if so judged, and records that. @throws OAuthRefusal always */
export async function refuseToken(
  { sent, authorization, does, refusal, barred }: Refused,
  http: HttpRequest,
  now: Date,
): Promise<never> {
  if (!authorization || does === 'refuse') throw refusal;
  const { id, userId, clientId } = authorization;
  const hasEnded = await revokeAuthorization(id, now);
  if (does === 'end') await noteReuse[sent](authorization, { http, hasEnded }, now);
  else if (barred?.by === 'app')
    await auditNoAccess(actorAt(http, null), { userId, clientId }, now, refusal.facts?.rule);
  throw refusal;
}

/**
 * The request, and whether it ended anything that was still alive. Only then is it an audit event,
 * so that no one can produce events at will.
 */
type Reuse = { http: HttpRequest; hasEnded: boolean };

const noteReuse = { code: noteReusedCode, 'refresh-token': noteReusedToken } as const;

/** A second redemption revokes all tokens of the code, even those just issued. */
async function noteReusedCode(
  { userId, clientId }: Authorization,
  { http, hasEnded }: Reuse,
  now: Date,
): Promise<void> {
  if (hasEnded) await audit(eventBy(actorAt(http, null), 'code.reused', { userId, clientId }), now);
  log().warn(
    { requestId: http.id, clientId },
    'a code was presented twice; its tokens are revoked',
  );
}

/**
 * Applies even to a token that was rotated long ago and has expired: its successors are live, and
 * someone has a copy.
 */
async function noteReusedToken(
  { userId, clientId }: Authorization,
  { http, hasEnded }: Reuse,
  now: Date,
): Promise<void> {
  const event = eventBy(actorAt(http, null), 'refresh-token.reused', { userId, clientId });
  if (hasEnded) await audit(event, now);
  log().warn(
    { requestId: http.id, clientId },
    'a used refresh token was presented; its authorization is revoked',
  );
  const client = hasEnded ? await findClient(clientId) : null;
  if (client) await notify(userId, 'token-reuse', { app: nameByProof(client) }, now);
}
