import { auditKeptOut } from '../access/kept-out.ts';
import { keptOutOf, type Visitor } from '../access/visitor.ts';
import { actorAt } from '../http/actor.ts';
import { redirect } from '../http/answers.ts';
import { type HttpRequest, type HttpResponse, nothingKnown } from '../http/message.ts';
import type { OwnAddress } from '../http/own-address.ts';
import { logouts } from '../identity/back-channel.ts';
import { deviceDetail } from '../identity/device.ts';
import { noteSessionHere, recallDevice, rememberDevice } from '../identity/remembered-device.ts';
import { type Step, stepCookie } from '../identity/second-step.ts';
import { beginSession, findOwnSession } from '../identity/session.ts';
import { deviceCookie } from '../identity/sign-in.ts';
import { readArrival } from '../identity/upstream/arrival.ts';
import { amrBy, isExpected, type WayToSignIn } from '../identity/ways.ts';
import { isMultiFactor } from '../oauth/acr.ts';
import type { Client } from '../oauth/client.ts';
import { isRefusal, type OAuthRefusal } from '../oauth/errors.ts';
import type { Params } from '../oauth/params.ts';
import { asksForMore } from '../oauth/sign-in-asked.ts';
import { isFactorDemanded } from '../people/second-factor.ts';
import { clearCookie, withCookies } from '../sealed/cookies.ts';
import { eventBy } from '../store/actor.ts';
import { audit } from '../store/audit.ts';
import { hasFactor, readFactors } from '../store/factors.ts';
import { endOtherSessions, type FromProvider } from '../store/sessions.ts';
import { readSettings } from '../store/settings.ts';
import { count, touchLastUse } from '../store/usage.ts';
import type { User } from '../store/users.ts';
import { checkRequest, readContext } from './context.ts';
import { deviceBehind } from './device-request.ts';
import { openPendingRequest, type PendingRequest, sealPendingRequest } from './pending-request.ts';
import { continueAddress, type ReturnTo, stepAddress } from './return-to.ts';

/** Somebody who has shown who they are by one of the ways to sign in. `methods`: what its proof says of it. */
type Shown = Pick<SignedIn, 'user' | 'brief' | 'cookies' | 'device' | 'from'> & {
  by: WayToSignIn;
  methods?: readonly string[];
};

/**
 * What follows when somebody has shown who they are: the session, or the page of the step that comes
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

/** As `signInBy`, where a step in between has been taken. */
export function goOn(
  request: HttpRequest,
  signedIn: SignedIn,
  way: ReturnTo,
  now: Date,
): Promise<HttpResponse | null> {
  const next = isMultiFactor(signedIn.amr) ? finishSignIn : afterFirstFactor;
  return next(request, signedIn, way, now);
}

/** The session, or the page to verify or set up a second factor. */
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
  const enrols = isFactorDemanded(settings.requireSecondFactor, user) || app?.insists;
  if (!proves && !enrols) return finishSignIn(request, signedIn, way, now);
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
  const session = { amr, authTime: now, user: { id: user.id, hasFactor: proves } };
  const { address, isShared } = request;
  const refusal = app && (await refusalOf(app.client, { address, isShared, settings, session }));
  if (!refusal) return step(proves ? 'prove' : 'enrol');
  Object.assign(request.about, { attempt: app.id, userId: user.id, behind: 'person' });
  request.about.clientId = app.client.unstored ? null : app.client.id;
  await auditKeptOut(refusal, request, now);
  const turnedAway = { kind: 'kept-out', user, amr, brief } as const;
  const cookie = await stepCookie(request, turnedAway, app.id, now);
  const page = await app.pageOf(request.id);
  return { ...redirect(page, [cookie, clearCookie('notice')]), refusal };
}

/** Somebody who signs in again in the same browser was asked to confirm that it is them. */
async function isSignedInHere(request: HttpRequest, { id }: User, now: Date): Promise<boolean> {
  return (await findOwnSession(request, now)).session?.user.id === id;
}

