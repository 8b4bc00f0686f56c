import { issueCode } from '#lib/endpoints/issue-code.ts';
import { actorAt } from '#lib/http/actor.ts';
import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { consentAsked, type RequestDecision } from '#lib/interaction/decision/decision.ts';
import { type Answering, takeDecision } from '#lib/interaction/decision/take.ts';
import { notesOnAnswer, refuseAnswered, replyTo, respondDenied } from '#lib/interaction/respond.ts';
import { continueAt, resume } from '#lib/interaction/resume.ts';
import { notify } from '#lib/mail/notify.ts';
import { first, type Params } from '#lib/oauth/params.ts';
import { nameByProof } from '#lib/oauth/self-given-name.ts';
import { canSkipConsent } from '#lib/oauth/sign-in-asked.ts';
import { keepRegistered } from '#lib/registration/keep.ts';
import { eventBy } from '#lib/store/actor.ts';
import { audit } from '#lib/store/audit.ts';
import { hasHadCode } from '#lib/store/authorizations.ts';
import { isDenied } from '#lib/store/denials.ts';
import { count } from '#lib/store/usage.ts';
import { currentGrant } from '#lib/store/withdrawals.ts';

export function submitConsent(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return takeDecision(request, { read, allow, deny }, now);
}

async function read(request: HttpRequest, fields: Params, now: Date) {
  const sealed = first(fields, 'flow');
  const resumed = await resume(request, sealed, now);
  return 'elsewhere' in resumed ? resumed : consentAsked(resumed, sealed ?? '', now);
}

async function deny(
  { resumed, session, client }: RequestDecision,
  { request }: Answering,
  now: Date,
): Promise<HttpResponse> {
  const reason = 'The user denied access.';
  const told = await respondDenied(resumed, reason, request.id, now);
  const about = { userId: session.user.id, clientId: client.id };
  await audit(eventBy(actorAt(request, session.user.id), 'consent.denied', about), now);
  return told;
}

async function allow(
  asked: RequestDecision,
  { request, period }: Answering,
  now: Date,
): Promise<HttpResponse> {
  const { session, words, sealed } = asked;
  const { flow, visit, checked } = asked.resumed;
  const actor = actorAt(request, session.user.id);
  const grant = await currentGrant(session.user.id, checked.client.id, now);
  // Checked before anything is stored; the statement that stores a code would refuse it, too.
  if ((await isDenied(flow.id)) || (await hasHadCode(flow.id, grant?.id ?? null))) refuseAnswered();
  const client = await keepRegistered(checked.client, actor, now);
  if (!client) return redirect(continueAt(sealed));
  request.about.clientId = client.id;
  count('approval', client.id, now);
  // The user has answered, so from now on a refusal may go to an unregistered address, too.
  request.about.reply = replyTo(checked, flow.params, visit);
  request.about.notes.push(...notesOnAnswer(client));
  const remember = canSkipConsent(checked.client, checked.target);
  const answered = { flow, checked: { ...checked, client }, visit, session };
  const answer = await issueCode(answered, { grant, remember, period }, now);
  const detail = {
    scope: words.join(' '),
    redirectUri: checked.target.uri,
    ...(period && { period }),
  };
  const about = { userId: session.user.id, clientId: client.id, detail };
  await audit(eventBy(actor, 'consent.given', about), now);
  const app = nameByProof(client);
  if (!grant) await notify(session.user.id, 'app-approved', { app }, now);
  return answer;
}
