import { actorAt } from '../http/actor.ts';
import type { HttpRequest } from '../http/message.ts';
import type { OAuthRefusal } from '../oauth/errors.ts';
import { auditNoAccess } from '../store/access.ts';

/** Records in the audit log that a user may not use an app, and why. */
export async function auditKeptOut(
  { facts }: OAuthRefusal,
  request: HttpRequest,
  now: Date,
): Promise<void> {
  const { userId, clientId } = request.about;
  await auditNoAccess(actorAt(request, userId), { userId, clientId }, now, facts?.rule);
}
