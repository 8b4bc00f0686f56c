import { addCookies, redirect } from '../http/answers.ts';
import { readQueryParams } from '../http/body.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import type { Sender } from '../http/network.ts';
import { pauseAfter } from '../http/request-limits.ts';
import { mayReply } from '../interaction/context.ts';
import { findKeptOut } from '../interaction/kept-out.ts';
import {
  isExpired,
  newPendingRequest,
  openPendingRequest,
  readPendingRequest,
  sealPendingRequest,
} from '../interaction/pending-request.ts';
import { markDenied, replyTo, respondDenied } from '../interaction/respond.ts';
import { askedBy, type Resumed, resume } from '../interaction/resume.ts';
import { type OAuthRefusal, refusePage } from '../oauth/errors.ts';
import { first } from '../oauth/params.ts';
import { ensureBrowser } from '../sealed/browser.ts';
import { log } from '../telemetry/log.ts';
import { beginAuthorization, continueAuthorization } from './authorize.ts';

/**
 * Continues a pending request: after the sign-in; after a POST to the authorization endpoint, in
 * which case it is bound to this browser here, once; or as a new request if the user retries an
 * expired one.
 */
export async function continueRequest(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const query = readQueryParams(request);
  const sealed = first(query, 'flow');
  const unbound = await openPendingRequest(sealed);
  if (unbound && unbound.browser === null && !isExpired(unbound, now)) {
    const { browser, cookies } = ensureBrowser(request);
    const flow = newPendingRequest(
      {
        params: unbound.params,
        redirectUri: unbound.redirectUri,
        browser,
        pushed: unbound.pushedAt && { id: unbound.id, at: unbound.pushedAt },
      },
      now,
    );
    return addCookies(redirect(`/oauth/continue?flow=${await sealPendingRequest(flow)}`), cookies);
  }
  if (first(query, 'again') === '1') {
    const { params, pushedAt } = await readPendingRequest(sealed, request);
    // A pushed request yields one code, so only its app can ask again.
    if (pushedAt === null) return beginAuthorization(params, request, now);
  }
  const resumed = await resume(request, sealed, now);
  return 'elsewhere' in resumed
    ? redirect(resumed.elsewhere)
    : continueAuthorization(resumed, request, now);
}

/** "Cancel" at sign-in, or "Go back" when kept out: the client gets access_denied. */
export async function cancelRequest(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const sealed = first(readQueryParams(request), 'flow');
  const resumed = await resume(request, sealed, now);
  if ('elsewhere' in resumed) return redirect(resumed.elsewhere);
  const { checked } = resumed;
  const { verdict } = await findKeptOut(askedBy(resumed), request, now);
  if (verdict) return respondKeptOut(verdict.refusal, resumed, request, now);
  request.about.outcome = 'denied';
  const reason = 'The user cancelled the sign-in.';
  log().info({ requestId: request.id, clientId: checked.client.id }, 'sign-in cancelled');
  if (!(await mayTell(resumed, request, now))) refusePage('cancelled', reason, 'access_denied');
  return respondDenied(resumed, reason, request.id, now);
}

/**
 * Limit per network in 15 minutes. Each of these answers is remembered for an hour, and takes no
 * sign-in.
 */
const toldAtMost = 60;

/** Whether the app is told: it may be answered, and not too many such answers were requested. */
async function mayTell({ visit, checked }: Resumed, sender: Sender, now: Date): Promise<boolean> {
  if (!(await mayReply(checked, visit, now))) return false;
  return (await pauseAfter('cancel', toldAtMost, sender, now)) === null;
}

/** Recorded when it happened: the app is sent the id of that request. */
async function respondKeptOut(
  refusal: OAuthRefusal,
  resumed: Resumed,
  request: HttpRequest,
  now: Date,
): Promise<HttpResponse> {
  if (!(await mayTell(resumed, request, now))) throw refusal;
  const { flow, visit, checked } = resumed;
  await markDenied(flow, now);
  return replyTo(checked, flow.params, visit)(refusal, flow.keptOutBy ?? request.id);
}
