import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { logouts } from '#lib/identity/back-channel.ts';
import { redirectWithFlash, withUser } from '#lib/interaction/form.ts';
import { AdminRefusal } from '#lib/management/refusal.ts';
import { endSession } from '#lib/management/sessions.ts';
import { sidOf } from '#lib/oauth/id-token.ts';
import { first } from '#lib/oauth/params.ts';
import { audit } from '#lib/store/audit.ts';
import { endOtherSessions, listSessionsOf } from '#lib/store/sessions.ts';

export const sessionsPage = '/account/sessions';

/** Ends another session of the user, or all others. */
export function submitSessions(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withUser(request, now, sessionsPage, async (session, fields) => {
    const actor = { id: session.user.id, address: request.address, requestId: request.id };
    if (first(fields, 'others') !== undefined) {
      await endOtherSessions(session.user.id, session.hash);
      const event = {
        actor: actor.id,
        userId: actor.id,
        address: request.address,
        requestId: request.id,
      };
      await audit({ ...event, type: 'session.ended', detail: { others: true } }, now);
      logouts.soon();
      return redirectWithFlash(sessionsPage, { done: 'sessions.othersEnded' });
    }
    // The page refers to sessions by `sid`, not by their digests.
    const named = (await listSessionsOf(session.user.id, now)).find(
      ({ hash }) => sidOf(hash) === first(fields, 'session'),
    );
    try {
      if (named) await endSession(session.user.id, named.hash, actor, now);
    } catch (error) {
      if (!(error instanceof AdminRefusal)) throw error;
    }
    return redirectWithFlash(sessionsPage, { done: 'sessions.ended' });
  });
}
