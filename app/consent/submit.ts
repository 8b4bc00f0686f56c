import { deliverDenial, deliverError } from '#lib/endpoints/deliver.ts';
import { issueCode } from '#lib/endpoints/issue-code.ts';
import { redirect } from '#lib/http/answers.ts';
import { readFormFields } from '#lib/http/body.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { noticeCookie } from '#lib/interaction/flash.ts';
import { isExpired, readBoundFlow } from '#lib/interaction/pending-request.ts';
import { consentPage } from '#lib/interaction/return-to.ts';
import { checkRequest, personOf, readVisit } from '#lib/interaction/visit.ts';
import { notify } from '#lib/mail/notify.ts';
import { OAuthRefusal } from '#lib/oauth/errors.ts';
import { canSkipConsent, mustSignInAgain } from '#lib/oauth/next-step.ts';
import { first } from '#lib/oauth/params.ts';
import { checkFormPost } from '#lib/sealed/browser.ts';
import { audit } from '#lib/store/audit.ts';
import { findGrant } from '#lib/store/grants.ts';
import { count } from '#lib/store/usage.ts';
import { isSame, shownOn } from './shown.ts';

/** Handles the decision on the consent page: grants exactly what was shown, or nothing. */
export async function submitConsent(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readFormFields(request);
  checkFormPost(request, fields);
  const sealed = first(fields, 'flow');
  const flow = await readBoundFlow(sealed, request);
  if (isExpired(flow, now)) return redirect(`/expired?flow=${sealed}`);
  const visit = await readVisit(request, now);
  const checked = await checkRequest(flow.params, visit, now);
  if ('refusal' in checked) return deliverError(checked, flow.params, visit);
  const { session } = visit;
  const person = session && (await personOf(session, checked.request));
  if (!session || !person || mustSignInAgain(checked.request, person, flow.startedAt, now))
    return redirect(`/login?flow=${sealed}`);

  const decision = first(fields, 'decision');
  const unchanged = await isSame(first(fields, 'seen'), shownOn(flow.id, checked, session));
  if (!unchanged || (decision !== 'allow' && decision !== 'deny')) {
    const notice = { page: consentPage(flow.id), error: 'consent.changed' };
    return redirect(`/consent?flow=${sealed}`, unchanged ? [] : [await noticeCookie(notice)]);
  }
  const event = {
    actor: session.user.id,
    userId: session.user.id,
    clientId: checked.client.id,
    address: request.address,
    requestId: request.id,
  };
  if (decision === 'deny') {
    await audit({ ...event, type: 'consent.denied' }, now);
    return deliverDenial(checked, 'The person did not allow it.', flow.params, visit);
  }
  count('approval', checked.client.id, now);
  const grant = await findGrant(session.user.id, checked.client.id);
  try {
    const remember = canSkipConsent(checked.client, checked.target);
    const answer = await issueCode(flow, checked, { ...visit, session }, grant, remember, now);
    await audit(
      {
        ...event,
        type: 'consent.given',
        detail: { scope: checked.request.consentScope.join(' '), redirectUri: checked.target.uri },
      },
      now,
    );
    if (!grant) await notify(session.user.id, 'app-approved', { app: checked.client.name }, now);
    return answer;
  } catch (error) {
    if (error instanceof OAuthRefusal)
      return deliverError({ ...checked, refusal: error }, flow.params, visit, true);
    throw error;
  }
}
