import { actorAt } from '#lib/http/actor.ts';
import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { signedOutCookies } from '#lib/identity/session-cookie.ts';
import { redirectWithFlash, withUser } from '#lib/interaction/form.ts';
import { withFreshUser } from '#lib/interaction/fresh-form.ts';
import { AdminRefusal } from '#lib/management/refusal.ts';
import { askForDeletion, cancelDeletion, type Requested } from '#lib/management/user/deletion.ts';
import type { MessageKey } from '#lib/messages/keys.ts';
import { first } from '#lib/oauth/params.ts';
import type { Actor } from '#lib/store/actor.ts';

export const deletePage = '/account/delete';

const sure = 'sure';

/**
 * Requests the deletion of the user's own account, which takes a fresh sign-in and a ticked box.
 */
export function submitDeletion(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const place = {
    page: deletePage,
    keeps: [sure],
    refuses: async (_: unknown, fields: Parameters<typeof first>[0]) =>
      first(fields, sure) === 'on' ? null : refuseDeletion('deletion.notSure'),
  } as const;
  return withFreshUser(request, now, place, async (session) => {
    const requested = await askForDeletion(session, actorAt(request, session.user.id), now);
    if (requested === 'deleted') return redirect('/account/delete/done', signedOutCookies(request));
    return requested === 'waits'
      ? redirectWithFlash(deletePage, { done: 'deletion.requested' })
      : refuseDeletion(refusals[requested]);
  });
}

const refusals = {
  'last-admin': 'deletion.lastAdmin',
  'answers-for-agent': 'deletion.answers',
  off: 'deletion.off',
  unchanged: 'deletion.unchanged',
} as const satisfies Record<Exclude<Requested, 'deleted' | 'waits'>, MessageKey>;

const refuseDeletion = (error: MessageKey) => redirectWithFlash(deletePage, { error });

export function submitKeep(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withUser(request, now, deletePage, async (session) => {
    await keepOwnAccount(session.user.id, actorAt(request, session.user.id), now);
    return redirectWithFlash(deletePage, { done: 'deletion.kept' });
  });
}

/** Cancels the deletion. Sending it twice is no error: the account is kept either way. */
export async function keepOwnAccount(id: string, actor: Actor, now: Date): Promise<void> {
  try {
    await cancelDeletion(id, actor, now);
  } catch (error) {
    if (!(error instanceof AdminRefusal)) throw error;
  }
}
