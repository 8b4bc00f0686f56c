import { actorAt } from '#lib/http/actor.ts';
import { redirect } from '#lib/http/answers.ts';
import { readFormFields, readQueryParams } from '#lib/http/body.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { freshSeconds } from '#lib/identity/guards.ts';
import { readSession } from '#lib/identity/session.ts';
import {
  type AccountMatch,
  demandDomain,
  matchAccount,
  unlinkedFault,
  vouchedAddress,
} from '#lib/identity/upstream/account-match.ts';
import { type Arrival, arrivalCookie } from '#lib/identity/upstream/arrival.ts';
import { type Answer, addressAt, readAnswerOf, type Said } from '#lib/identity/upstream/ask.ts';
import { newAsked, openAsked } from '#lib/identity/upstream/asked.ts';
import { ProviderFault } from '#lib/identity/upstream/fault.ts';
import { followGroups, groupsSaid } from '#lib/identity/upstream/groups.ts';
import { kinds, verifiedAddressOf } from '#lib/identity/upstream/provider-kinds.ts';
import { isRecent, nameSaid, provedAtOf, saysMfa } from '#lib/identity/upstream/said-claims.ts';
import { readPendingRequest } from '#lib/interaction/pending-request.ts';
import { answerTrial } from '#lib/interaction/provider-trial.ts';
import { type ReturnTo, safeReturnTo, stepAddress, toAccount } from '#lib/interaction/return-to.ts';
import { signInBy, wouldEnrol } from '#lib/interaction/signed-in.ts';
import { refusePage } from '#lib/oauth/errors.ts';
import { shownName } from '#lib/oauth/name.ts';
import { first, type Params } from '#lib/oauth/params.ts';
import { digest } from '#lib/oauth/secrets.ts';
import { eventBy } from '#lib/store/actor.ts';
import { audit } from '#lib/store/audit.ts';
import { hasFactor, readFactors } from '#lib/store/factors.ts';
import { findIdentity, type Identity, noteIdentityUse } from '#lib/store/identities.ts';
import type { Provider } from '#lib/store/providers.ts';
import { spendOnce } from '#lib/store/spent-values.ts';
import { giveBackTry, takeTries } from '#lib/store/throttles.ts';
import { findUser } from '#lib/store/users.ts';
import { providerAt } from './begin.ts';
import { triesOf } from './tries.ts';
import { backWith, turnAway } from './turn-away.ts';

/** A user who comes back from a provider, and once its answer is read, what it says of them. */
type Back = Answer & { way: ReturnTo };
type Arrived = Back & { said: Said };

/**
 * The only redirect URI of a provider. Changes since the button was pressed count: a provider that
 * is now switched off, or may now only be linked, signs no one in.
 */
export async function comeBack(
  slug: string,
  request: HttpRequest,
  now: Date,
): Promise<HttpResponse> {
  const query = readQueryParams(request);
  const provider = await providerAt(slug);
  const opened = await openAsked(first(query, 'state'), request, now);
  // An answer meant for another provider does not count for this one (RFC 9700 section 4.4).
  if (opened?.asked.p !== provider.id) return turnAway(noState(), toLogin(provider), request);
  const { asked, flow } = opened;
  const pending = flow === undefined ? null : await readPendingRequest(flow, request);
  if ((pending?.id ?? '') !== asked.f) return turnAway(noState(), toLogin(provider), request);
  const way = { sealed: flow, flowId: pending?.id, back: safeReturnTo(asked.w || undefined) };
  request.about.attempt = way.flowId ?? null;
  const back = { provider, asked, way, query: asSearch(query) };
  try {
    return await judge(back, request, now);
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error;
    return turnAway(error, toOf(back), request);
  }
}

const toLogin = (provider: Provider) => ({ provider, way: toAccount, links: false });
const toOf = ({ provider, way, asked }: Omit<Back, 'query'>) => ({
  provider,
  way,
  links: asked.k === 'link',
});
const noState = () =>
  new ProviderFault(
    'provider.state',
    'The answer belongs to no sign-in that this browser began lately.',
    undefined,
    ['the state of a sign-in at this provider, of this browser, once'],
  );

