import { actorAt } from '../http/actor.ts';
import { redirect } from '../http/answers.ts';
import { readBodyParams, readQueryParams } from '../http/body.ts';
import type { About, HttpRequest, HttpResponse, PageRequest } from '../http/message.ts';
import type { OwnAddress } from '../http/own-address.ts';
import { readSession } from '../identity/session.ts';
import { type IdTokenHint, readIdTokenHint } from '../identity/signing.ts';
import { findKept, leaveSession } from '../identity/switching.ts';
import { visitedBy } from '../interaction/context.ts';
import { endedCookie, hasJustEnded } from '../interaction/ended-session.ts';
import { openLogout, sealLogout } from '../interaction/logout-request.ts';
import type { Client } from '../oauth/client.ts';
import { sidOf } from '../oauth/id-token.ts';
import { first, type Params } from '../oauth/params.ts';
import { leadsHome } from '../oauth/places.ts';
import { checkPostLogout, namesNobody } from '../oauth/post-logout.ts';
import { type CheckedUri, withParams } from '../oauth/redirect-uri.ts';
import { newId } from '../oauth/secrets.ts';
import { isSubject } from '../oauth/subject.ts';
import { isVerified } from '../registration/verified.ts';
import { eventBy } from '../store/actor.ts';
import { audit } from '../store/audit.ts';
import { clientAt, onlyClientReturningTo } from '../store/clients.ts';
import type { Session } from '../store/sessions.ts';
import { settingsAt } from '../store/settings.ts';
import { findLanguageOf } from '../store/users.ts';
import { log } from '../telemetry/log.ts';

type LogoutRequest = {
  client: Client | null;
  /** The one that its ID token names, or the one that the browser acts for. */
  session: Session | null;
  next: OwnAddress | CheckedUri;
  /** The browser is not sent to the address that the request names. */
  stays: boolean;
  /** The ID token hint belongs to this session, so no confirmation is needed. */
  proven: boolean;
  /** The hint is not an ID token of this server, so nothing in the request can be trusted. */
  hintFailed: boolean;
  uiLocales: string | undefined;
};

/** The end-session endpoint (OpenID Connect RP-Initiated Logout). @throws PageRefusal */
export async function logout(request: HttpRequest, now: Date): Promise<HttpResponse> {
  if (request.method === 'POST') {
    // A cross-site POST carries no SameSite=Lax cookie; the GET that follows does.
    return redirect(`/oauth/logout?request=${await sealLogout(await readBodyParams(request))}`);
  }
  const query = readQueryParams(request);
  const params = (await openLogout(first(query, 'request'))) ?? query;
  const visit = await readSession(request, now);
  const asked = await checkLogout(params, request, visit, now);
  const { session } = asked;
  if (asked.stays)
    log().info(
      { requestId: request.id, clientId: asked.client?.id },
      'not sent back after sign-out: the app is disabled, or it is unverified and the request has no ID token of this browser',
    );
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
  const cookies = [
    ...(await leaveSession(request, session, now)),
    await endedCookie(request, session.hash, now),
  ];
  const about = { userId: session.user.id, clientId: asked.client?.id ?? null };
  await audit(eventBy(actorAt(request, session.user.id), 'sign-out', about), now);
  return redirect(
    asked.next === signedOutPage ? await signedOutIn(asked.uiLocales, session.user.id) : asked.next,
    cookies,
  );
}

const signedOutPage: OwnAddress = '/logout/done';

/** The target page has no session, so the address carries the language. */
async function signedOutIn(uiLocales: string | undefined, userId: string): Promise<OwnAddress> {
  return withParams(signedOutPage, { ui_locales: uiLocales ?? (await findLanguageOf(userId)) });
}

type Visit = { session: Session | null; revision: number };

/**
 * A client, the address to send the browser to after the sign-out, and the ID token of the request.
 */
type Followed = { client: Client; uri: CheckedUri; hint: IdTokenHint | null };

