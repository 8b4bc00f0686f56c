import { auditKeptOut } from '../access/kept-out.ts';
import type { Verdict } from '../access/passage.ts';
import { endUserOf } from '../access/visitor.ts';
import { addCookies, redirect } from '../http/answers.ts';
import { readFormFields, readQueryParams } from '../http/body.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { registrationMode } from '../identity/registration.ts';
import { findKept } from '../identity/switching.ts';
import {
  type CheckedRequest,
  checkRequest,
  contextOf,
  mayReply,
  type RequestContext,
  readContext,
  visitedBy,
} from '../interaction/context.ts';
import { newPendingRequest, sealPendingRequest } from '../interaction/pending-request.ts';
import {
  namesPushed,
  openPushed,
  pushedLife,
  refusePushedOver,
  refuseRequestUri,
  secondsSince,
} from '../interaction/pushed-request.ts';
import { notesOnAnswer, replyTo } from '../interaction/respond.ts';
import { judgeVisit, type Resumed } from '../interaction/resume.ts';
import { triedBy } from '../interaction/trial.ts';
import { readClientId } from '../oauth/authorization-request.ts';
import { refuse } from '../oauth/errors.ts';
import { first, isRepeated, joinParams, type Params } from '../oauth/params.ts';
import { checkNamedUser, judgeConsent, refuseSilent } from '../oauth/sign-in-asked.ts';
import { isSubject } from '../oauth/subject.ts';
import { ensureBrowser } from '../sealed/browser.ts';
import { findClient } from '../store/clients.ts';
import { readRevision } from '../store/engine/revision.ts';
import type { Session } from '../store/sessions.ts';
import { currentGrant } from '../store/withdrawals.ts';
import { log } from '../telemetry/log.ts';
import { issueCode } from './issue-code.ts';

/**
 * The authorization endpoint by GET (RFC 6749 section 3.1): answers with the code, an error, or a
 * redirect to the page that the user has to see first.
 */
export async function authorize(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return beginAuthorization(readQueryParams(request), request, now);
}

/**
 * Starts a pending request from parameters, new or resubmitted.
 * @throws PageRefusal, OAuthRefusal
 */
export async function beginAuthorization(
  sent: Params,
  request: HttpRequest,
  now: Date,
): Promise<HttpResponse> {
  const visit = await readContext(request, now);
  visitedBy(visit, request.about);
  const { params, pushed } = await unfold(sent, request, now);
  const tried = await triedBy(params, request, visit.session, now);
  const isPushed = pushed !== null;
  const checked = await checkRequest(
    { params, triedBy: tried, pushed: isPushed },
    visit,
    request.about,
    now,
  );
  warnOfMissingState(checked, visit, request);
  const { browser, cookies } = ensureBrowser(request);
  const flow = newPendingRequest(
    { params, redirectUri: checked.target.uri, browser, triedBy: tried, pushed },
    now,
  );
  request.about.attempt = flow.id;
  return addCookies(await continueAuthorization({ flow, checked, visit }, request, now), cookies);
}

/**
 * The authorization endpoint by POST (OpenID Connect Core section 3.1.2.1). A cross-site POST
 * carries no SameSite=Lax cookie, so nothing is decided here: the request is checked, sealed and
 * handed to a GET, which receives the browser's cookies.
 */
export async function authorizeByPost(request: HttpRequest, now: Date): Promise<HttpResponse> {
  // A parameter in both body and query counts as sent twice and is refused.
  const sent = joinParams(await readFormFields(request), readQueryParams(request));
  const { params, pushed } = await unfold(sent, request, now);
  const visit = await contextOf(request, { revision: await readRevision(), session: null });
  const { target } = await checkRequest(
    { params, pushed: pushed !== null },
    visit,
    request.about,
    now,
  );
  const sealed = await sealPendingRequest(
    newPendingRequest({ params, redirectUri: target.uri, browser: null, pushed }, now),
  );
  return redirect(`/oauth/continue?flow=${sealed}`);
}

/** The parameters, and the pushed request that they come from; null if they were not pushed. */
type Unfolded = { params: Params; pushed: { id: string; at: Date } | null };

/**
 * Opens a request_uri of this server (RFC 9126 section 4). Only the client that pushed it may use
 * it, for one minute. Parameters other than client_id and request_uri are ignored. Any other
 * request_uri is left to the later checks, which refuse it; nothing is fetched.
 * @throws PageRefusal
 */
