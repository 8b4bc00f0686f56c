import { passageOfGuest } from '../../access/guest.ts';
import { barredFrom } from '../../access/held.ts';
import { readQueryParams } from '../../http/body.ts';
import type { HttpRequest, HttpResponse } from '../../http/message.ts';
import type { Sender } from '../../http/network.ts';
import { keyInUse, tokenKeysAt } from '../../identity/token-keys.ts';
import { findPresented, openToken } from '../../identity/tokens.ts';
import type { Client } from '../../oauth/client.ts';
import { judgeCode } from '../../oauth/code-grant.ts';
import { type ErrorCode, errorTable, refuse } from '../../oauth/errors.ts';
import { first, type Params } from '../../oauth/params.ts';
import { callbackOf, type Site } from '../../oauth/site.ts';
import { addSeconds, earlier, lifetimes } from '../../oauth/token-request.ts';
import { makeToken } from '../../oauth/tokens.ts';
import { redeemCode } from '../../store/authorizations.ts';
import type { Stepped } from '../../store/exchanges.ts';
import { settingsAt } from '../../store/settings.ts';
import { count } from '../../store/usage.ts';
import { challengeBinding, endsOf } from '../grants/authorization-code.ts';
import { refuseToken } from '../grants/refused.ts';
import { knownAt } from '../known.ts';
import { type Guarded, siteState, verifierOf } from './begin.ts';
import { leadTo, onSite } from './leading.ts';
import { countSiteTokens, siteBrowser, siteToken, siteTokenCookie } from './site-cookies.ts';

/** A browser that comes back to a site from a sign-in. */
type Returning = Guarded & { visitor: Sender; query: string };

/**
 * Takes the answer to a sign-in (RFC 6749 section 4.1.2) for the app, and leads the browser to where
 * it wanted to go. An answer that is late, or was begun by another browser, leads there as well,
 * where a sign-in begins anew.
 * @throws OAuthRefusal
 */
export async function takeAnswer(
  returning: Returning,
  request: HttpRequest,
  now: Date,
): Promise<HttpResponse> {
  const { site, query } = returning;
  const params = readQueryParams({ query });
  const state = await siteState.open(first(params, 'state'));
  if (state?.s !== site) refuseState();
  const destination = onSite(site, state.to);
  const browser = siteBrowser(site, request);
  if (browser === undefined) refuseWithoutCookie();
  const error = first(params, 'error');
  if (error !== undefined) refuseDenied(error);
  const verifier = verifierOf(browser, state.n);
  const code = await redeem({ ...returning, params, verifier }, request, now);
  if (!code) return leadTo(destination);
  const rounds = await roundsBefore(returning, state.t, request, now);
  request.about.outcome = 'done';
  return leadTo(destination, [await cookieFor(site, code, rounds, now)]);
}

/** How often this may happen before it is a loop, and within how many seconds. */
const mostRounds = 3;
const roundTime = 60;

/**
 * How often in a row this browser was sent here although it had just been given its cookie: the
 * site is asked for without it, or cannot keep it.
 * @throws OAuthRefusal if that goes on
 */
async function roundsBefore(
  { site }: Guarded,
  begunAt: number,
  request: HttpRequest,
  now: Date,
): Promise<number> {
  const sent = countSiteTokens(site, request);
  if (sent > 1) refuseSeveralCookies(sent);
  const held = await openToken(siteToken(site, request) ?? '', 'siteToken');
  if (held?.detail !== site) return 0;
  const givenAt = held.expiresAt.getTime() - held.life * 1000;
  if (begunAt < givenAt || now.getTime() - givenAt > roundTime * 1000) return 0;
  if (held.counter < mostRounds) return held.counter + 1;
  refuse(
    'access_denied',
    'The browser is signed in, but the site is asked for without its cookie.',
    {
      rule: 'proxy.loop',
      received: `${held.counter + 2} sign-ins in ${roundTime} s`,
      expected: ['Cookie as the browser sends it, in each request that asks /proxy/verify'],
    },
  );
}