/**
 * Whether the browser is sent to an app's address after the sign-out. Anyone can make up a client
 * and could otherwise send people anywhere through this server. So for a client that no admin has
 * verified, two things are required: an ID token of a user who is, or just was, signed in at this
 * browser, and an address at the place that the client's redirect URIs lead to. A disabled client's
 * address is never used.
 */
async function isFollowed(
  { client, uri, hint }: Followed,
  request: PageRequest,
  { session, revision }: Visit,
  now: Date,
): Promise<boolean> {
  if (client.disabled) return false;
  if (await isVerified(client, await settingsAt(revision))) return true;
  if (hint === null || !leadsHome(client, uri)) return false;
  const isOwn = session !== null && isSubject(hint.sub, client, session.user.id);
  return isOwn || hasJustEnded(hint.sid, client, request, now);
}

/**
 * The request; if an endpoint handles it, also its `about`, which receives the client and the user.
 */
type Asking = PageRequest & { about?: About };

/** It may be of an account other than the one the browser acts for. */
async function sessionNamed(
  { hint, client, session }: { hint: IdTokenHint | null; client: Client | null } & Visit,
  request: PageRequest,
  now: Date,
): Promise<Session | null> {
  if (!hint || (session && sidOf(session.hash, client) === hint.sid)) return session;
  const isOfHint = (kept: Session) => isOfSession(hint, client, kept);
  return (await findKept(request, isOfHint, now)) ?? session;
}

const isOfSession = (hint: IdTokenHint, client: Client | null, { hash, user }: Session) =>
  hint.sid === sidOf(hash, client) && isSubject(hint.sub, client, user.id);

/** The client of a request that names only an address, if it alone registered that one. */
async function clientReturningTo(params: Params): Promise<string | undefined> {
  const uri = namesNobody(params) ? first(params, 'post_logout_redirect_uri') : undefined;
  return (uri && (await onlyClientReturningTo(uri))) || undefined;
}

/** Keeps an attempt of a sign-out that stays here, because no app is known by its address. */
function noteNobody(params: Params, about: About, now: Date): void {
  const received = first(params, 'post_logout_redirect_uri');
  about.attempt ??= newId(now);
  about.outcome = 'done';
  about.notes.push({
    rule: 'post-logout.no-client',
    received,
    expected: ['client_id', 'id_token_hint'],
  });
}

/**
 * Checks a sign-out request. @throws PageRefusal for a contradictory request or an unregistered URI
 */
export async function checkLogout(
  params: Params,
  request: Asking,
  visit: Visit,
  now: Date,
): Promise<LogoutRequest> {
  const { revision } = visit;
  const hintText = first(params, 'id_token_hint');
  const hint = hintText === undefined ? null : await readIdTokenHint(hintText, revision, now);
  const hintFailed = hintText !== undefined && hint === null;
  const id = hint?.aud ?? first(params, 'client_id') ?? (await clientReturningTo(params));
  const client = id === undefined ? null : await clientAt(revision, id);
  if (request.about && client === null && namesNobody(params))
    noteNobody(params, request.about, now);
  const session = await sessionNamed({ hint, client, ...visit }, request, now);
  if (request.about) {
    request.about.clientId = client?.id ?? null;
    visitedBy({ session }, request.about);
  }
  const checked = checkPostLogout(params, {
    client,
    hintFailed,
    hintFor: hint?.aud,
    isSignedIn: session !== null,
  });
  const follows =
    client &&
    checked &&
    (await isFollowed({ client, uri: checked, hint }, request, { session, revision }, now));
  return {
    client,
    session,
    next: follows ? withParams(checked, { state: first(params, 'state') }) : signedOutPage,
    stays: checked !== null && !follows,
    proven: hint !== null && session !== null && isOfSession(hint, client, session),
    hintFailed,
    uiLocales: first(params, 'ui_locales'),
  };
}
