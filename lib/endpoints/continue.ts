import { redirect } from '../http/answers.ts';
import { readQueryParams } from '../http/body.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import {
  isExpired,
  newFlow,
  openFlow,
  readBoundFlow,
  sealFlow,
} from '../interaction/pending-request.ts';
import { checkRequest, readVisit } from '../interaction/visit.ts';
import { log } from '../log.ts';
import { refusePage } from '../oauth/errors.ts';
import { first } from '../oauth/params.ts';
import { ensureBrowser } from '../sealed/browser.ts';
import { begin, proceed, withCookies } from './authorize.ts';
import { deliverDenial, deliverError } from './deliver.ts';

/**
 * Takes a pending authorization request one step further: after a sign-in, after a POST to the
 * authorization endpoint (which is bound to this browser here, once), or as a new request when
 * the person tries an expired one again.
 */
export async function continueFlow(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const query = readQueryParams(request);
  const sealed = first(query, 'flow');
  const unbound = await openFlow(sealed);
  if (unbound && unbound.browser === null && !isExpired(unbound, now)) {
    const { browser, cookies } = ensureBrowser(request);
    const flow = newFlow(unbound.params, unbound.redirectUri, browser, now);
    return withCookies(redirect(`/oauth/continue?flow=${await sealFlow(flow)}`), cookies);
  }
  const flow = await readBoundFlow(sealed, request);
  if (first(query, 'again') === '1') return begin(flow.params, request, now);
  if (isExpired(flow, now)) return redirect(`/expired?flow=${sealed}`);
  const visit = await readVisit(request, now);
  const checked = await checkRequest(flow.params, visit, now);
  if ('refusal' in checked) return deliverError(checked, flow.params, visit);
  return proceed(flow, checked, visit, now);
}

/** "Cancel" on the sign-in page: the client hears that the person did not want to. */
export async function cancelFlow(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const sealed = first(readQueryParams(request), 'flow');
  const flow = await readBoundFlow(sealed, request);
  if (isExpired(flow, now)) return redirect(`/expired?flow=${sealed}`);
  const visit = await readVisit(request, now);
  const checked = await checkRequest(flow.params, visit, now);
  const reason = 'The person cancelled the sign-in.';
  log().info({ requestId: request.id, clientId: checked.client.id }, 'sign-in cancelled');
  if (!checked.target.registered) refusePage('cancelled', reason, 'access_denied');
  return deliverDenial(checked, reason, flow.params, visit);
}
