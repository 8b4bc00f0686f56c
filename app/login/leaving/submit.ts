import { keepOwnAccount } from '#app/account/delete/submit.ts';
import { actorAt } from '#lib/http/actor.ts';
import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { readSession } from '#lib/identity/session.ts';
import { readOwnForm } from '#lib/interaction/form.ts';
import { continueAddress, readReturnTo, stepAddress } from '#lib/interaction/return-to.ts';
import { first } from '#lib/oauth/params.ts';

/** Keeps an account due to be deleted, or leaves it due; the sign-in goes on. */
export async function submitLeaving(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readOwnForm(request);
  const way = await readReturnTo(fields, request);
  const { session } = await readSession(request, now);
  if (!session) return redirect(stepAddress('/login', way));
  if (first(fields, 'keep') !== undefined)
    await keepOwnAccount(session.user.id, actorAt(request, session.user.id), now);
  return redirect(continueAddress(way));
}
