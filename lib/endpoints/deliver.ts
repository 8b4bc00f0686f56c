import { config } from '../config.ts';
import { errorUri, html, redirect } from '../http/answers.ts';
import type { HttpResponse } from '../http/message.ts';
import { makeNonce, pageHeaders } from '../http/page-headers.ts';
import { formPostPage } from '../http/pages.ts';
import { languageFor, type Reader, readerOf } from '../interaction/language.ts';
import type { RefusedRequest, Visit } from '../interaction/visit.ts';
import type { Locale } from '../messages/locales.ts';
import {
  type ResponseMode,
  responseModeForErrors,
  stateToReturn,
} from '../oauth/authorization-request.ts';
import type { Client } from '../oauth/client.ts';
import { descriptionOf, OAuthRefusal, PageRefusal } from '../oauth/errors.ts';
import type { Params } from '../oauth/params.ts';
import { type RedirectTarget, withParams } from '../oauth/redirect-uri.ts';

type Answer = Record<string, string | undefined>;

/** Sends the browser back to the client with an answer (RFC 6749 section 4.1.2, RFC 9207). */
export async function deliver(
  target: RedirectTarget,
  client: Client,
  mode: ResponseMode,
  answer: Answer,
  reader: Reader,
): Promise<HttpResponse> {
  const full = { ...answer, iss: client.sendIss ? config().issuer : undefined };
  return mode === 'form_post'
    ? postForm(target, full, await languageFor(reader))
    : redirect(withParams(target.uri, full));
}

/** OAuth 2.0 Form Post Response Mode: a page whose form posts the answer. */
function postForm(target: RedirectTarget, answer: Answer, locale: Locale): HttpResponse {
  const nonce = makeNonce();
  const fields = Object.fromEntries(
    Object.entries(answer).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const { host, protocol, origin } = new URL(target.uri);
  const page = formPostPage({ action: target.uri, host: host || protocol, fields, nonce, locale });
  const formTargets = [target.kind === 'private-use' || host.startsWith('[') ? protocol : origin];
  return html(200, page, pageHeaders({ nonce, formTargets }));
}

/**
 * Tells the client that its request was refused. At an unregistered address a page of ours tells
 * the person instead, unless they have answered the consent page: nobody may use this server as
 * an open redirector.
 * @throws PageRefusal for an unregistered address
 */
export async function deliverError(
  refused: RefusedRequest,
  params: Params,
  visit: Pick<Visit, 'session' | 'acceptLanguage'>,
  answeredByPerson = false,
): Promise<HttpResponse> {
  const { client, target, refusal } = refused;
  refusal.clientId = client.id;
  if (!target.registered && !answeredByPerson) throw onAPage(refusal);
  return { ...(await tellClient(refused, params, visit)), refusal };
}

/** The same refusal for the person: the page shows what the client would have heard. */
function onAPage(refusal: OAuthRefusal): PageRefusal {
  const { code, reason, clientId } = refusal;
  const page = new PageRefusal('request_refused', reason, code, descriptionOf(refusal));
  page.clientId = clientId;
  return page;
}

/** Tells the client that the person said no. That is their decision and no refusal of this server. */
export function deliverDenial(
  { client, target }: Pick<RefusedRequest, 'client' | 'target'>,
  reason: string,
  params: Params,
  visit: Pick<Visit, 'session' | 'acceptLanguage'>,
): Promise<HttpResponse> {
  const refusal = new OAuthRefusal('access_denied', reason);
  return tellClient({ client, target, refusal }, params, visit);
}

function tellClient(
  { client, target, refusal }: RefusedRequest,
  params: Params,
  visit: Pick<Visit, 'session' | 'acceptLanguage'>,
): Promise<HttpResponse> {
  const answer = {
    error: refusal.code,
    error_description: descriptionOf(refusal),
    error_uri: errorUri(refusal.code, config().issuer),
    state: stateToReturn(params),
  };
  return deliver(target, client, responseModeForErrors(params), answer, readerOf(params, visit));
}
