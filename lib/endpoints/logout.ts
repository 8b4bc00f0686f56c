import { actorAt } from '../http/actor.ts';
import { redirect } from '../http/answers.ts';
import { readBodyParams, readQueryParams } from '../http/body.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import type { OwnAddress } from '../http/own-address.ts';
import { endSessionOf, readSession } from '../identity/session.ts';
import { readIdTokenHint } from '../identity/signing.ts';
import { logoutParams, openLogout, sealLogout } from '../interaction/logout-request.ts';
import type { Client } from '../oauth/client.ts';
import { refusePage } from '../oauth/errors.ts';
import { sidOf } from '../oauth/id-token.ts';
import { first, isRepeated, type Params } from '../oauth/params.ts';
import { type CheckedUri, checkPostLogoutUri, withParams } from '../oauth/redirect-uri.ts';
import { eventBy } from '../store/actor.ts';
import { audit } from '../store/audit.ts';
import { clientAt } from '../store/clients.ts';
import type { Session } from '../store/sessions.ts';
import { findLanguageOf } from '../store/users.ts';

/** A valid sign-out request. */
export type LogoutRequest = {
  client: Client | null;
  /** Where to redirect afterwards. */
  next: OwnAddress | CheckedUri;
  /** The ID token hint belongs to this session, so no confirmation is needed. */
  proven: boolean;
  /** The hint is not an ID token of ours, so nothing in the request can be trusted. */
  hintFailed: boolean;
  uiLocales: string | undefined;
};

/** The end-session endpoint (OpenID Connect RP-Initiated Logout). @throws PageRefusal */
export async function logout(request: HttpRequest, now: Date): Promise<HttpResponse> {
  if (request.method === 'POST') {
    // A cross-site POST brings no SameSite=Lax cookie; the GET that follows does.
    return redirect(`/oauth/logout?request=${await sealLogout(await readBodyParams(request))}`);
  }
  const query = readQueryParams(request);
  const params = (await openLogout(first(query, 'request'))) ?? query;
  const { session, revision } = await readSession(request, now);
  const asked = await checkLogout(params, session, revision, now);
  if (!session) return redirect(asked.hintFailed ? signedOutPage : asked.next);
  if (!asked.proven) return redirect(`/logout?request=${await sealLogout(params)}`);
  return signOut(request, session, asked, now);
}

export async function signOut(
  request: HttpRequest,
  session: Session,
  asked: LogoutRequest,
  now: Date,
): Promise<HttpResponse> {
  const cookie = await endSessionOf(request, now);
  const about = { userId: session.user.id, clientId: asked.client?.id ?? null };
  await audit(eventBy(actorAt(request, session.user.id), 'sign-out', about), now);
  return redirect(
    asked.next === signedOutPage ? await signedOutIn(asked.uiLocales, session.user.id) : asked.next,
    [cookie],
  );
}

const signedOutPage: OwnAddress = '/logout/done';

/** The target page has no session, so the address keeps the language. */
async function signedOutIn(uiLocales: string | undefined, userId: string): Promise<OwnAddress> {
  return withParams(signedOutPage, { ui_locales: uiLocales ?? (await findLanguageOf(userId)) });
}

/** @throws PageRefusal for a contradictory request or an unregistered URI */
export async function checkLogout(
  params: Params,
  session: Session | null,
  revision: number,
  now: Date,
): Promise<LogoutRequest> {
  const problem = session ? 'logout_refused' : 'logout_refused_signed_out';
  const refuse = (reason: string): never => refusePage(problem, reason, 'invalid_request');
  const repeated = logoutParams.find((name) => isRepeated(params, name));
  if (repeated) refuse(`${repeated} was sent more than once.`);
  const hintText = first(params, 'id_token_hint');
  const hint = hintText === undefined ? null : await readIdTokenHint(hintText, revision, now);
  const hintFailed = hintText !== undefined && hint === null;
  const clientId = first(params, 'client_id');
  if (hint && clientId !== undefined && clientId !== hint.aud)
    refuse('client_id is not the audience of id_token_hint.');
  const id = hint?.aud ?? clientId;
  const client = id === undefined ? null : await clientAt(revision, id);
  const uri = first(params, 'post_logout_redirect_uri');
  const checked = uri === undefined ? null : checkPostLogoutUri(client, uri);
  if (uri !== undefined && !checked)
    refuse(
      hintFailed
        ? 'id_token_hint was not issued by this server.'
        : 'post_logout_redirect_uri is not registered for a client named in this request.',
    );
  const proven =
    hint !== null &&
    session !== null &&
    hint.sub === session.user.id &&
    hint.sid === sidOf(session.hash);
  return {
    client,
    next: checked ? withParams(checked, { state: first(params, 'state') }) : signedOutPage,
    proven,
    hintFailed,
    uiLocales: first(params, 'ui_locales'),
  };
}
