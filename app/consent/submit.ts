import { issueCode } from '#lib/endpoints/issue-code.ts';
import { actorAt } from '#lib/http/actor.ts';
import { redirect } from '#lib/http/answers.ts';
import { readFormFields } from '#lib/http/body.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { flashCookie } from '#lib/interaction/flash.ts';
import { notesOnAnswer, refuseAnswered, replyTo, respondDenied } from '#lib/interaction/respond.ts';
import { continueAt, resume, sessionFor } from '#lib/interaction/resume.ts';
import { consentFlashKey } from '#lib/interaction/return-to.ts';
import { keepIntroduced } from '#lib/introduced/keep.ts';
import { notify } from '#lib/mail/notify.ts';
import { asksForHowLong, readConsentPeriod } from '#lib/oauth/consent-period.ts';
import { first } from '#lib/oauth/params.ts';
import { nameByProof } from '#lib/oauth/self-given-name.ts';
import { canSkipConsent } from '#lib/oauth/sign-in-asked.ts';
import { checkFormPost } from '#lib/sealed/browser.ts';
import { eventBy } from '#lib/store/actor.ts';
import { audit } from '#lib/store/audit.ts';
import { isDenied } from '#lib/store/denials.ts';
import { count } from '#lib/store/usage.ts';
import { fieldsAt } from '#lib/store/user-fields.ts';
import { currentGrant } from '#lib/store/withdrawals.ts';
import { isSame, shownOn } from './shown.ts';

/** Handles the decision on the consent page: grants exactly what was shown, or nothing. */
export async function submitConsent(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readFormFields(request);
  checkFormPost(request, fields);
  const sealed = first(fields, 'flow');
  const resumed = await resume(request, sealed, now);
  if ('elsewhere' in resumed) return redirect(resumed.elsewhere);
  const session = await sessionFor(resumed, sealed, now);
  if ('elsewhere' in session) return redirect(session.elsewhere);
  const { flow, visit, checked } = resumed;

  const own = await fieldsAt(visit.revision);
  const decision = first(fields, 'decision');
  const unchanged = await isSame(first(fields, 'seen'), shownOn(flow.id, checked, session, own));
  const asked = asksForHowLong(checked.client);
  const period = asked ? readConsentPeriod(first(fields, 'period')) : null;
  const answered = decision === 'deny' || (decision === 'allow' && (!asked || period !== null));
  if (!unchanged || !answered) {
    const notice = { page: consentFlashKey(flow.id), error: 'consent.changed' };
    return redirect(`/consent?flow=${sealed}`, unchanged ? [] : [await flashCookie(notice)]);
  }
  const actor = actorAt(request, session.user.id);
  const about = { userId: session.user.id, clientId: checked.client.id };
  request.about.outcome = decision === 'deny' ? 'denied' : 'done';
  if (decision === 'deny') {
    const reason = 'The user denied access.';
    const told = await respondDenied(flow, checked, reason, visit, request.id, now);
    await audit(eventBy(actor, 'consent.denied', about), now);
    return told;
  }
  // Before anything is remembered; a code is refused by the statement that stores it.
  if (await isDenied(flow.id)) refuseAnswered();
  const client = await keepIntroduced(checked.client, actor, now);
  if (!client) return redirect(continueAt(sealed));
  request.about.clientId = client.id;
  count('approval', client.id, now);
  // The person has answered: now a refusal may go to an unregistered address too.
  request.about.reply = replyTo(checked, flow.params, visit);
  request.about.notes.push(...notesOnAnswer(client));
  const grant = await currentGrant(session.user.id, checked.client.id, now);
  const remember = canSkipConsent(checked.client, checked.target);
  const [kept, by] = [
    { ...checked, client },
    { ...visit, session },
  ];
  const answer = await issueCode(flow, kept, by, grant, remember, now, period);
  const scope = checked.request.consentScope.join(' ');
  const detail = { scope, redirectUri: checked.target.uri, ...(period && { period }) };
  await audit(eventBy(actor, 'consent.given', { ...about, detail }), now);
  const app = nameByProof(client);
  if (!grant) await notify(session.user.id, 'app-approved', { app }, now);
  return answer;
}
