import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { listKept } from '#lib/identity/kept-accounts.ts';
import { forgetAccount, switchTo } from '#lib/identity/switching.ts';
import { flashCookie } from '#lib/interaction/flash.ts';
import { readForm } from '#lib/interaction/form.ts';
import { readPendingRequest, sealPendingRequest } from '#lib/interaction/pending-request.ts';
import {
  continueAddress,
  loginFlashKey,
  type ReturnTo,
  readReturnTo,
  stepAddress,
} from '#lib/interaction/return-to.ts';
import { first } from '#lib/oauth/params.ts';
import { anotherAt } from './screen.ts';

/**
 * Continues as an account of this browser, or forgets it. If none is named ("Not you?"), it offers
 * the other accounts or a new sign-in. A pending request is kept.
 */
export async function submitSwitch(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readForm(request);
  const way = await readReturnTo(fields, request);
  request.about.attempt = way.flowId ?? null;
  const chosen = first(fields, 'account');
  if (chosen === undefined) {
    const others = await listKept(request, now);
    return redirect(others.length > 0 ? stepAddress('/switch', way) : anotherAt(way));
  }
  if (first(fields, 'forget') !== undefined)
    return redirect(stepAddress('/switch', way), await forgetAccount(request, chosen, now));
  return choose(request, chosen, way, now);
}

async function choose(
  request: HttpRequest,
  userId: string,
  way: ReturnTo,
  now: Date,
): Promise<HttpResponse> {
  const switched = await switchTo(request, userId, now);
  if (switched === 'unknown') return redirect(stepAddress('/switch', way));
  if ('cookies' in switched)
    return redirect(continueAddress(await withChoice(way, userId, request)), switched.cookies);
  const page = loginFlashKey(way.flowId);
  const values = { username: switched.signInAs };
  return redirect(anotherAt(way), [await flashCookie({ page, values })]);
}

/** Stores the chosen account in the pending request, so that the request does not ask again. */
async function withChoice(way: ReturnTo, chosen: string, request: HttpRequest): Promise<ReturnTo> {
  if (way.sealed === undefined) return way;
  const flow = await readPendingRequest(way.sealed, request);
  return { ...way, sealed: await sealPendingRequest({ ...flow, chosen }) };
}