async function judge(back: Back, request: HttpRequest, now: Date): Promise<HttpResponse> {
  const { provider, asked, query } = back;
  const tries = triesOf(request, 'provider');
  // Counted first, because each answer that is judged leaves a row, and anyone can begin a sign-in.
  if ('refusedUntil' in (await takeTries(tries, now)))
    return backWith({ error: 'with.tooMany' }, toOf(back), request);
  const spent = await spendOnce(digest(`upstream ${asked.i}`), new Date(now.getTime() + 1800_000));
  if (spent === 'spent-before') throw noState();
  // A trial ends here and shows what would happen; it never leads into an account.
  if (asked.k === 'try') {
    const shown = await answerTrial(back, request, now);
    return shown ? redirect(shown) : turnAway(noState(), toLogin(provider), request);
  }
  if (!provider.enabled || (asked.k === 'sign-in' && !provider.maySignIn))
    throw new ProviderFault('provider.off', 'The provider is no way to sign in.', provider.name);
  if (isCancelled(query)) return backWith({ error: 'with.cancelled' }, toOf(back), request);
  const said = await readAnswerOf(back, now);
  request.about.notes.push(...said.notes);
  demandDomain(provider, said);
  for (const { key } of tries) await giveBackTry(key);
  const arrived = { ...back, said };
  if (asked.k === 'link') return toBeLinked(arrived, request, now);
  const match = await matchAccount(provider, said);
  return match.is === 'linked'
    ? signInOf(arrived, match.identity, request, now)
    : arriveNew(arrived, match, request, now);
}

/** Users who decline at the provider have not caused a fault. */
const isCancelled = (query: URLSearchParams) =>
  ['access_denied', 'user_cancelled_authorize'].includes(query.get('error') ?? '');

const asSearch = (query: Params) =>
  new URLSearchParams(
    [...query].flatMap(([name, values]) => values.map((value): [string, string] => [name, value])),
  );

const textIn = (value: unknown, most: number) =>
  typeof value === 'string' ? shownName(value, most) : '';

/** The provider's name for the account: only shown, never used to identify anyone. */
const labelOf = ({ claims }: Said) =>
  textIn(claims.email, 200) ||
  textIn(claims.preferred_username, 200) ||
  textIn(nameSaid(claims), 200) ||
  null;

async function signInOf(
  arrived: Arrived,
  { id, userId }: Identity,
  request: HttpRequest,
  now: Date,
): Promise<HttpResponse> {
  const { provider, way, asked, said } = arrived;
  const user = await findUser(userId);
  request.about.userId = userId;
  if (user && !user.disabled) {
    await noteIdentityUse(id, labelOf(said), now);
    // The app's decision may depend on the user's groups, so this cannot wait for a second step.
    // The user is not fully signed in yet, so the system is the actor.
    await followGroups(userId, arrived, actorAt(request, 'system'), now);
    const provedAt = provedAtOf(said.claims, new Date(asked.t), now);
    const methods = provider.trustsSecondFactor && saysMfa(said.claims) ? ['mfa'] : [];
    // Adding a factor takes a fresh sign-in, here as in the account: it opens the account from then
    // on, and an old session there may be anyone's who sits down at the computer.
    const enrols = methods.length === 0 && (await wouldEnrol(request, user, way, now));
    if (enrols && asked.g === false && !isRecent(provedAt, freshSeconds, now))
      return askAgain(arrived, request, now);
    // A second factor is asked for here, so it makes up for an old sign-in there.
    if (!isRecent(provedAt, asked.g, now) && !hasFactor(await readFactors(userId)))
      return backWith({ error: 'with.notAgain' }, toOf(arrived), request);
    const answer = await signInBy(
      request,
      { by: 'provider', methods, user, from: { identityId: id, sid: said.sid, provedAt } },
      way,
      now,
    );
    if (answer) return answer;
  }
  const detail = { reason: 'disabled', provider: provider.name };
  await audit(eventBy(actorAt(request, null), 'sign-in.failure', { userId, detail }), now);
  return backWith({ error: 'with.closed' }, toOf(arrived), request);
}