/** Why somebody may not use the app that they sign in to: they hear it before they prove a second factor. */
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
    clearCookie('notice'),
  ]);
}

/** Whether the user signed in with a password set by an admin. */
function mustRenew(user: User, amr: string): boolean {
  return user.mustChangePassword && amr.split(' ').includes('pwd');
}

/** The app that a sign-in leads to. */
type AppBehind = {
  client: Client;
  /** Of its pending request, or of the device. */
  id: string;
  /** The page where somebody reads that they may not use it, since this request. */
  pageOf: (requestId: string) => Promise<OwnAddress>;
  /** It insists on a second factor: always, or now (`acr` as an essential claim). */
  insists: boolean;
  /** It asks for a sign-in that is fresh, or for a second factor if there is one: no remembered device does. */
  wantsProof: boolean;
};

/** The app that a sign-in leads to; null: it leads elsewhere. */
async function appBehind(
  { sealed, back }: ReturnTo,
  request: HttpRequest,
  now: Date,
): Promise<AppBehind | null> {
  const flow = await openPendingRequest(sealed);
  if (!flow) {
    const found = await deviceBehind(back, request, now);
    if (!found) return null;
    const { client, device, page } = found;
    const insists = client.requireSecondFactor;
    return { client, id: device.id, insists, wantsProof: true, pageOf: async () => page };
  }
  try {
    const checked = await checkRequest(
      { params: flow.params, pushed: flow.pushedAt !== null },
      await readContext(request, now),
      nothingKnown(),
      now,
    );
    const { client, request: asked } = checked;
    const insists = client.requireSecondFactor || asked.acr?.essential === true;
    const wantsProof = insists || asksForMore(asked, client);
    return { client, id: flow.id, insists, wantsProof, pageOf: (by) => noAccessPage(flow, by) };
  } catch (error) {
    // The client has been deleted or restricted in the meantime: the pending request reports that
    // when it continues.
    if (isRefusal(error)) return null;
    throw error;
  }
}

async function noAccessPage(flow: PendingRequest, keptOutBy: string): Promise<OwnAddress> {
  return `/no-access?flow=${await sealPendingRequest({ ...flow, keptOutBy })}`;
}

/** Somebody who has proved who they are, by these methods, and how their sign-in ends. */
type SignedIn = {
  user: User;
  amr: string;
  cookies?: string[];
  location?: OwnAddress;
  /** Skips the new-device mail: the account was created in this browser, or a mail just announced a new password. */
  device?: 'expected' | undefined;
  /** The user does not want to stay signed in here: nothing of them is kept in this browser. */
  brief?: boolean;
  /** With a first second factor: sessions opened by password alone end. */
  endsOthers?: true;
  /** They have just done their second step, and do not want to be asked for it here again. */
  remember?: boolean;
  /** They came from a provider. */
  from?: FromProvider | undefined;
  /** This browser was remembered, and stood in for the second step. */
  recalled?: true;
};

/** Whether “Keep me signed in” was there, and not ticked. */
export function isBrief(fields: Params): boolean {
  const stay = fields.get('stay');
  return stay !== undefined && !stay.includes('on');
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
  const done = [clearCookie('notice'), clearCookie('step')];
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

/** Where a sign-in leads: to what is asked of them first, else to where they wanted to be. */
async function nextPage(
  request: HttpRequest,
  user: User,
  way: ReturnTo,
  now: Date,
): Promise<OwnAddress> {
  if (user.deletionAt) return stepAddress('/login/leaving', way);
  const arrival = await readArrival(request, now);
  const waits =
    arrival?.f === (way.flowId ?? '') &&
    (arrival.k === 'unknown' || (arrival.k === 'claimed' && arrival.o === user.id));
  return waits ? stepAddress('/login/link', way) : continueAddress(way);
}

/** Ends the user's other sessions, which a password alone had opened. */
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
