import { config } from '../config.ts';
import { errorUri, html, redirect } from '../http/answers.ts';
import type { HttpResponse } from '../http/message.ts';
import { makeNonce, pageHeaders } from '../http/page-headers.ts';
import { formPostPage } from '../http/pages.ts';
import type { Locale } from '../messages/locales.ts';
import {
  type ResponseMode,
  responseModeForErrors,
  stateToReturn,
} from '../oauth/authorization-request.ts';
import type { Client } from '../oauth/client.ts';
import { descriptionOf, type OAuthRefusal, refusePage } from '../oauth/errors.ts';
import type { Params } from '../oauth/params.ts';
import { type RedirectTarget, withParams } from '../oauth/redirect-uri.ts';
import { count } from '../store/usage.ts';
import { languageFor, type Reader, readerOf } from './language.ts';
import type { Visit } from './visit.ts';

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
  refused: { client: Client; target: RedirectTarget; refusal: OAuthRefusal },
  params: Params,
  visit: Pick<Visit, 'session' | 'acceptLanguage'>,
  answeredByPerson = false,
): Promise<HttpResponse> {
  const { client, target, refusal } = refused;
  count('refusal', client.id, new Date());
  if (!target.registered && !answeredByPerson)
    refusePage('request_refused', descriptionOf(refusal), refusal.code);
  const answer = {
    error: refusal.code,
    error_description: descriptionOf(refusal),
    error_uri: errorUri(refusal.code, config().issuer),
    state: stateToReturn(params),
  };
  return deliver(target, client, responseModeForErrors(params), answer, readerOf(params, visit));
}