/** Sends the user to the provider once more, for a fresh sign-in, if it can ask for one. */
async function askAgain(back: Back, request: HttpRequest, now: Date): Promise<HttpResponse> {
  const { provider, way, asked } = back;
  if (kinds[provider.kind].again !== 'max_age')
    return backWith({ error: 'with.notAgain' }, toOf(back), request);
  const { p, k, f, w, s } = asked;
  const again = await newAsked({ p, k, f, w, s, g: freshSeconds }, way.sealed, request, now);
  return redirect(await addressAt(provider, again.asked, again.state, now));
}

/**
 * No account here has this identity. If an account has its address, the two are never linked just
 * because of that: the user has to prove that the account is theirs.
 */
async function arriveNew(
  arrived: Arrived,
  match: Exclude<AccountMatch, { is: 'linked' }>,
  request: HttpRequest,
  now: Date,
): Promise<HttpResponse> {
  const { provider, way } = arrived;
  const { is: kind } = match;
  const ownerId = match.is === 'claimed' ? match.user.id : null;
  const cookie = await cookieFor(arrived, { kind, ownerId }, request, now);
  if (kind === 'new') return redirect(stepAddress('/login/new', way), [cookie]);
  const answer = redirect(stepAddress('/login', way), [cookie]);
  if (kind === 'claimed') return answer;
  const turned = await turnAway(unlinkedFault(provider, match.email), toOf(arrived), request);
  return { ...answer, ...(turned.refusal && { refusal: turned.refusal }) };
}

async function toBeLinked(
  arrived: Arrived,
  request: HttpRequest,
  now: Date,
): Promise<HttpResponse> {
  const { asked, way, said } = arrived;
  const identity = await findIdentity(said);
  const { session } = await readSession(request, now);
  if (!session || session.user.id !== asked.s) throw noState();
  if (identity?.userId === session.user.id)
    return backWith({ done: 'with.linkedAlready' }, toOf(arrived), request);
  if (identity) return backWith({ error: 'with.taken' }, toOf(arrived), request);
  const what = { kind: 'link', ownerId: session.user.id } as const;
  const cookie = await cookieFor(arrived, what, request, now);
  return redirect(stepAddress('/login/link', way), [cookie]);
}

/** Further groups are applied at the next sign-in. */
const mostGroups = 30;

function cookieFor(
  { provider, asked, said }: Arrived,
  what: Pick<Arrival, 'kind' | 'ownerId'>,
  request: HttpRequest,
  now: Date,
): Promise<string> {
  const { claims, issuer, subject, sid } = said;
  const address = verifiedAddressOf(provider.kind, claims);
  const arrival = {
    ...what,
    providerId: provider.id,
    issuer,
    subject,
    label: labelOf(said),
    email: vouchedAddress(provider, said),
    name: textIn(nameSaid(claims), 200),
    username: textIn(claims.preferred_username, 64) || (address?.split('@')[0] ?? '').slice(0, 64),
    groupIds: (groupsSaid(provider, claims) ?? []).slice(0, mostGroups),
    flowId: asked.f || undefined,
    sid,
    provedAt: provedAtOf(claims, new Date(asked.t), now),
  };
  return arrivalCookie(arrival, request, now);
}

/** The parameters of such an answer. Apple once adds a `user`, which is unsigned and not needed. */
const answered = ['code', 'state', 'iss', 'error', 'error_description'];

/**
 * Receives an answer that a browser posts from the provider's own site. That request comes without
 * our cookies, so the browser is redirected to one of our addresses, to which it sends them.
 */
export async function comeBackByPost(slug: string, request: HttpRequest): Promise<HttpResponse> {
  const provider = await providerAt(slug);
  if (!kinds[provider.kind].posts)
    refusePage('method_not_allowed', 'This provider does not answer by a form.');
  const fields = await readFormFields(request);
  const kept = answered.flatMap((name) =>
    (fields.get(name) ?? []).map((value): [string, string] => [name, value]),
  );
  return redirect(`/login/with/${slug}/callback?${new URLSearchParams(kept)}`);
}
