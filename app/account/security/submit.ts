import { actorAt } from '#lib/http/actor.ts';
import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import type { OwnAddress } from '#lib/http/own-address.ts';
import { raiseOwnSession } from '#lib/identity/session.ts';
import { makeFirstRecoveryCodes } from '#lib/identity/shown-codes.ts';
import { type Added, addApp, addPasskey, atEnrolment } from '#lib/interaction/enrolling.ts';
import { flashCookie } from '#lib/interaction/flash.ts';
import { redirectWithFlash, withUser } from '#lib/interaction/form.ts';
import { type FormPlace, withFreshUser } from '#lib/interaction/fresh-form.ts';
import { safeReturnTo, signInAt, toAccount } from '#lib/interaction/return-to.ts';
import { endOthers } from '#lib/interaction/signed-in.ts';
import { mayUpgrade } from '#lib/interaction/upgrading.ts';
import type { Wanted } from '#lib/interaction/ways-to-confirm.ts';
import { notify } from '#lib/mail/notify.ts';
import type { MessageKey } from '#lib/messages/keys.ts';
import { multiFactorAmr } from '#lib/oauth/acr.ts';
import { readName } from '#lib/oauth/name.ts';
import { first, type Params } from '#lib/oauth/params.ts';
import { isFactorDemanded } from '#lib/people/second-factor.ts';
import { eventBy } from '#lib/store/actor.ts';
import { hasFactor, readFactors, removePasskey, removeTotp } from '#lib/store/factors.ts';
import { renamePasskey } from '#lib/store/passkeys.ts';
import type { Session } from '#lib/store/sessions.ts';
import { readSettings } from '#lib/store/settings.ts';

export const securityPage = '/account/security';

export function back(notice: Parameters<typeof redirectWithFlash>[1]): Promise<HttpResponse> {
  return redirectWithFlash(securityPage, notice);
}

const totpPage = '/account/security/totp';
/** When the form asks again, it shows the same secret. A new app replaces the old one. */
const totpPlace = {
  page: totpPage,
  wants: ({ user }) => wantedToSetUpApp(user.id),
  at: (fields: Params) => atEnrolment(totpPage, toAccount, first(fields, 'enrolment')),
  flash: 'totp',
} as const satisfies FormPlace;

/**
 * What setting up an authenticator app requires: a code of the app it replaces or a recovery code;
 * if there is no app yet, just a fresh sign-in.
 */
export async function wantedToSetUpApp(userId: string): Promise<Wanted> {
  return (await readFactors(userId)).totp ? { kind: 'totp' } : 'fresh';
}

const addingBy = ({ user, hash }: Session) => ({ user, basis: { sessionHash: hash } });

/** Sets up an authenticator app, replacing an older one. */
export function submitTotp(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withFreshUser(request, now, totpPlace, async (session, fields) => {
    const added = await addApp(request, addingBy(session), fields, now);
    if ('fault' in added) {
      const notice = await flashCookie({ page: totpPlace.flash, ...added.fault });
      return redirect(atEnrolment(totpPage, toAccount, added.keep), [notice]);
    }
    return afterAdding({ request, session, now }, added, 'security.doneApp');
  });
}

const pageBehind = (fields: Params) => safeReturnTo(first(fields, 'back')) ?? securityPage;
const backPlace = { page: securityPage, at: pageBehind } as const;

/** Confirms the sign-in before an action that a form cannot send, such as creating a passkey. */
export function submitConfirmation(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withFreshUser(request, now, backPlace, async (_, fields) =>
    redirectWithFlash(pageBehind(fields), { done: 'confirm.done' }),
  );
}

export function submitPasskey(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withFreshUser(request, now, backPlace, async (session, fields) =>
    afterAdding(
      { request, session, now },
      await addPasskey(request, addingBy(session), fields, now),
      'security.donePasskey',
      pageBehind(fields),
    ),
  );
}

/** Created by the browser. It proves nothing about the user: the session is unchanged. */
export function submitUpgrade(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withUser(request, now, securityPage, async (session, fields) => {
    const mayBe = await mayUpgrade(session, now);
    const added =
      mayBe &&
      (await addPasskey(request, { ...addingBy(session), making: 'upgrade' }, fields, now));
    return added && 'methods' in added
      ? back({ done: 'security.donePasskey' })
      : back({ error: 'security.passkeyNotAdded' });
  });
}

/**
 * After a factor was added: the first factor brings recovery codes. This session counts as having
 * used the factor, under a new cookie. Other sessions were opened with the password alone, so the
 * first factor ends them.
 * @param page where the factor was added, and where the user continues
 */
async function afterAdding(
  { request, session, now }: { request: HttpRequest; session: Session; now: Date },
  added: Added,
  done: MessageKey,
  page: OwnAddress = securityPage,
): Promise<HttpResponse> {
  if ('fault' in added) return redirectWithFlash(page, added.fault);
  const { hash, amr, user } = session;
  const cookies = await raiseOwnSession(session, multiFactorAmr(amr, added.methods));
  if (!user.hasFactor) await endOthers(request, user.id, hash, now);
  const codes = await makeFirstRecoveryCodes(user.id, request, now);
  if (codes === null) return redirect(page, [...cookies, await flashCookie({ page, done })]);
  const shown = '/account/security/codes';
  return redirect(page === securityPage ? shown : signInAt(page, shown), [...cookies, codes]);
}

const removal = {
  page: securityPage,
  wants: (_, fields) => factorIn(fields),
  refuses: async ({ user }) => {
    const { totp, passkeys } = await readFactors(user.id);
    const { requireSecondFactor } = await readSettings();
    const isLast = Number(totp) + passkeys < 2;
    return isLast && isFactorDemanded(requireSecondFactor, user)
      ? back({ error: 'security.required' })
      : null;
  },
} as const satisfies FormPlace;

function factorIn(fields: Params) {
  const id = first(fields, 'passkey');
  return id === undefined ? ({ kind: 'totp' } as const) : ({ kind: 'passkey', id } as const);
}

/**
 * Removes a factor (the app or a passkey), confirmed with that factor or a recovery code. If a
 * second factor is required, the last one cannot be removed.
 */
export function submitRemoveFactor(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withFreshUser(request, now, removal, async ({ user }, fields) => {
    const factor = factorIn(fields);
    const event = eventBy(actorAt(request, user.id), 'factor.removed', {
      userId: user.id,
      detail: { kind: factor.kind },
    });
    const outcome = await (factor.kind === 'totp'
      ? removeTotp(user.id, event, now)
      : removePasskey(user.id, factor.id, event, now));
    // Removed before, in another tab: that is told, but not by mail again.
    if (outcome !== 'none' && !hasFactor(await readFactors(user.id)))
      await notify(user.id, 'second-factor-off', {}, now);
    return back({
      done: factor.kind === 'totp' ? 'security.doneAppRemoved' : 'security.donePasskeyRemoved',
    });
  });
}

export function submitRenamePasskey(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const place = { page: securityPage, keeps: ['name'] } as const;
  return withFreshUser(request, now, place, async ({ user }, fields) => {
    const id = first(fields, 'passkey') ?? '';
    const name = readName(first(fields, 'name') ?? '', 60);
    if (name === null) return back({ error: 'security.passkeyNameBad' });
    const event = eventBy(actorAt(request, user.id), 'factor.renamed', {
      userId: user.id,
      detail: { kind: 'passkey', name },
    });
    return back(
      (await renamePasskey({ userId: user.id, id }, name, event, now)) === 'renamed'
        ? { done: 'security.doneRenamed' }
        : {},
    );
  });
}
