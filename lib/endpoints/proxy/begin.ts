import { createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { json } from '../../http/answers.ts';
import type { HttpRequest, HttpResponse } from '../../http/message.ts';
import type { Client } from '../../oauth/client.ts';
import { codeChallengeOf } from '../../oauth/pkce.ts';
import { withParams } from '../../oauth/redirect-uri.ts';
import { callbackOf, type Site } from '../../oauth/site.ts';
import { derivedKeys } from '../../sealed/seal.ts';
import { sealed } from '../../sealed/sealed.ts';
import type { Settings } from '../../settings/table.ts';
import { type Asked, passesAnswers } from './forwarded.ts';
import { leadTo, toIssuer } from './leading.ts';
import { newSiteBrowser, siteBrowser } from './site-cookies.ts';

/** A site that is guarded, its app, and the settings in force. */
export type Guarded = { site: Site; client: Client; settings: Settings };

/**
 * The `state` of a sign-in: the site, the destination on it (path and query), and a number from
 * which, with the browser's cookie, the code verifier is made, and when it began.
 */
export const siteState = sealed(
  'site-state',
  z.object({ s: z.string(), to: z.string(), n: z.string(), t: z.number() }),
  {
    max: 4096,
  },
);

/** A longer destination would not fit into `state`. */
const longestDestination = 2000;

const scopes = ['openid', 'profile', 'email', 'groups'];

/**
 * Whether a browser opens a page, which can be led to a sign-in and back. Browsers that say
 * nothing about it (older ones, and all of them over plain http) accept HTML.
 */
export function isNavigation({ method }: Asked, request: HttpRequest): boolean {
  if (method !== 'GET' || request.header('upgrade') !== undefined) return false;
  if (request.header('sec-purpose')?.includes('prefetch')) return false;
  const mode = request.header('sec-fetch-mode');
  if (mode === undefined)
    return (
      request.header('accept')?.includes('text/html') === true &&
      request.header('x-requested-with') === undefined
    );
  const dest = request.header('sec-fetch-dest') ?? 'document';
  return mode === 'navigate' && /^(?:document|iframe|frame)$/.test(dest);
}

/**
 * Begins an authorization request for the app. Nothing is stored: the destination travels in
 * `state`, and the verifier (RFC 7636) is made again from the cookie that binds the sign-in to this
 * browser.
 */
export async function beginSignIn(
  { site, client }: Guarded,
  asked: Asked,
  request: HttpRequest,
  now: Date,
): Promise<HttpResponse> {
  const held = siteBrowser(site, request);
  const { browser, cookie } = held ? { browser: held, cookie: null } : newSiteBrowser(site);
  const number = randomBytes(16).toString('base64url');
  const whole = asked.query === '' ? asked.path : `${asked.path}?${asked.query}`;
  const to = [whole, asked.path].find(({ length }) => length <= longestDestination) ?? '/';
  const location = withParams(toIssuer('/oauth/authorize'), {
    client_id: client.id,
    redirect_uri: callbackOf(site),
    response_type: 'code',
    scope: scopes.filter((name) => client.scopes?.includes(name) ?? true).join(' '),
    state: await siteState.seal({ s: site, to, n: number, t: now.getTime() }),
    code_challenge: codeChallengeOf(verifierOf(browser, number)),
    code_challenge_method: 'S256',
  });
  const cookies = cookie === null ? [] : [cookie];
  if (passesAnswers(asked.kind)) return leadTo(location, cookies);
  const { headers } = leadTo(location, cookies);
  return json(401, { error: 'login_required' }, headers);
}

/** The code verifier of a sign-in: only the browser that began it can end it. */
export function verifierOf(browser: string, number: string): string {
  const [key = new Uint8Array()] = derivedKeys('site-verifier');
  return createHmac('sha256', key).update(`${browser} ${number}`).digest('base64url');
}
