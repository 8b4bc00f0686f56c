import { refresh } from 'next/cache';
import { cookies } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { actorAt } from '#lib/http/actor.ts';
import { pageRequest } from '#lib/http/next.ts';
import { isFresh, judgeAccess, type RoleNeed } from '#lib/identity/guards.ts';
import { readSession } from '#lib/identity/session.ts';
import type { ConfirmFault } from '#lib/interaction/confirm.ts';
import { flashCookie, toldOf } from '#lib/interaction/flash.ts';
import { signInAt } from '#lib/interaction/return-to.ts';
import { actingAs, type By } from '#lib/management/act.ts';
import { isAdminRefusal } from '#lib/management/is-refusal.ts';
import { type AdminRefusal, conflictField } from '#lib/management/refusal.ts';
import type { MessageKey, ValueArguments } from '#lib/messages/keys.ts';
import type { Locale } from '#lib/messages/locales.ts';
import type { Sentence } from '#lib/messages/sentence.ts';
import { sentenceIn, sentencesIn, type Text } from '#lib/messages/text.ts';
import { may } from '#lib/people/roles.ts';
import { turnOf } from '#lib/sealed/browser.ts';
import type { Session } from '#lib/store/sessions.ts';
import { pageLocale, pageText } from '../locale.ts';
import { askToConfirm, confirmFirst, takeConfirmation } from './confirm.ts';
import { meanwhileText } from './meanwhile.ts';
import { type FormState, turnField, typedIn } from './ui/forms/state.ts';

type Acting = By & { session: Session };

/** Thrown by `demandFresh`. */
class StaleSignIn extends Error {
  override readonly name = 'StaleSignIn';
}

/**
 * Wraps every server action of the dashboard: checks the permission, provides the actor for the
 * audit log (with the reach of their role), and turns a refusal into form state that keeps what was
 * typed. A form that was shown to another account of this browser is not carried out: it first
 * names the account that is active now. If the sign-in is too old, the form itself asks for the
 * password and is sent again with it. If someone else saved a change first, `seenNow` returns the
 * stored version, so that saving again is a deliberate decision.
 */
export async function act<Result = never>(
  need: RoleNeed,
  form: FormData,
  work: (acting: Acting) => Promise<FormState<Result>>,
  seenNow?: () => Promise<string | Record<string, string>>,
): Promise<FormState<Result>> {
  const now = new Date();
  const confirmation = takeConfirmation(form);
  const switched = await accountSwitched(form, now);
  if (switched) return switched;
  const fault = confirmation && (await confirmFirst(confirmation, now));
  const request = await pageRequest();
  const { session } = await readSession(request, now);
  const access = judgeAccess(session, need, now);
  if (!('session' in access)) {
    if (!session || access.refused === 'signed-out') redirect(signInAt(request.page));
    if (access.refused === 'not-allowed') return notAllowed(await pageText(), form, session);
    return stale(form, session, fault);
  }
  if (fault) return stale(form, access.session, fault);
  const { user } = access.session;
  const { actor, role } = actingAs(user.role, actorAt(request, user.id));
  try {
    const demandFresh = () => {
      if (!isFresh(access.session, now)) throw new StaleSignIn();
    };
    const state = await work({ actor, role, session: access.session, now, demandFresh });
    // The current page shows what was created, too.
    if (state.result !== undefined) refresh();
    return state;
  } catch (error) {
    if (error instanceof StaleSignIn) return stale(form, access.session, null);
    if (!isAdminRefusal(error)) throw error;
    if (error.field !== conflictField || !seenNow)
      return refusedWith(error, form, await pageLocale());
    const { what } = error.said.values;
    const about = { what, reader: user.id };
    return changedMeanwhile(form, { ...about, current: await seenNow() }, request.page);
  }
}

/** The answer to a form that was shown to another account of this browser than the active one. */
async function accountSwitched(form: FormData, now: Date): Promise<FormState<never> | null> {
  const request = await pageRequest();
  const shown = textOf(form, turnField);
  form.delete(turnField);
  if (shown === (turnOf(request) ?? '')) return null;
  const { session } = await readSession(request, now);
  const text = await pageText();
  return session && failed(form, text('frame.switched', { username: session.user.username }));
}

/** Someone else saved first. The form now has the stored version, so saving again is deliberate. */
async function changedMeanwhile(
  form: FormData,
  {
    what,
    reader,
    current,
  }: { what: unknown; reader: string; current: string | Record<string, string> },
  compareHref: string,
): Promise<FormState<never>> {
  const text = await pageText();
  const state = refusal(form);
  const seen = typeof current === 'string' ? { [conflictField]: current } : current;
  const values = {
    ...state.values,
    ...Object.fromEntries(Object.entries(seen).map(([name, value]) => [name, [value]])),
  };
  const version = seen[conflictField] ?? '';
  const error = await meanwhileText(text, { what, version, reader });
  return { ...state, values, error, compareHref };
}

function refusal(form: FormData): FormState<never> {
  return { serial: Date.now(), faults: {}, values: typedIn(form) };
}

/** The action failed, without a refusal by an act. */
export const failed = (form: FormData, error: string): FormState<never> => ({
  ...refusal(form),
  error,
});

/**
 * Dashboard users are told that they may not do this; for everyone else the page does not exist.
 */
function notAllowed(text: Text, form: FormData, session: Session): FormState<never> {
  if (!may(session.user.role, 'enter')) notFound();
  return { ...refusal(form), error: text('frame.notAllowed') };
}

/** Nothing is done before the sign-in is confirmed; typed values are kept. */
async function stale(
  form: FormData,
  { user }: Session,
  fault: ConfirmFault | null,
): Promise<FormState<never>> {
  const text = await pageText();
  const confirm = await askToConfirm(user, fault);
  return { ...refusal(form), error: text('frame.signInNeeded'), confirm };
}

/** Faults that belong to no field of the form are shown above it. */
function refusedWith(
  { field, said, faults }: AdminRefusal,
  form: FormData,
  locale: Locale,
): FormState<never> {
  const shown = sentencesIn(locale, faults);
  const unseen = Object.keys(shown).flatMap((name) => (form.has(name) ? [] : [shown[name]]));
  return {
    ...refusal(form),
    faults: shown,
    error: (field === null ? sentenceIn(locale, said) : unseen.join(' ')) || undefined,
  };
}

/** Redirects to a page that shows the success message once, in the language of its reader. */
export async function doneAt<K extends MessageKey>(
  page: string,
  key: K,
  ...values: ValueArguments<K>
): Promise<never> {
  await tell(page, { key, values: values[0] ?? {} });
  redirect(page);
}

async function tell(page: string, message: Sentence): Promise<void> {
  const [, name = '', value = ''] =
    /^([^=]+)=([^;]*)/.exec(await flashCookie({ page, told: toldOf(message) })) ?? [];
  const secure = name.startsWith('__Host-');
  (await cookies()).set({
    name,
    value,
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    maxAge: 60,
    secure,
  });
}

/** The typed text of a field. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

/** The same without surrounding spaces; null if nothing was typed. */
export const textOrNull = (form: FormData, name: string): string | null =>
  textOf(form, name).trim() || null;

/** All values of a field: ticked boxes, lines of text, repeated inputs. */
export function listOf(form: FormData, name: string): string[] {
  return form
    .getAll(name)
    .flatMap((value) => (typeof value === 'string' ? value.split(/\r?\n/) : []));
}
