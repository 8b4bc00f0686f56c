import { auditKeptOut } from '../access/kept-out.ts';
import { termsDueFrom } from '../access/terms.ts';
import { keptOutOf, type Visitor } from '../access/visitor.ts';
import { actorAt } from '../http/actor.ts';
import { redirect } from '../http/answers.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import type { OwnAddress } from '../http/own-address.ts';
import { logouts } from '../identity/back-channel.ts';
import { deviceDetail } from '../identity/device.ts';
import { noteSessionHere, recallDevice, rememberDevice } from '../identity/remembered-device.ts';
import { clearStep, type Step, stepCookie } from '../identity/second-step.ts';
import { beginSession, findOwnSession } from '../identity/session.ts';
import { deviceCookie } from '../identity/sign-in.ts';
import { type Arrival, readArrival } from '../identity/upstream/arrival.ts';
import { amrBy, isExpected } from '../identity/ways.ts';
import { isMultiFactor } from '../oauth/acr.ts';
import type { Client } from '../oauth/client.ts';
import type { OAuthRefusal } from '../oauth/errors.ts';
import type { Params } from '../oauth/params.ts';
import { isFactorDemanded } from '../people/second-factor.ts';
import { withCookies } from '../sealed/cookies.ts';
import { eventBy } from '../store/actor.ts';
import { audit } from '../store/audit.ts';
import { hasFactor, readFactors } from '../store/factors.ts';
import { endOtherSessions, type FromProvider } from '../store/sessions.ts';
import { readSettings } from '../store/settings.ts';
import { count, touchLastUse } from '../store/usage.ts';
import type { User } from '../store/users.ts';
import type { WayToSignIn } from '../store/ways.ts';
import { type AppBehind, appBehind } from './app-behind.ts';
import { clearFlash } from './flash.ts';
import { continueAddress, type ReturnTo, stepAddress } from './return-to.ts';

/*
 * From the proof of who a user is to their session. Each way to sign in ends in `signInBy`, each
 * step in between in `goOn`. A single factor leads to `afterFirstFactor`, which decides whether a
 * step comes before the session: a new password (`renew`), the user's second factor (`prove`),
 * setting one up (`enrol`), or the page saying that they may not use the app. Proof that counts as
 * two factors leads to `finishSignIn`: the session, its cookies and the next page.
 */

/** A user who has proved who they are with the methods in `amr`, and how their sign-in ends. */
type SignedIn = {
  user: User;
  /** The names of the methods, separated by spaces. */
  amr: string;
  /** Additional cookies to set. */
  cookies?: string[];
  /** Where it leads, if not to the user's destination. */
  location?: OwnAddress;
  /** The account was created here, or a mail has just announced a new password. */
  device?: 'expected' | undefined;
  /**
   * The user does not want to stay signed in here, so nothing of theirs is kept in this browser.
   */
  brief?: boolean;
  /**
   * Set when the user adds their first second factor: sessions opened with a password alone end.
   */
  endsOthers?: true;
  /** The user has just done their second step, and does not want to be asked for it here again. */
  remember?: boolean;
  /** Set if the user came from a provider. */
  from?: FromProvider | undefined;
  /** A remembered browser replaced the second step. */
  recalled?: true;
};

/**
 * A user who has proved who they are in one of the ways to sign in. `methods`: the methods that
 * this proof reports.
 */
type Shown = Pick<SignedIn, 'user' | 'brief' | 'cookies' | 'device' | 'from'> & {
  by: WayToSignIn;
  methods?: readonly string[];
};

/**
 * What follows when a user has proved who they are: the session, or the page of the step that comes
 * before it. Null if the account has changed since.
 */
export function signInBy(
  request: HttpRequest,
  { by, methods, ...shown }: Shown,
  way: ReturnTo,
  now: Date,
): Promise<HttpResponse | null> {
  const device = isExpected(by) ? 'expected' : shown.device;
  return goOn(request, { ...shown, amr: amrBy(by, methods), device }, way, now);
}

/** Like `signInBy`, after a step in between. */
export function goOn(
  request: HttpRequest,
  signedIn: SignedIn,
  way: ReturnTo,
  now: Date,
): Promise<HttpResponse | null> {
  const next = isMultiFactor(signedIn.amr) ? finishSignIn : afterFirstFactor;
  return next(request, signedIn, way, now);
}

/** Whether a user has no second factor, and would have to set one up on this way. */
export async function wouldEnrol(
  request: HttpRequest,
  user: User,
  way: ReturnTo,
  now: Date,
): Promise<boolean> {
  if (hasFactor(await readFactors(user.id))) return false;
  return isFactorWanted(user, await appBehind(way, request, now));
}

async function isFactorWanted(user: User, app: AppBehind | null): Promise<boolean> {
  const { requireSecondFactor } = await readSettings();
  return isFactorDemanded(requireSecondFactor, user) || app?.insists === true;
}

/** The session, or the page of the step that comes before it. */
async function afterFirstFactor(
  request: HttpRequest,
  signedIn: SignedIn,
  way: ReturnTo,
  now: Date,
): Promise<HttpResponse | null> {
  const { user, amr, brief = false, device, from } = signedIn;
  const step = (kind: keyof typeof stepPages) =>
    toStep(request, { kind, user, amr, brief, device, from }, way, now);
  const proves = hasFactor(await readFactors(user.id));
  if (!proves && mustRenew(user, amr)) return step('renew');
  const app = await appBehind(way, request, now);
  const settings = await readSettings();
  if (!proves && !(await isFactorWanted(user, app)))
    return finishSignIn(request, signedIn, way, now);
  const recalled =
    proves && !app?.wantsProof && !(await isSignedInHere(request, user, now))
      ? await recallDevice(request, user, now)
      : null;
  if (recalled)
    return finishSignIn(
      request,
      { ...signedIn, cookies: [...(signedIn.cookies ?? []), recalled], recalled: true },
      way,
      now,
    );
  const session = { amr, authTime: now, signedInAt: now, user: { id: user.id, hasFactor: proves } };
  const { address, isShared } = request;
  const refusal = app && (await refusalOf(app.client, { address, isShared, settings, session }));
  return refusal
    ? turnAway(request, signedIn, { app, refusal }, now)
    : step(proves ? 'prove' : 'enrol');
}

