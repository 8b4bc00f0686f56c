import { AdminRefusal } from '../administration/refusal.ts';
import { endSession } from '../administration/sessions.ts';
import { updateUser } from '../administration/users.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { deliverLogoutsSoon } from '../identity/back-channel.ts';
import { sidOf } from '../oauth/id-token.ts';
import { first, type Params } from '../oauth/params.ts';
import { audit } from '../store/audit.ts';
import { endOtherSessions, listSessionsOf } from '../store/sessions.ts';
import { backTo, withPerson } from './form.ts';

export const sessionsPage = '/account/sessions';
export const profilePage = '/account/profile';

/** Signs another browser of the person out, or all others. */
export function submitSessions(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withPerson(request, now, sessionsPage, async (session, fields) => {
    const actor = { id: session.user.id, address: request.address, requestId: request.id };
    if (first(fields, 'others') !== undefined) {
      await endOtherSessions(session.user.id, session.hash);
      const event = { actor: actor.id, userId: actor.id, address: request.address, requestId: request.id };
      await audit({ ...event, type: 'session.ended', detail: { others: true } }, now);
      deliverLogoutsSoon(now);
      return backTo(sessionsPage, { done: 'sessions.othersEnded' });
    }
    // The page names sessions as clients do: their digests are nobody's business.
    const named = (await listSessionsOf(session.user.id, now)).find(({ hash }) => sidOf(hash) === first(fields, 'session'));
    try {
      if (named) await endSession(session.user.id, named.hash, actor, now);
    } catch (error) {
      if (!(error instanceof AdminRefusal)) throw error;
    }
    return backTo(sessionsPage, { done: 'sessions.ended' });
  });
}

/** The standard claims with a field of their own on the profile page, besides the name. */
export const profileFields = [
  'given_name',
  'family_name',
  'nickname',
  'website',
  'birthdate',
  'zoneinfo',
  'phone_number',
  'locale',
] as const;
export const addressFields = ['street_address', 'postal_code', 'locality', 'region', 'country'] as const;

/** What the person wants to be said of them. */
export function submitProfile(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withPerson(request, now, profilePage, async ({ user }, fields) => {
    const actor = { id: user.id, address: request.address, requestId: request.id };
    try {
      await updateUser(user.id, { name: first(fields, 'name') ?? null, claims: claimsIn(fields) }, actor, now);
    } catch (error) {
      if (!(error instanceof AdminRefusal)) throw error;
      const typed = Object.fromEntries(
        ['name', ...profileFields, ...addressFields].map((name) => [name, first(fields, name) ?? '']),
      );
      const fieldErrors = Object.fromEntries(Object.keys(error.faults).map((name) => [name, 'profile.bad']));
      return backTo(profilePage, { fieldErrors, values: typed });
    }
    return backTo(profilePage, { done: 'profile.done' });
  });
}

function claimsIn(fields: Params): Record<string, unknown> {
  const given = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, first(fields, name)?.trim()]).filter(([, value]) => value));
  const address = given(addressFields);
  return { ...given(profileFields), ...(Object.keys(address).length > 0 && { address }) };
}
