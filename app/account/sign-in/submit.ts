import { actorAt } from '#lib/http/actor.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { logouts } from '#lib/identity/back-channel.ts';
import { passwordFault } from '#lib/identity/password-rules.ts';
import { hashPassword } from '#lib/identity/passwords.ts';
import { renewedDevice } from '#lib/identity/sign-in.ts';
import { changeUsername } from '#lib/identity/usernames.ts';
import { confirmFields, formField } from '#lib/interaction/confirm-fields.ts';
import { redirectWithFlash } from '#lib/interaction/form.ts';
import { type FormPlace, withFreshUser } from '#lib/interaction/fresh-form.ts';
import { postingNotice } from '#lib/mail/notify.ts';
import type { MessageKey } from '#lib/messages/keys.ts';
import { first, type Params } from '#lib/oauth/params.ts';
import { eventBy } from '#lib/store/actor.ts';
import { auditing } from '#lib/store/audit.ts';
import { findDirectoryLink } from '#lib/store/directories.ts';
import { listIdentities, unlinkIdentity } from '#lib/store/identities.ts';
import { endingOtherSessions } from '#lib/store/sessions.ts';
import { choosePassword, findUser } from '#lib/store/users.ts';
import { revokingGrantsOf } from '#lib/store/withdrawals.ts';

export const signInPage = '/account/sign-in';

const passwordForm = {
  page: signInPage,
  keeps: ['end_app_tokens'],
  wants: () => 'confirmed',
  refuses: async ({ user }, fields) => {
    if (await findDirectoryLink(user.id))
      return redirectWithFlash(signInPage, { error: 'ways.passwordElsewhere' });
    const wanted = first(fields, 'new_password') ?? '';
    const fault =
      wanted === first(fields, confirmFields.password)
        ? 'home.passwordSame'
        : await passwordFault(wanted, user);
    return fault && refusePassword(fields, { new_password: fault });
  },
} as const satisfies FormPlace;

/**
 * Changes the user's own password. This takes the current password and the second factor, or a
 * passkey; of someone who has none of these, as who came by a provider, a fresh sign-in. Other sessions end, and so do app tokens if ticked. All of it, with the event and the
 * mail, is one transaction.
 */
export function submitPassword(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withFreshUser(request, now, passwordForm, async (session, fields) => {
    const { user, hash } = session;
    const endAppTokens = first(fields, 'end_app_tokens') === 'on';
    const before = (await findUser(user.id))?.passwordHash ?? '';
    const after = await hashPassword(first(fields, 'new_password') ?? '');
    const about = { userId: user.id, detail: { endAppTokens } };
    const along = [
      ...endingOtherSessions(user.id, hash, now),
      ...(endAppTokens ? revokingGrantsOf(user.id, now) : []),
      auditing(eventBy(actorAt(request, user.id), 'password.changed', about), now),
      ...(await postingNotice(user.id, 'password-changed', {}, now)),
    ];
    if (!(await choosePassword(user.id, before, after, now, along)))
      return refusePassword(fields, { [confirmFields.password]: 'confirm.wrong' });
    logouts.soon();
    const cookie = await renewedDevice(request, user.id, now);
    return redirectWithFlash(signInPage, { done: 'home.passwordDone' }, cookie);
  });
}

function refusePassword(
  fields: Params,
  fieldErrors: Record<string, MessageKey>,
): Promise<HttpResponse> {
  const values = {
    [formField]: first(fields, formField) ?? '',
    end_app_tokens: first(fields, 'end_app_tokens') ?? '',
  };
  return redirectWithFlash(signInPage, { fieldErrors, values });
}

/**
 * Unlinks an identity, which takes a fresh sign-in. The last way to sign in cannot be removed.
 * Other sessions opened through the identity end.
 */
export function submitUnlink(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withFreshUser(
    request,
    now,
    { page: signInPage, keeps: ['id'] },
    async (session, fields) => {
      const userId = session.user.id;
      const id = first(fields, 'id') ?? '';
      const found = (await listIdentities(userId)).find((each) => each.id === id);
      const provider = found?.provider.name ?? '';
      const detail = { provider, label: found?.label ?? null };
      const event = eventBy(actorAt(request, userId), 'identity.unlinked', { userId, detail });
      const done = await unlinkIdentity({ userId, id, keepHash: session.hash }, event, now);
      if (done === 'unlinked') logouts.soon();
      return redirectWithFlash(signInPage, {
        ...(done === 'last-way' ? { error: 'with.lastWay' } : { done: 'with.unlinked' }),
        values: { provider },
      });
    },
  );
}

/** Changes the username. Because people sign in with it, this takes a fresh sign-in. */
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
