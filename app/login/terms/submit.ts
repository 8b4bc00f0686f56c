import { checkLogout, signOut } from '#lib/endpoints/logout.ts';
import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import type { OwnAddress } from '#lib/http/own-address.ts';
import { readSession } from '#lib/identity/session.ts';
import { readOwnForm } from '#lib/interaction/form.ts';
import { languageOfRequest } from '#lib/interaction/language.ts';
import { continueAddress, readReturnTo, stepAddress } from '#lib/interaction/return-to.ts';
import { shownIn, storeAnswer, type TermsAsked, termsOnWay } from '#lib/interaction/terms.ts';
import { first, type Params } from '#lib/oauth/params.ts';
import { termsAnswers } from '#lib/people/terms.ts';

/** Takes the answer to the terms that were shown, if it is still these that are asked. */
export async function submitTerms(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readOwnForm(request);
  const way = await readReturnTo(fields, request);
  request.about.attempt = way.flowId ?? null;
  const asked = await termsOnWay(way, request, now);
  if ('elsewhere' in asked) return redirect(asked.elsewhere);
  const page = stepAddress('/login/terms', way);
  const answered = answerIn(fields, asked);
  if (answered === null) return redirect(page);
  await storeAnswer({ ...answered, userId: asked.session.user.id }, request, now);
  if (answered.answer === 'declined') return leave(way.sealed, request, now);
  const next = way.sealed === undefined ? await termsOnWay(way, request, now) : null;
  return redirect(next && !('elsewhere' in next) ? page : continueAddress(way));
}

/** Null if something else was shown than is asked now. */
function answerIn(fields: Params, { terms, must }: TermsAsked) {
  const answer = termsAnswers.find((each) => each === first(fields, 'answer'));
  const shown = shownIn(fields, terms);
  return answer && shown && !(answer === 'later' && must) ? { ...shown, answer } : null;
}

/** Signs out whoever declined, and says what that means. */
async function leave(
  flow: string | undefined,
  request: HttpRequest,
  now: Date,
): Promise<HttpResponse> {
  const visit = await readSession(request, now);
  const query = new URLSearchParams({
    terms: 'declined',
    ui_locales: await languageOfRequest(request, now),
    ...(flow !== undefined && { flow }),
  });
  const next: OwnAddress = `/logout/done?${query}`;
  if (!visit.session) return redirect(next);
  const asked = await checkLogout(new Map(), request, visit, now);
  return signOut(request, visit.session, { ...asked, next }, now);
}
