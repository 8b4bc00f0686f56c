import { actorAt } from '#lib/http/actor.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { forgetShownPassword, showOnce } from '#lib/identity/shown-app-password.ts';
import { redirectWithFlash, withUser } from '#lib/interaction/form.ts';
import { type FormPlace, withFreshUser } from '#lib/interaction/fresh-form.ts';
import { endAppPassword, makeAppPassword } from '#lib/management/app-password/app-passwords.ts';
import { AdminRefusal } from '#lib/management/refusal.ts';
import type { PlainKey } from '#lib/messages/keys.ts';
import { isMultiFactor } from '#lib/oauth/acr.ts';
import { first, type Params } from '#lib/oauth/params.ts';
import type { Session } from '#lib/store/sessions.ts';

export const appPasswordsPage = '/account/app-passwords';

/** Days after which a new one ends, as far as people can choose them. */
export const appPasswordDays = [30, 90, 365] as const;

const making = {
  page: appPasswordsPage,
  keeps: ['client', 'name', 'days', 'networks'],
} as const satisfies FormPlace;

/** Makes an app password, which the page then shows once. */
export function submitAppPassword(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withFreshUser(request, now, making, async (session, fields) => {
    const { id } = session.user;
    try {
      const said = { ...termsIn(fields), ...ownerOf(session) };
      const made = await makeAppPassword(said, actorAt(request, id), now);
      const { secret: password, name, clientName: app } = made;
      const shown = await showOnce({ userId: id, password, name, app }, request, now);
      return redirectWithFlash(appPasswordsPage, {}, [shown]);
    } catch (error) {
      if (!(error instanceof AdminRefusal)) throw error;
      const values = Object.fromEntries(
        making.keeps.map((name) => [name, first(fields, name) ?? '']),
      );
      return redirectWithFlash(appPasswordsPage, { ...told(error), values });
    }
  });
}

const ownerOf = ({ user, amr }: Session) => ({ user: user.id, secondFactor: isMultiFactor(amr) });

function termsIn(fields: Params) {
  const days = appPasswordDays.find((each) => String(each) === first(fields, 'days'));
  const networks = (first(fields, 'networks') ?? '').slice(0, 5000).split(/[\s,]+/);
  return {
    client: first(fields, 'client') ?? '',
    name: first(fields, 'name') ?? '',
    networks: networks.filter(Boolean),
    ...(days !== undefined && { for: `${days} days` }),
  };
}

/** What people read about a refusal, in their language. */
function told({ field, kind, said }: AdminRefusal) {
  if (field === 'name' || field === 'networks') return { fieldErrors: { [field]: faults[field] } };
  if (said.key === 'refused.appPassword.twoSteps') return { error: faults.twoSteps };
  return { error: kind === 'full' ? faults.full : faults.other };
}

const faults = {
  name: 'security.passkeyNameBad',
  networks: 'appPasswords.networksBad',
  twoSteps: 'appPasswords.twoSteps',
  full: 'appPasswords.full',
  other: 'appPasswords.refused',
} as const satisfies Record<string, PlainKey>;

/** Ends one, or no longer shows the new one. */
export function submitAppPasswordEnd(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withUser(request, now, appPasswordsPage, async ({ user }, fields) => {
    const id = first(fields, 'id');
    if (id === undefined) return redirectWithFlash(appPasswordsPage, {}, [forgetShownPassword()]);
    try {
      await endAppPassword({ id, userId: user.id }, actorAt(request, user.id), now);
    } catch (error) {
      if (!(error instanceof AdminRefusal)) throw error;
    }
    return redirectWithFlash(appPasswordsPage, { done: 'appPasswords.ended' }, [
      forgetShownPassword(),
    ]);
  });
}