/** The page that says why a user may not use the app that they sign in to. */
async function turnAway(
  request: HttpRequest,
  { user, amr, brief = false }: SignedIn,
  { app, refusal }: { app: AppBehind; refusal: OAuthRefusal },
  now: Date,
): Promise<HttpResponse> {
  Object.assign(request.about, { attempt: app.id, userId: user.id, behind: 'person' });
  request.about.clientId = app.client.unstored ? null : app.client.id;
  await auditKeptOut(refusal, request, now);
  const cookie = await stepCookie(request, { kind: 'kept-out', user, amr, brief }, app.id, now);
  const page = await app.pageOf(request.id);
  return { ...redirect(page, [cookie, clearFlash()]), refusal };
}

/**
 * Whether the user is already signed in at this browser. If so, this sign-in is meant to confirm
 * that it is really them.
 */
async function isSignedInHere(request: HttpRequest, { id }: User, now: Date): Promise<boolean> {
  return (await findOwnSession(request, now)).session?.user.id === id;
}

/** They are told before they have to prove a second factor. */
async function refusalOf(client: Client, visitor: Visitor): Promise<OAuthRefusal | null> {
  const kept = await keptOutOf(client, visitor);
  return kept?.page === 'no-access' ? kept.refusal : null;
}

const stepPages = {
  prove: '/login/factor',
  enrol: '/login/enrol',
  renew: '/login/new-password',
} as const satisfies Record<Exclude<Step['kind'], 'kept-out'>, string>;

async function toStep(
  request: HttpRequest,
  step: Step & { kind: keyof typeof stepPages },
  way: ReturnTo,
  now: Date,
): Promise<HttpResponse> {
  return redirect(stepAddress(stepPages[step.kind], way), [
    await stepCookie(request, step, way.flowId, now),
    clearFlash(),
  ]);
}

/** Whether the user signed in with a password set by an admin. */
function mustRenew(user: User, amr: string): boolean {
  return user.mustChangePassword && amr.split(' ').includes('pwd');
}

/** Signs in a user who has passed every required step, and redirects on. */
export async function finishSignIn(
  request: HttpRequest,
  { user, amr, cookies = [], device, brief = false, from, ...to }: SignedIn,
  way: ReturnTo,
  now: Date,
): Promise<HttpResponse | null> {
  if (mustRenew(user, amr))
    return toStep(request, { kind: 'renew', user, amr, brief, device, from }, way, now);
  const session = await beginSession(request, user, { amr, brief, from }, now);
  if (!session) return null;
  if (to.endsOthers) await endOthers(request, user.id, session.hash, now);
  count('sign-in', null, now);
  touchLastUse('users', user.id, now);
  const { about } = request;
  about.attempt = way.flowId ?? null;
  about.userId = user.id;
  about.behind = 'person';
  about.outcome = 'done';
  const detail = { amr, ...(to.recalled && { remembered: true }), ...deviceDetail(request) };
  const event = eventBy(actorAt(request, user.id), 'sign-in.success', { userId: user.id, detail });
  await audit(event, now);
  const given = withCookies(request, cookies);
  await noteSessionHere(given, user.id, session.hash);
  const remembered = to.remember ? await rememberDevice(request, user, session.hash, now) : [];
  const done = [clearFlash(), clearStep()];
  const known = await deviceCookie(request, user, now, device);
  const onwards = await nextPage(request, user, way, now);
  return redirect(to.location ?? onwards, [
    ...session.cookies,
    ...(brief ? [] : [known]),
    ...done,
    ...cookies,
    ...remembered,
  ]);
}

/** Where a sign-in leads: to a question for the user if there is one, else to their destination. */
async function nextPage(
  request: HttpRequest,
  user: User,
  way: ReturnTo,
  now: Date,
): Promise<OwnAddress> {
  if (user.deletionAt) return stepAddress('/login/leaving', way);
  const arrival = await readArrival(request, now);
  if (arrival && arrival.flowId === way.flowId && mayBelongTo(user, arrival))
    return stepAddress('/login/link', way);
  // On the way to an app, its door asks.
  const asks = way.sealed === undefined && (await termsDueFrom(user.id, null, now)) !== null;
  return asks ? stepAddress('/login/terms', way) : continueAddress(way);
}

/**
 * Whether an arrival from a provider may be linked to an account, now that its owner has signed in.
 */
const mayBelongTo = ({ id }: User, { kind, ownerId }: Arrival): boolean =>
  kind === 'unknown' || (kind === 'claimed' && ownerId === id);

/** Ends the user's other sessions, which were opened with a password alone. */
export async function endOthers(
  request: HttpRequest,
  userId: string,
  keepHash: string,
  now: Date,
): Promise<void> {
  const about = { userId, detail: { others: true, by: 'first-factor' } };
  const event = eventBy(actorAt(request, userId), 'session.ended', about);
  await endOtherSessions(userId, keepHash, event, now);
  logouts.soon();
}

/** Whether “Keep me signed in” was offered but not ticked. */
export function isBrief(fields: Params): boolean {
  const stay = fields.get('stay');
  return stay !== undefined && !stay.includes('on');
}
