import { config } from '../config.ts';
import { errorUri, html, redirect } from '../http/answers.ts';
import type { About, HttpResponse } from '../http/message.ts';
import { makeNonce, pageHeaders } from '../http/page-headers.ts';
import { formPostPage } from '../http/pages.ts';
import type { Locale } from '../messages/locales.ts';
import {
  type ResponseMode,
  responseModeForErrors,
  stateToReturn,
} from '../oauth/authorization-request.ts';
import type { Client } from '../oauth/client.ts';
import { descriptionOf, OAuthRefusal, refusePage } from '../oauth/errors.ts';
import type { Facts } from '../oauth/facts.ts';
import { issuerKnownTo } from '../oauth/old-issuer.ts';
import type { Params } from '../oauth/params.ts';
import { type RedirectTarget, withFragment, withParams } from '../oauth/redirect-uri.ts';
import { readBranding } from '../store/branding.ts';
import { denyRequest } from '../store/denials.ts';
import type { Session } from '../store/sessions.ts';
import { languageFor, type Reader, readerOf } from './language.ts';
import type { PendingRequest } from './pending-request.ts';
import { trialAnswerAt } from './trial.ts';

type Answer = Record<string, string | undefined>;

/**
 * Sends the browser back to the client with the authorization response (RFC 6749 section 4.1.2, RFC
 * 9207).
 */
export async function respond(
  { target, client }: Recipient,
  mode: ResponseMode,
  answer: Answer,
  reader: Reader,
): Promise<HttpResponse> {
  const full = {
    ...answer,
    iss: client.sendIss ? issuerKnownTo(client, config().issuer) : undefined,
  };
  if (target.triedBy !== undefined)
    return redirect(await trialAnswerAt(client.id, target.triedBy, full, new Date()));
  if (mode === 'query') return redirect(withParams(target.uri, full));
  if (mode === 'fragment') return redirect(withFragment(target.uri, full));
  const locale = await languageFor(reader);
  await readBranding().catch(() => {});
  return postForm(target, full, locale);
}

/** It shows whether a client got further once `iss` was left out. */
export function notesOnAnswer({ sendIss }: Pick<Client, 'sendIss'>): Facts[] {
  return sendIss ? [] : [{ rule: 'iss.left-out' }];
}

/** OAuth 2.0 Form Post Response Mode: a page whose form posts the response. */
function postForm(target: RedirectTarget, answer: Answer, locale: Locale): HttpResponse {
  const nonce = makeNonce();
  const fields = Object.fromEntries(
    Object.entries(answer).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const { host, protocol, origin } = new URL(target.uri);
  const page = formPostPage({ action: target.uri, host: host || protocol, fields, nonce, locale });
  const formTargets = [target.kind === 'private-use' || host.startsWith('[') ? protocol : origin];
  return html(200, page, pageHeaders({ path: '/oauth/authorize', nonce, formTargets }));
}

type Recipient = { client: Client; target: RedirectTarget };
type Visitor = { session: Session | null; acceptLanguage: string | undefined };

/** Returns a function that sends a refusal back to the client (RFC 6749 section 4.1.2.1). */
export function replyTo(
  { client, target }: Recipient,
  params: Params,
  visitor: Visitor,
): NonNullable<About['reply']> {
  return (refusal, requestId) => {
    const answer = {
      error: refusal.code,
      error_description: descriptionOf(refusal),
      error_uri: errorUri(refusal.code, config().issuer, requestId),
      state: stateToReturn(params),
    };
    const mode = responseModeForErrors(params);
    return respond({ target, client }, mode, answer, readerOf(params, visitor));
  };
}

type Denied = {
  flow: Pick<PendingRequest, 'id' | 'params'>;
  checked: Recipient;
  visit: Visitor;
};

/**
 * Tells the client that the user denied the request, which can no longer get a code. This is the
 * user's decision, not a refusal by this server.
 * @throws PageRefusal if the request already has its code
 */
export async function respondDenied(
  { flow, checked, visit }: Denied,
  reason: string,
  requestId: string,
  now: Date,
): Promise<HttpResponse> {
  await markDenied(flow, now);
  const reply = replyTo(checked, flow.params, visit);
  return reply(new OAuthRefusal('access_denied', reason), requestId);
}

/** Marks a request as denied. @throws PageRefusal if it already has its code */
export async function markDenied({ id }: Pick<PendingRequest, 'id'>, now: Date): Promise<void> {
  if ((await denyRequest(id, now)) === 'flow-used') refuseAnswered();
}

/** Refuses to answer an authorization request a second time. @throws PageRefusal always */
export function refuseAnswered(): never {
  refusePage('flow_used', 'This authorization request was already answered.');
}
