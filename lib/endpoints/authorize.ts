import { redirect } from '../http/answers.ts';
import { readFormFields, readQueryParams } from '../http/body.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { type Flow, newFlow, sealFlow } from '../interaction/pending-request.ts';
import {
  type CheckedRequest,
  checkRequest,
  personOf,
  readVisit,
  type Visit,
} from '../interaction/visit.ts';
import { log } from '../log.ts';
import { OAuthRefusal, refusePage } from '../oauth/errors.ts';
import { nextStep } from '../oauth/next-step.ts';
import { joinParams, type Params } from '../oauth/params.ts';
import { ensureBrowser } from '../sealed/browser.ts';
import { findGrant } from '../store/grants.ts';
import { readRevision } from '../store/revision.ts';
import type { Session } from '../store/sessions.ts';
import { readSettings } from '../store/settings.ts';
import { deliverError } from './deliver.ts';
import { issueCode } from './issue-code.ts';

/**
 * The authorization endpoint by GET (RFC 6749 section 3.1): answers with the code, with an
 * error, or with the page the person has to see first.
 */
export async function authorize(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const params = await readableParams(async () => readQueryParams(request));
  return begin(params, request, now);
}

/** Begins a flow from the parameters of a request, new or taken up again. @throws PageRefusal */
export async function begin(
  params: Params,
  request: HttpRequest,
  now: Date,
): Promise<HttpResponse> {
  const visit = await readVisit(request, now);
  const checked = await checkRequest(params, visit, now);
  if ('refusal' in checked) return deliverError(checked, params, visit);
  warnOfMissingState(checked, visit, request);
  const { browser, cookies } = ensureBrowser(request);
  const flow = newFlow(params, checked.target.uri, browser, now);
  return withCookies(await proceed(flow, checked, visit, now), cookies);
}

/**
 * The authorization endpoint by POST (OpenID Connect Core section 3.1.2.1). A cross-site POST
 * carries no SameSite=Lax cookie, so nothing is decided here: the request is checked, sealed
 * and handed to a GET, which sees the browser's cookies.
 */
export async function authorizeByPost(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const params = await readableParams(async () =>
    // What stands in both is sent twice, which is refused like any other repetition.
    joinParams(await readFormFields(request), readQueryParams(request)),
  );
  const [revision, settings] = [await readRevision(), await readSettings()];
  const visit: Visit = {
    revision,
    settings,
    session: null,
    acceptLanguage: request.header('accept-language'),
  };
  const checked = await checkRequest(params, visit, now);
  if ('refusal' in checked) return deliverError(checked, params, visit);
  return orRefusal(checked, params, visit, async () => {
    const sealed = await sealFlow(newFlow(params, checked.target.uri, null, now));
    return redirect(`/oauth/continue?flow=${sealed}`);
  });
}

/** Takes the next step of a flow: sign-in, consent, or the code. @throws PageRefusal */
export function proceed(
  flow: Flow,
  checked: CheckedRequest,
  visit: Visit,
  now: Date,
): Promise<HttpResponse> {
  return orRefusal(checked, flow.params, visit, async () => {
    const { client, target, request } = checked;
    const { session } = visit;
    const grant = session && (await findGrant(session.user.id, client.id));
    const person = session && (await personOf(session, request));
    const step = nextStep(
      request,
      client,
      target,
      person,
      grant?.remembered ?? [],
      flow.startedAt,
      now,
    );
    if (step === 'code')
      return issueCode(flow, checked, visit as Visit & { session: Session }, grant, false, now);
    return redirect(`/${step}?flow=${await sealFlow(flow)}`);
  });
}

async function orRefusal(
  checked: CheckedRequest,
  params: Params,
  visit: Visit,
  work: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OAuthRefusal)
      return deliverError({ ...checked, refusal: error }, params, visit);
    throw error;
  }
}

/** Bytes that are no request are shown to the person: there is nobody yet to send an error to. */
async function readableParams(read: () => Promise<Params>): Promise<Params> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof OAuthRefusal) refusePage('malformed_request', error.reason, error.code);
    throw error;
  }
}

export function withCookies(response: HttpResponse, cookies: string[]): HttpResponse {
  if (cookies.length > 0)
    response.headers['set-cookie'] = [...[response.headers['set-cookie'] ?? []].flat(), ...cookies];
  return response;
}

function warnOfMissingState(
  { client, request: { state } }: CheckedRequest,
  visit: Visit,
  request: HttpRequest,
): void {
  if (visit.settings.enforceState && state === undefined) {
    log().warn(
      { requestId: request.id, clientId: client.id },
      'state is enforced but missing: the code cannot be redeemed',
    );
  }
}
