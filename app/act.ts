import { cookies } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import type { Actor } from '#lib/administration/actor.ts';
import { type AdminRefusal, meanwhile } from '#lib/administration/refusal.ts';
import { pageRequest } from '#lib/http/next.ts';
import { signInAt } from '#lib/identity/back.ts';
import { judgeAccess, type Need } from '#lib/identity/guards.ts';
import { noticeCookie } from '#lib/identity/notice.ts';
import { readSession } from '#lib/identity/session.ts';
import { frameWords } from '#lib/messages/admin/frame.ts';
import type { Session } from '#lib/store/sessions.ts';
import { type FormState, typedIn } from './ui/forms/state.ts';

export type Acting = { actor: Actor; session: Session; now: Date };

/**
 * What every server action of the dashboard goes through: it lets in who may do it, names them to
 * the audit log, and turns a refusal into what the form shows, with what was typed. A stale sign-in
 * does not lose what was typed: the form asks to sign in beside it. When somebody else saved a
 * change first, `seenNow` says what is stored, so that saving again is a decision.
 */
export async function act<Result = never>(
  need: Exclude<Need, 'user'>,
  form: FormData,
  work: (acting: Acting) => Promise<FormState<Result>>,
  seenNow?: () => Promise<string>,
): Promise<FormState<Result>> {
  const now = new Date();
  const request = await pageRequest();
  const { session } = await readSession(request, now);
  const access = judgeAccess(session, need, now);
  if (!('session' in access)) {
    if (access.refused === 'not-admin') notFound();
    const signInHref = signInAt(request.page);
    if (access.refused === 'signed-out') redirect(signInHref);
    return { ...refusal(form), error: frameWords.signInNeeded, signInHref };
  }
  const actor = { id: access.session.user.id, address: request.address };
  try {
    return await work({ actor, session: access.session, now });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (error.field !== meanwhile || !seenNow) return refusedWith(error, form);
    const state = refusal(form);
    const values = { ...state.values, [meanwhile]: [await seenNow()] };
    return { ...state, values, error: frameWords.meanwhile, compareHref: request.page };
  }
}

/** Next.js bundles this class once per module graph; its name stays. */
function isRefusal(error: unknown): error is AdminRefusal {
  return error instanceof Error && error.name === 'AdminRefusal';
}

function refusal(form: FormData): FormState<never> {
  return { serial: Date.now(), faults: {}, values: typedIn(form) };
}

/** What is about no field of this form is said above it. */
function refusedWith({ field, message, faults }: AdminRefusal, form: FormData): FormState<never> {
  const unseen = Object.keys(faults).flatMap((name) => (form.has(name) ? [] : [faults[name] ?? '']));
  return { ...refusal(form), faults, error: (field === null ? message : unseen.join(' ')) || undefined };
}

/** The act is done: the browser goes to a page, which says so once. */
export async function doneAt(page: string, message: string): Promise<never> {
  await tell(page, message);
  redirect(page);
}

async function tell(page: string, message: string): Promise<void> {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(await noticeCookie({ page, values: { message } })) ?? [];
  const secure = name.startsWith('__Host-');
  (await cookies()).set({ name, value, httpOnly: true, sameSite: 'lax', path: '/', maxAge: 60, secure });
}

/** Text of a field, as typed. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

/** All the values of a field: ticked boxes, one per line, repeated inputs. */
export function listOf(form: FormData, name: string): string[] {
  return form.getAll(name).flatMap((value) => (typeof value === 'string' ? value.split(/\r?\n/) : []));
}
