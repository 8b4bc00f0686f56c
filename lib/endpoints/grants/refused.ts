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

/** A code or a refresh token that is refused, and its authorization; null: there is none. */
type Refused = {
  sent: 'code' | 'refresh-token';
  authorization: Authorization | null;
  /** It stays as it is, ends, or ends because it was used before. */
  does: 'refuse' | 'burn' | 'end';
  refusal: OAuthRefusal;
  /** What keeps its user from the client; null: nothing. */
  barred: Barred | null;
};

/** Does with the authorization what was judged, writes it down, and refuses. @throws OAuthRefusal always */
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

/** What was sent, and whether anything lived that has ended by it: only then is it an event, which nobody can repeat at will. */
type Reuse = { http: HttpRequest; hasEnded: boolean };

const noteReuse = { code: noteReusedCode, 'refresh-token': noteReusedToken } as const;

/**
 * A second redemption revokes every token from the code, including those of a winner in this
 * instant.
 */
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

/** Even if rotated long ago and expired: its successors are live, and someone has a copy. */
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
