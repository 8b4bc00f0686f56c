import { log } from '../log.ts';
import { OAuthRefusal, PageRefusal, type Refusal } from '../oauth/errors.ts';
import { auditOnce } from '../store/audit.ts';
import { count } from '../store/usage.ts';
import type { HttpRequest } from './message.ts';

/**
 * Writes a refusal down, once and in one place: a line in the log, with the true reason under the
 * request id that the client has too; a count; and for a failed client authentication an event,
 * once a minute for a client and address. No query string and no secret is in any of them.
 * @param path the address as our table of mounts has it, never as it was sent
 */
export async function noteRefusal(
  refusal: Refusal,
  request: Pick<HttpRequest, 'id' | 'method' | 'address' | 'about'>,
  path: string,
  now: Date,
): Promise<void> {
  const { code, reason } = refusal;
  const clientId = request.about.clientId ?? refusal.clientId;
  const problem = refusal instanceof PageRefusal ? refusal.problem : undefined;
  // The person's own decision, which has its line already.
  if (problem === 'cancelled') return;
  const line = { requestId: request.id, method: request.method, path, clientId, problem };
  log().info({ ...line, code, reason, redirectUri: addressIn(refusal) }, 'refused');
  // HEAD leaves nothing behind but the line.
  if (request.method !== 'HEAD') count('refusal', clientId, now);
  const behind = refusal.cause instanceof OAuthRefusal ? refusal.cause : refusal;
  if (behind.code === 'invalid_client') await auditFailure(clientId, behind.reason, request, now);
}

/** The address that a page refused, without its query: that may hold anything. */
function addressIn(refusal: Refusal): string | undefined {
  const asked = refusal instanceof PageRefusal ? refusal.asked : undefined;
  return asked?.redirectUri?.replace(/[?#].*$/s, '?…').slice(0, 300);
}

async function auditFailure(
  clientId: string | null,
  reason: string,
  { id, address }: Pick<HttpRequest, 'id' | 'address'>,
  now: Date,
): Promise<void> {
  const event = { type: 'client-auth.failure', clientId, address, requestId: id } as const;
  await auditOnce(`${clientId} ${address}`, { ...event, detail: { reason } }, now);
}
