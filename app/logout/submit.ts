import { checkLogout, signOut } from '#lib/endpoints/logout.ts';
import { addCookies, redirect } from '#lib/http/answers.ts';
import { readFormFields } from '#lib/http/body.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { readSession } from '#lib/identity/session.ts';
import { leaveKept } from '#lib/identity/switching.ts';
import { openLogout } from '#lib/interaction/logout-request.ts';
import { first } from '#lib/oauth/params.ts';
import { checkFormPost } from '#lib/sealed/browser.ts';

/** Handles our sign-out form, with or without a client's request. */
export async function submitLogout(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readFormFields(request);
  checkFormPost(request, fields);
  const params = (await openLogout(first(fields, 'request'))) ?? new Map();
  const visit = await readSession(request, now);
  const asked = await checkLogout(params, request, visit, now);
  const all = first(fields, 'all') === 'yes';
  const session = all ? visit.session : asked.session;
  const kept = all ? await leaveKept(request, now) : [];
  if (!session) return redirect(asked.next, kept);
  return addCookies(await signOut(request, session, asked, now), kept);
}
