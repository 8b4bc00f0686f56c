import { passageOfGuest } from '../../access/guest.ts';
import { auditKeptOut } from '../../access/kept-out.ts';
import type { Verdict } from '../../access/passage.ts';
import { json } from '../../http/answers.ts';
import type { Endpoint, HttpHeaders, HttpRequest, HttpResponse } from '../../http/message.ts';
import type { Sender } from '../../http/network.ts';
import { findSiteToken } from '../../identity/tokens.ts';
import type { Client } from '../../oauth/client.ts';
import { OAuthRefusal, PageRefusal, refuse } from '../../oauth/errors.ts';
import { isOpen, ownFolder, type Site, siteIn } from '../../oauth/site.ts';
import type { Settings } from '../../settings/table.ts';
import type { LiveAccessToken } from '../../store/access-tokens.ts';
import { clientAt, guardedAt } from '../../store/clients.ts';
import { likelyRevision, readRevision } from '../../store/engine/revision.ts';
import { settingsAt } from '../../store/settings.ts';
import { touchLastUse } from '../../store/usage.ts';
import { byAppPassword, challengeFor } from './app-password.ts';
import { checkAsker } from './asker.ts';
import { beginSignIn, type Guarded, isNavigation } from './begin.ts';
import { takeAnswer } from './callback.ts';
import { asksForEcho, echo } from './echo.ts';
import { type Asked, ignoredHeaders, type ProxyKind, readAsked } from './forwarded.ts';
import { signOutOfSite } from './sign-out.ts';
import { siteToken } from './site-cookies.ts';
import { guestHeaders, nobodyHeaders } from './told.ts';

/**
 * The address at which a proxy of one kind asks, for each request, whether a site may be opened:
 * 200 lets it through, with the headers that tell the app who asks. Everything else refuses it, and
 * leads to a sign-in where a person opens a page.
 * @param below what follows the address in the request line
 */
export const verifyAt =
  (kind: ProxyKind, below = ''): Endpoint =>
  async (request, now) => {
    try {
      if (asksForEcho(below, request, now)) return await echo(kind, below, request);
      const visitor = checkAsker(request);
      checkUpgrade(request);
      return await answer({ ...readAsked(kind, below, request), visitor }, request, now);
    } catch (error) {
      throw error instanceof OAuthRefusal ? forProxies(error) : error;
    }
  };

/**
 * A connection that goes on in HTTP/2 (`h2c`) or in TLS would carry requests that no proxy asks about.
 */
function checkUpgrade(request: HttpRequest): void {
  const upgrade = request.header('upgrade') ?? '';
  if (/^(?:websocket)?$/i.test(upgrade)) return;
  refuse('access_denied', 'Only a WebSocket may go on as something else than HTTP.', {
    rule: 'proxy.headers',
    received: `Upgrade: ${upgrade}`,
    expected: ['Upgrade: websocket'],
  });
}

/** Proxies understand 403. Others they show as a failure of this server. */
function forProxies({ code, reason, wire, facts }: OAuthRefusal): OAuthRefusal {
  return new OAuthRefusal(code, reason, { ...wire, status: wire.status ?? 403 }, facts);
}

type Visit = Asked & { visitor: Sender };

async function answer(asked: Visit, request: HttpRequest, now: Date): Promise<HttpResponse> {
  const { guarded, token, revision } = await findGuarded(asked, request, now);
  const { client } = guarded;
  const { about } = request;
  about.clientId = client.id;
  const ignored = ignoredHeaders(asked.kind, request);
  if (ignored.length > 0)
    about.notes.push({ rule: 'proxy.headers', received: ignored.join(', '), expected: [] });
  if (asked.path.startsWith(ownFolder)) return answerOwn(guarded, { asked, token }, request, now);
  if (token) Object.assign(about, { userId: token.user.id, behind: 'person' });
  const verdict = token && (await judge(token, asked.visitor, guarded.settings, now));
  if (token && verdict?.page === null) {
    noteUse(token, now);
    return letIn(await guestHeaders(token, token, revision, now), client, request);
  }
  const open = isOpen(client.openPaths, asked.path) || isPassedPreflight(client, asked, request);
  const bearer = await byAppPassword({ ...guarded, open }, asked.visitor, request, now);
  if (bearer)
    return letIn(await guestHeaders(bearer.key, bearer.guest, revision, now), client, request);
  if (open) return letIn(nobodyHeaders(client), client, request);
  if (isNavigation(asked, request)) return beginSignIn(guarded, asked, request, now);
  if (verdict && 'refusal' in verdict) {
    await auditKeptOut(verdict.refusal, request, now);
    throw verdict.refusal;
  }
  const told = { error: 'login_required', error_description: 'Sign in on a page of this site.' };
  return json(401, told, challengeFor(guarded, request));
}

