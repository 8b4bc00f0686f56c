import { actorAt } from '#lib/http/actor.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { passwordFault } from '#lib/identity/password-rules.ts';
import { proveOwnPassword } from '#lib/identity/password-tries.ts';
import { hashPassword } from '#lib/identity/passwords.ts';
import { changeUsername } from '#lib/identity/usernames.ts';
import { redirectWithFlash, withUser } from '#lib/interaction/form.ts';
import { withFreshUser } from '#lib/interaction/fresh-form.ts';
import { notify } from '#lib/mail/notify.ts';
import type { MessageKey } from '#lib/messages/text.ts';
import { first } from '#lib/oauth/params.ts';
import { eventBy } from '#lib/store/actor.ts';
import { audit } from '#lib/store/audit.ts';
import { endOtherSessions } from '#lib/store/sessions.ts';
import { minutesUntil } from '#lib/store/throttles.ts';
import { choosePassword, findUser } from '#lib/store/users.ts';
import { revokeGrants } from '#lib/store/withdrawals.ts';

/** The page of the forms below. */
export const signInPage = '/account/sign-in';

/** Changes the user's own password. Other sessions end, and app tokens too if ticked. */
export function submitPassword(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withUser(request, now, signInPage, async (session, fields) => {
    const user = await findUser(session.user.id);
    const [current, wanted] = [
      first(fields, 'current_password') ?? '',
      first(fields, 'new_password') ?? '',
    ];
    const endAppTokens = first(fields, 'end_app_tokens') === 'on';
    const refuse = async (fieldErrors: Record<string, MessageKey>, wait?: number) =>
      redirectWithFlash(signInPage, {
        fieldErrors,
        wait,
        values: { endAppTokens: String(endAppTokens) },
      });
    const proof = await proveOwnPassword(session, current, user?.passwordHash ?? null, now);
    if (proof === 'wrong') return refuse({ current_password: 'home.passwordWrong' });
    if (proof !== 'right')
      return refuse(
        { current_password: 'signIn.throttled' },
        minutesUntil(proof.refusedUntil, now),
      );
    const fault =
      current === wanted
        ? 'home.passwordSame'
        : passwordFault(wanted, [session.user.username, session.user.email]);
    if (fault) return refuse({ new_password: fault });
    const replaced = await choosePassword(
      session.user.id,
      user?.passwordHash ?? '',
      await hashPassword(wanted),
      now,
    );
    if (!replaced) return refuse({ current_password: 'home.passwordWrong' });
    await endOtherSessions(session.user.id, session.hash);
    if (endAppTokens) await revokeGrants({ userId: session.user.id }, now);
    const about = { userId: session.user.id, detail: { endAppTokens } };
    await audit(eventBy(actorAt(request, session.user.id), 'password.changed', about), now);
    await notify(session.user.id, 'password-changed', {}, now);
    return redirectWithFlash(signInPage, { done: 'home.passwordDone' });
  });
}

/** Changes the username. Since it is used to sign in, this requires a fresh sign-in. */
export function submitUsername(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const place = { page: signInPage, keeps: ['username'] } as const;
  return withFreshUser(request, now, place, async (session, fields) => {
    const typed = first(fields, 'username') ?? '';
    const event = (detail: Record<string, unknown>) =>
      eventBy(actorAt(request, session.user.id), 'user.updated', {
        userId: session.user.id,
        detail,
      });
    const fault = await changeUsername(session.user, typed, event, now);
    return fault === null
      ? redirectWithFlash(signInPage, { done: 'username.done' })
      : redirectWithFlash(signInPage, {
          fieldErrors: { username: fault },
          values: { username: typed },
        });
  });
}
