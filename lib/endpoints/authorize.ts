import { actorAt } from '../http/actor.ts';
import { redirect } from '../http/answers.ts';
import { readFormFields, readQueryParams } from '../http/body.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { approvalOf, refusalOfApproval } from '../interaction/approval.ts';
import {
  type CheckedRequest,
  checkRequest,
  endUserOf,
  type RequestContext,
  readContext,
  refusalOfVisit,
  visitedBy,
} from '../interaction/context.ts';
import {
  newPendingRequest,
  type PendingRequest,
  sealPendingRequest,
} from '../interaction/pending-request.ts';
import { notesOnAnswer } from '../interaction/respond.ts';
import type { Resumed } from '../interaction/resume.ts';
import { triedBy } from '../interaction/trial.ts';
import { log } from '../log.ts';
import { noAccess } from '../oauth/access.ts';
import type { OAuthRefusal } from '../oauth/errors.ts';
import { nextStep } from '../oauth/next-step.ts';
import { joinParams, type Params } from '../oauth/params.ts';
import { ensureBrowser } from '../sealed/browser.ts';
import { auditNoAccess } from '../store/access.ts';
import { readRevision } from '../store/revision.ts';
import { readSettings } from '../store/settings.ts';
import { currentGrant } from '../store/withdrawals.ts';
import { issueCode } from './issue-code.ts';

/**
 * The authorization endpoint by GET (RFC 6749 section 3.1): answers with the code, an error, or a
 * redirect to the page the user has to see first.
 */
export async function authorize(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return begin(readQueryParams(request), request, now);
}

/**
 * Starts a pending request from parameters, new or resubmitted.
 * @throws PageRefusal, OAuthRefusal
 */
export async function begin(
  params: Params,
  request: HttpRequest,
  now: Date,
): Promise<HttpResponse> {
  const visit = await readContext(request, now);
  const tried = await triedBy(params, request, visit.session, now);
  visitedBy(visit, request.about);
  const checked = await checkRequest(params, visit, request.about, now, tried);
  warnOfMissingState(checked, visit, request);
  const { browser, cookies } = ensureBrowser(request);
  const flow = newPendingRequest(params, checked.target.uri, browser, now, tried);
  request.about.attempt = flow.id;
  return withCookies(await proceed({ flow, checked, visit }, request, now), cookies);
}

/**
 * The authorization endpoint by POST (OpenID Connect Core section 3.1.2.1). A cross-site POST
 * carries no SameSite=Lax cookie, so nothing is decided here: the request is checked, sealed
 * and handed to a GET, which sees the browser's cookies.
 */
export async function authorizeByPost(request: HttpRequest, now: Date): Promise<HttpResponse> {
  // A parameter in both counts as sent twice and is refused.
  const params = joinParams(await readFormFields(request), readQueryParams(request));
  const [revision, settings] = [await readRevision(), await readSettings()];
  const visit: RequestContext = {
    revision,
    settings,
    session: null,
    acceptLanguage: request.header('accept-language'),
    address: request.address,
    isShared: request.isShared,
    requestId: request.id,
  };
  const { target } = await checkRequest(params, visit, request.about, now);
  const sealed = await sealPendingRequest(newPendingRequest(params, target.uri, null, now));
  return redirect(`/oauth/continue?flow=${sealed}`);
}

/**
 * Takes the next step of a pending request: sign-in, consent, or the code.
 * @throws PageRefusal, OAuthRefusal
 */
export async function proceed(
  { flow, checked, visit }: Resumed,
  http: HttpRequest,
  now: Date,
): Promise<HttpResponse> {
  const { about } = http;
  const { client, target, request } = checked;
  const { session } = visit;
  const misplaced = refusalOfVisit(client, visit);
  if (misplaced && request.prompt.includes('none')) throw misplaced;
  if (misplaced) return keepOut(flow, misplaced, http, now);
  const grant = session && (await currentGrant(session.user.id, client.id, now));
  const person = session && (await endUserOf(session, checked));
  const remembered = grant?.remembered ?? [];
  const step = nextStep(request, client, target, person, remembered, flow.startedAt, now);
  if (step === 'no-access') return keepOut(flow, noAccess('access_denied'), http, now);
  const kept = step === 'login' ? null : await refusalOfNewcomer(checked, visit);
  if (kept && request.prompt.includes('none')) throw kept;
  if (kept)
    return { ...redirect(`/approval?flow=${await sealKeptOut(flow, http)}`), refusal: kept };
  about.outcome = step === 'code' ? 'done' : step === 'login' ? 'sign-in' : 'consent';
  if (step === 'code' && session) {
    about.notes.push(...notesOnAnswer(client));
    return issueCode(flow, checked, { ...visit, session }, grant, false, now);
  }
  return redirect(
    `/${step === 'consent' ? 'consent' : 'login'}?flow=${await sealPendingRequest(flow)}`,
  );
}

/** What admins say of an app that introduced itself, where they want to be asked; null: it may be used. */
async function refusalOfNewcomer(
  { client }: CheckedRequest,
  { settings }: RequestContext,
): Promise<OAuthRefusal | null> {
  return refusalOfApproval(await approvalOf(client, settings));
}

/**
 * Somebody who may not use the app, or not from here, reads so first; the app hears it when they go
 * back to it.
 */
async function keepOut(
  flow: PendingRequest,
  refusal: OAuthRefusal,
  http: HttpRequest,
  now: Date,
): Promise<HttpResponse> {
  const { userId, clientId } = http.about;
  await auditNoAccess(actorAt(http, userId), { userId, clientId }, now, refusal.facts?.rule);
  const page = redirect(`/no-access?flow=${await sealKeptOut(flow, http)}`);
  return { ...page, refusal };
}

const sealKeptOut = (flow: PendingRequest, { id }: HttpRequest) =>
  sealPendingRequest({ ...flow, keptOutBy: id });

export function withCookies(response: HttpResponse, cookies: string[]): HttpResponse {
  if (cookies.length > 0)
    response.headers['set-cookie'] = [...[response.headers['set-cookie'] ?? []].flat(), ...cookies];
  return response;
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
