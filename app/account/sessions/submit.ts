import { actorAt } from '#lib/http/actor.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { logouts } from '#lib/identity/back-channel.ts';
import { forgetDevice } from '#lib/identity/remembered-device.ts';
import { renewedDevice } from '#lib/identity/sign-in.ts';
import { redirectWithFlash, withUser } from '#lib/interaction/form.ts';
import { AdminRefusal } from '#lib/management/refusal.ts';
import { endSession } from '#lib/management/session/sessions.ts';
import { sessionName } from '#lib/oauth/id-token.ts';
import { first } from '#lib/oauth/params.ts';
import { eventBy } from '#lib/store/actor.ts';
import { endOtherSessions, listSessionsOf } from '#lib/store/sessions.ts';

export const sessionsPage = '/account/sessions';

/** Ends another session of the user or all others, or forgets one or all remembered devices. */
export function submitSessions(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withUser(request, now, sessionsPage, async (session, fields) => {
    const actor = actorAt(request, session.user.id);
    if (first(fields, 'others') !== undefined) {
      const about = { userId: actor.id, detail: { others: true } };
      const event = eventBy(actor, 'session.ended', about);
      await endOtherSessions(session.user.id, session.hash, event, now);
      logouts.soon();
      const cookie = await renewedDevice(request, session.user.id, now);
      return redirectWithFlash(sessionsPage, { done: 'sessions.othersEnded' }, cookie);
    }
    const device = first(fields, 'devices') === undefined ? first(fields, 'device') : null;
    if (device !== undefined) {
      await forgetDevice(request, session.user.id, device, now);
      return redirectWithFlash(sessionsPage, { done: 'remembered.forgotten' });
    }
    // The page refers to sessions by name, not by their hashes.
    const named = (await listSessionsOf(session.user.id, now)).find(
      ({ hash }) => sessionName(hash) === first(fields, 'session'),
    );
    try {
      if (named) await endSession(session.user.id, named.hash, actor, now);
    } catch (error) {
      if (!(error instanceof AdminRefusal)) throw error;
    }
    return redirectWithFlash(sessionsPage, { done: 'sessions.ended' });
  });
}