/** The cookie of a sign-in: a token of its authorization, for this site alone. */
async function cookieFor(
  site: Site,
  { id, idleUntil, keepUntil, revision, client }: Code,
  counter: number,
  now: Date,
): Promise<string> {
  const { accessToken } = lifetimes(client, await settingsAt(revision));
  // Access that was given just once lives as long as an access token.
  const end = earlier(idleUntil > now ? idleUntil : addSeconds(now, accessToken), keepUntil);
  const life = Math.floor((end.getTime() - now.getTime()) / 1000);
  const said = { id, counter, expiresAt: addSeconds(now, life), life, detail: site, jkt: null };
  const key = keyInUse(await tokenKeysAt(revision), now);
  return siteTokenCookie(site, makeToken({ kind: 'siteToken', ...said }, key), life);
}

function refuseState(): never {
  refuse('invalid_request', 'The answer is not one to a sign-in that began on this site.', {
    rule: 'state.differs',
    received: 'no state of this site',
    expected: ['the state of a sign-in that began here'],
  });
}

function refuseWithoutCookie(): never {
  refuse('invalid_request', 'The browser sent no cookie back. Allow cookies for this site.', {
    rule: 'proxy.loop',
    received: 'no cookie of this site',
    expected: ['the cookies that the site was given when the sign-in began'],
  });
}

function refuseSeveralCookies(sent: number): never {
  refuse(
    'access_denied',
    'The browser sends several cookies of one name, so none of them counts: another host of the domain can have set one. Delete the cookies of the domain.',
    { rule: 'proxy.loop', received: `${sent} cookies of this site`, expected: ['one'] },
  );
}

/** @param error as it was sent; only what this server sends is repeated */
function refuseDenied(error: string): never {
  const code = Object.hasOwn(errorTable, error) ? (error as ErrorCode) : 'access_denied';
  refuse(code, 'The sign-in was not allowed.', undefined, { status: 403 });
}

type Code = Stepped & { id: string; client: Client; revision: number };
type Answered = Returning & { params: Params; verifier: string };

/**
 * Redeems the code by the rules of its grant, with this server in the place of the app. Null: it
 * was used, by a browser that opened the address twice, or was made for another browser.
 */
async function redeem(
  { client, site, visitor, params, verifier }: Answered,
  request: HttpRequest,
  now: Date,
): Promise<Code | null> {
  const { about } = request;
  const opened = await openToken(first(params, 'code') ?? '', 'code');
  about.attempt = opened?.id ?? null;
  const { revision, presented } = await findPresented(opened);
  const settings = await settingsAt(revision);
  const barred = presented && (await barredFrom(client, presented, 'kept', now));
  const sent = new Map([
    ...params,
    ['redirect_uri', [callbackOf(site)]] as const,
    ['code_verifier', [verifier]] as const,
  ]);
  const verdict = judgeCode(
    {
      params: sent,
      credentials: { id: client.id, secret: undefined, usedBasic: false, ofTrial: true },
      named: client,
      settings,
      dpop: null,
      known: await knownAt(revision),
      barred,
    },
    presented,
    now,
  );
  if (verdict.does === 'end') return null;
  if (verdict.does !== 'redeem') {
    const { facts } = verdict.refusal;
    if (facts?.rule === 'pkce.verifier-differs') return null;
    return refuseToken(
      { ...verdict, sent: 'code', authorization: presented, barred },
      request,
      now,
    );
  }
  if (!presented) throw new Error('There is a code where one is redeemed.');
  const { id, userId, authTime, amr } = presented;
  Object.assign(about, { userId, behind: 'person' });
  const signIn = { authTime, amr };
  const guest = { address: visitor.address, isShared: visitor.isShared, userId, signIn, settings };
  const passage = await passageOfGuest(client, guest, now);
  if ('refusal' in passage) throw passage.refusal;
  const judged = { id, client, revision: null, exchanged: false };
  const seen = { authorization: presented, target: verdict.target };
  const ends = endsOf({ client, secretHash: null, settings, revision, dpop: null, id, seen }, now);
  const stepped = await redeemCode(judged, challengeBinding(presented), ends, now);
  if (stepped) count('tokens-issued', client.id, now);
  return stepped && { ...stepped, id, client, revision };
}