/** The token of a person at a site. */
type SiteToken = LiveAccessToken & {
  site: Site;
  user: NonNullable<LiveAccessToken['user']>;
  signIn: NonNullable<LiveAccessToken['signIn']>;
};

/**
 * The site that was asked for, and the token that its cookie holds. A cookie that is none, or of
 * another site, counts for nothing.
 * @throws OAuthRefusal if no site of an app has this host
 */
async function findGuarded(
  { host }: Asked,
  request: HttpRequest,
  now: Date,
): Promise<{ guarded: Guarded; token: SiteToken | null; revision: number }> {
  const guess = await likelyRevision();
  const likely = await guardedAt(guess, host);
  const text = likely && siteToken(likely.site, request);
  const found = likely && text ? await findSiteToken(text, likely.site, now) : null;
  const revision = found?.revision ?? (await readRevision());
  const sure = revision === guess ? likely : await guardedAt(revision, host);
  const client = sure && (await clientAt(revision, sure.clientId));
  if (!sure || !client) refuseHost(host);
  if (client.disabled) refuse('access_denied', 'The app is disabled.', { rule: 'client.disabled' });
  const token = found?.token;
  const isIts = token?.clientId === client.id && token.site === sure.site && token.user !== null;
  const guarded = { site: sure.site, client, settings: await settingsAt(revision) };
  return { guarded, token: isIts ? (token as SiteToken) : null, revision };
}

/** @param settings as of the revision that the token was read at */
function judge(
  token: SiteToken,
  { address, isShared }: Sender,
  settings: Settings,
  now: Date,
): Promise<Verdict> {
  const { client, user, signIn } = token;
  return passageOfGuest(client, { address, isShared, userId: user.id, signIn, settings }, now);
}

function noteUse({ grantId, clientId }: SiteToken, now: Date): void {
  if (grantId !== null) touchLastUse('grants', grantId, now);
  touchLastUse('clients', clientId, now);
}

/** A CORS preflight has no cookies, so the app itself answers it where an admin wants that. */
const isPassedPreflight = (client: Client, { method }: Asked, request: HttpRequest) =>
  client.passPreflights &&
  method === 'OPTIONS' &&
  request.header('origin') !== undefined &&
  request.header('access-control-request-method') !== undefined;

/** `Authorization` is told like the rest: empty, so that the proxy takes it away. */
function letIn(headers: HttpHeaders, client: Client, request: HttpRequest): HttpResponse {
  const authorization = client.passAuthorization && request.header('authorization');
  return { status: 200, headers: authorization ? { ...headers, authorization } : headers };
}

type AtOwn = { asked: Visit; token: SiteToken | null };

/** What this server answers itself on each site. */
async function answerOwn(
  guarded: Guarded,
  { asked, token }: AtOwn,
  request: HttpRequest,
  now: Date,
): Promise<HttpResponse> {
  const name = asked.path.slice(ownFolder.length);
  if (name === 'callback' && asked.method === 'GET')
    return takeAnswer({ ...guarded, ...asked }, request, now);
  if (name === 'sign-in' && isNavigation(asked, request))
    return beginSignIn(guarded, { ...asked, ...destinationIn(asked.query, guarded) }, request, now);
  if (name === 'sign-out') return signOutOfSite(guarded, token, request, now);
  throw new PageRefusal('not_found', 'There is nothing at this address of the site.');
}

/**
 * The page that a sign-in leads back to, for proxies that only know one address to send people to,
 * and say in `rd` where from. Only a page of this site is one.
 */
function destinationIn(query: string, { site }: Guarded): Pick<Asked, 'path' | 'query'> {
  const said = URL.parse(new URLSearchParams(query).get('rd') ?? '', site);
  if (!said || siteIn(said.origin) !== site) return { path: '/', query: '' };
  return { path: said.pathname, query: said.search.slice(1) };
}

function refuseHost(host: string): never {
  refuse('access_denied', 'No app is guarded at this host.', {
    rule: 'proxy.headers',
    received: host,
    expected: ['a host of a guarded site'],
  });
}
