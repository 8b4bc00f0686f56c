import { redirect } from '#lib/http/answers.ts';
import { readQueryParams } from '#lib/http/body.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { isFresh } from '#lib/identity/guards.ts';
import { readSession } from '#lib/identity/session.ts';
import { addressAt } from '#lib/identity/upstream/ask.ts';
import { newAsked } from '#lib/identity/upstream/asked.ts';
import { ProviderFault } from '#lib/identity/upstream/fault.ts';
import { faultOf } from '#lib/identity/upstream/faults.ts';
import { readPendingRequest } from '#lib/interaction/pending-request.ts';
import { type ReturnTo, readReturnTo, signInAt } from '#lib/interaction/return-to.ts';
import { refusePage } from '#lib/oauth/errors.ts';
import { first, type Params } from '#lib/oauth/params.ts';
import { ensureBrowser } from '#lib/sealed/browser.ts';
import { withCookies } from '#lib/sealed/cookies.ts';
import { findClient } from '#lib/store/clients.ts';
import { listProviders, type Provider } from '#lib/store/providers.ts';
import { tryAt } from './try.ts';
import { linkedPage, turnAway } from './turn-away.ts';

/**
 * Sends the user to a provider: to sign in, to link the provider to their account (`for=link`), or
 * to see what would happen (`for=try`). Nothing changes here yet; the answer is judged separately.
 */
export async function beginAt(
  slug: string,
  request: HttpRequest,
  now: Date,
): Promise<HttpResponse> {
  const fields = readQueryParams(request);
  const provider = await providerAt(slug);
  // Other sites must not start a sign-in; users press the button themselves.
  if (isFromElsewhere(request)) return redirect('/login');
  if (first(fields, 'for') === 'try') return tryAt(provider, request, now);
  const way = await readReturnTo(fields, request);
  request.about.attempt = way.flowId ?? null;
  const links = first(fields, 'for') === 'link';
  const { session } = await readSession(request, now);
  if (links && !session) return redirect(signInAt(linkedPage));
  const { cookies } = ensureBrowser(request);
  try {
    if (!provider.enabled || !(links || provider.maySignIn))
      throw new ProviderFault('provider.off', 'The provider is switched off.', provider.name);
    const { asked, state } = await newAsked(
      {
        p: provider.id,
        k: links ? 'link' : 'sign-in',
        f: way.flowId ?? '',
        w: way.back ?? '',
        s: links && session ? session.user.id : '',
        g: !links && (await limitOf(way, session, request, now)),
      },
      way.sealed,
      withCookies(request, cookies),
      now,
    );
    return redirect(await addressAt(provider, asked, state, now), cookies);
  } catch (error) {
    return turnAway(faultOf(error, 'provider.unreachable'), { provider, way, links }, request);
  }
}

/** @throws PageRefusal if there is no such provider */
export async function providerAt(slug: string): Promise<Provider> {
  const found = (await listProviders()).find((each) => each.slug === slug);
  return found ?? refusePage('not_found', 'There is no such provider.');
}

const isFromElsewhere = (request: HttpRequest) =>
  ['cross-site', 'same-site'].includes(request.header('sec-fetch-site') ?? '');

/**
 * How many seconds ago the user may have proved to the provider who they are; false: it does not
 * matter. 0 if they are signing in again here, or the app demands it.
 */
async function limitOf(
  { sealed }: ReturnTo,
  session: Awaited<ReturnType<typeof readSession>>['session'],
  request: HttpRequest,
  now: Date,
): Promise<number | false> {
  if (session && (sealed === undefined || !isFresh(session, now))) return 0;
  if (sealed === undefined) return false;
  const { params } = await readPendingRequest(sealed, request);
  const client = await findClient(first(params, 'client_id') ?? '');
  const ofApp = [client?.maxSignInAge, client?.signInLife].filter((limit) => limit != null);
  const limits = [...limitsIn(params), ...ofApp];
  return limits.length > 0 && Math.min(...limits);
}

function limitsIn(params: Params): number[] {
  if ((first(params, 'prompt') ?? '').split(' ').includes('login')) return [0];
  const maxAge = first(params, 'max_age');
  return maxAge === undefined ? [] : [Number(maxAge) || 0];
}