async function unfold(sent: Params, { about }: HttpRequest, now: Date): Promise<Unfolded> {
  if (!namesPushed(sent) || isRepeated(sent, 'request_uri')) return { params: sent, pushed: null };
  const found = await openPushed(first(sent, 'request_uri') ?? '');
  const owner = found && (first(found.params, 'client_id') ?? null);
  const isIts = owner !== null && owner === readClientId(sent);
  const age = found ? secondsSince(found.at, now) : 0;
  if (found && isIts && age <= pushedLife) return { params: found.params, pushed: found };
  about.clientId = isIts ? ((await findClient(owner))?.id ?? null) : null;
  about.attempt = isIts && found ? found.id : null;
  if (isIts) refusePushedOver(age);
  refuseRequestUri(found ? 'one of another client' : 'a request_uri that this server has not made');
}

/**
 * Takes the next step of a pending request: sign-in, consent, or the code.
 * @throws PageRefusal, OAuthRefusal
 */
export async function continueAuthorization(
  resumed: Resumed,
  http: HttpRequest,
  now: Date,
): Promise<HttpResponse> {
  const { flow, checked } = resumed;
  const { client, target, request } = checked;
  const visit = await visitFor(resumed, http, now);
  const verdict = await judgeVisit({ ...resumed, visit }, now);
  const session = verdict.page === null ? visit.session : null;
  if (!session) return stop(verdict, { ...resumed, visit }, http, now);
  const grant = await currentGrant(session.user.id, client.id, now);
  const step = judgeConsent(request, client, target, grant?.remembered ?? []);
  http.about.outcome = step === 'code' ? 'done' : 'consent';
  if (step === 'consent') return redirect(`/consent?flow=${await sealPendingRequest(flow)}`);
  http.about.notes.push(...notesOnAnswer(client));
  const agreed = { grant, remember: false, period: null };
  return issueCode({ flow, checked, visit, session }, agreed, now);
}

/**
 * The visit that a request is judged by. With prompt=none and a hint that names another account
 * kept in this browser, that account's session answers. Neither session changes.
 */
async function visitFor(
  { flow, checked, visit }: Resumed,
  http: HttpRequest,
  now: Date,
): Promise<RequestContext> {
  const { client } = checked;
  const { prompt, subject } = checked.request;
  if (!prompt.includes('none') || subject === undefined) return visit;
  const isOf = (session: Session | null) =>
    session !== null && isSubject(subject, client, session.user.id);
  if (flow.triedBy !== null || isOf(visit.session)) return visit;
  const session = await findKept(http, isOf, now);
  if (!session) return visit;
  const named = { ...visit, session };
  visitedBy(named, http.about);
  if (await mayReply(checked, named, now)) http.about.reply = replyTo(checked, flow.params, named);
  return named;
}

/**
 * Shows the page that comes before the code, or, with `prompt=none`, tells the app. A user who may
 * not use the app is told first; the app learns it when the user goes back to it.
 */
async function stop(
  verdict: Verdict,
  { flow, checked, visit }: Resumed,
  http: HttpRequest,
  now: Date,
): Promise<HttpResponse> {
  const { client, request } = checked;
  const silent = request.prompt.includes('none');
  if (verdict.page === 'terms') {
    const { reason, facts } = verdict.refusal;
    if (silent) refuse('interaction_required', reason, facts);
    http.about.outcome = 'consent';
    return redirect(`/login/terms?flow=${await sealPendingRequest(flow)}`);
  }
  if ('refusal' in verdict) {
    const { page, refusal } = verdict;
    // If the app asks again without `prompt=none`, its user can ask the admins on the page.
    if (silent && page === 'approval' && verdict.approval !== 'refused')
      refuse('consent_required', refusal.reason, refusal.facts);
    if (silent) throw refusal;
    if (page === 'no-access') await auditKeptOut(refusal, http, now);
    const kept = await sealPendingRequest({ ...flow, keptOutBy: http.id });
    return { ...redirect(`/${page}?flow=${kept}`), refusal };
  }
  const person = visit.session && endUserOf(visit.session);
  if (person) checkNamedUser({ request, client }, person, flow.startedAt);
  if (silent) refuseSilent(client, person, now);
  http.about.outcome = 'sign-in';
  const creates = request.prompt.includes('create') && (await registrationMode()) === 'open';
  const page = person === null && creates ? '/register' : '/login';
  return redirect(`${page}?flow=${await sealPendingRequest(flow)}`);
}

function warnOfMissingState(
  { client, request: { state } }: CheckedRequest,
  visit: RequestContext,
  request: HttpRequest,
): void {
  if (visit.settings.enforceState && state === undefined) {
    log().warn(
      { requestId: request.id, clientId: client.id },
      'state is enforced but missing: the code cannot be redeemed',
    );
  }
}
