import { readArrivalNotice } from '#app/login/with/screen.ts';
import type { VisitorRequest } from '#lib/http/message.ts';
import type { OwnAddress } from '#lib/http/own-address.ts';
import { isFresh } from '#lib/identity/guards.ts';
import { readKept } from '#lib/identity/kept-accounts.ts';
import { registrationMode } from '#lib/identity/registration.ts';
import { readSession } from '#lib/identity/session.ts';
import { appPageOf, type FacedApp } from '#lib/interaction/app-page.ts';
import type { CheckedRequest } from '#lib/interaction/context.ts';
import { isForDevice } from '#lib/interaction/device-request.ts';
import { type Flash, readFlash } from '#lib/interaction/flash.ts';
import { csrfOfRequest, type Elsewhere } from '#lib/interaction/page.ts';
import { resumeForPage } from '#lib/interaction/resume.ts';
import {
  loginFlashKey,
  type ReturnTo,
  stepAddress,
  withPendingRequest,
} from '#lib/interaction/return-to.ts';
import { canSendMail } from '#lib/mail/post.ts';
import { type Lack, lackOf } from '#lib/oauth/sign-in-rules.ts';
import type { Session } from '#lib/store/sessions.ts';
import { hasPeople } from '#lib/store/users.ts';

type LoginScreen = {
  csrf: string;
  sealed: string | undefined;
  flowId: string | undefined;
  checked: CheckedRequest | null;
  notice: Flash | null;
  session: Session | null;
  app: FacedApp | null;
  /** The account that was chosen for the request and has to sign in again. */
  choice: Session['user'] | null;
  /** What the existing sign-in lacks for the app. */
  lack: Lack | null;
};

/** A request that is pending in another browser goes to the endpoint that refuses it. */
export async function readLoginScreen(
  request: VisitorRequest,
  sealed: string | undefined,
  now: Date,
): Promise<LoginScreen | Elsewhere> {
  const resumed = sealed === undefined ? null : await resumeForPage(request, sealed, now);
  if (resumed && 'elsewhere' in resumed) return resumed;
  const checked = resumed?.checked ?? null;
  const { session } = resumed?.visit ?? (await readSession(request, now));
  return {
    csrf: csrfOfRequest(request),
    sealed,
    flowId: resumed?.flow.id,
    checked,
    app: checked && (await appPageOf(checked.client)),
    notice: await readFlash(request, loginFlashKey(resumed?.flow.id)),
    session,
    choice: session && session.user.id === resumed?.flow.chosen ? session.user : null,
    lack: session && checked && lackOf(checked.client, session, now),
  };
}

/** What the address of the sign-in page asks for. */
type Asked = {
  /** The pending request. */
  sealed: string | undefined;
  /** The page of ours to return to. */
  returnTo: OwnAddress | undefined;
  /** The user wants an account other than the one this browser acts for. */
  another: boolean;
};

/** The sign-in page, with everything that depends on which user is expected. */
type SignInScreen = LoginScreen & {
  way: Pick<ReturnTo, 'sealed' | 'back'>;
  /** It is possible to sign in or to register. */
  isSetUp: boolean;
  /** The account chosen for the request, whose name need not be typed. */
  chosenAccount: Session['user'] | null;
  /** Tells a signed-in user that they have to sign in again. */
  again: boolean;
  /** The initial value of the username field. */
  username: string | undefined;
  /** Set if the user does not want to stay signed in. */
  brief: boolean | undefined;
  arrival: Awaited<ReturnType<typeof readArrivalNotice>>;
  cancelHref: OwnAddress | undefined;
  recoverHref: OwnAddress | undefined;
  registerHref: OwnAddress | undefined;
};

/**
 * Reads the sign-in page, or where to redirect. A signed-in user continues, and a browser with
 * several accounts first offers a choice of them.
 */
export async function readSignIn(
  request: VisitorRequest,
  { sealed, returnTo, another }: Asked,
  now: Date,
): Promise<SignInScreen | Elsewhere> {
  const screen = await readLoginScreen(request, sealed, now);
  if ('elsewhere' in screen) return screen;
  const { session, checked, notice, lack } = screen;
  const reauthenticates =
    session !== null && returnTo !== undefined && needsNewSignIn(returnTo, session, now);
  const addsAccount = another || notice?.values?.username !== undefined;
  if (session && !sealed && !reauthenticates && !addsAccount)
    return { elsewhere: returnTo ?? '/account' };
  if (!another && (await isChoiceDue(screen, request, now)))
    return { elsewhere: stepAddress('/switch', { sealed, back: returnTo }) };
  const arrival = await readArrivalNotice(request, screen.flowId, now);
  const registers = (await registrationMode()) === 'open';
  const chosenAccount = another ? null : chosenAccountOf(screen);
  const known = (reauthenticates || lack) && !another ? session?.user.username : undefined;
  return {
    ...screen,
    way: { sealed, back: sealed ? undefined : returnTo },
    isSetUp: registers || (await hasPeople()),
    chosenAccount,
    again: session !== null && !chosenAccount && !another && (checked !== null || reauthenticates),
    username: notice?.values?.username ?? arrival?.email ?? checked?.request.loginHint ?? known,
    brief: notice ? notice.values?.brief === 'on' : session?.brief,
    arrival,
    cancelHref: sealed ? `/oauth/cancel?flow=${sealed}` : reauthenticates ? '/account' : undefined,
    recoverHref: canSendMail() ? withPendingRequest('/recover', sealed) : undefined,
    registerHref: registers && !session ? withPendingRequest('/register', sealed) : undefined,
  };
}

/** Whether the page of ours to return to needs a new sign-in. */
const needsNewSignIn = (page: OwnAddress, session: Session, now: Date) =>
  isForDevice(page) || !isFresh(session, now);

/** The account that was chosen. A refused form is shown again for the account it was for. */
function chosenAccountOf({ choice, notice }: LoginScreen): Session['user'] | null {
  const typed = notice?.values?.username;
  return typed === undefined || typed === choice?.username ? choice : null;
}

/**
 * Whether to offer the accounts of this browser before the form: if the request wants one to be
 * chosen or names one of them, or if the browser acts for none of them.
 */
async function isChoiceDue(
  { checked, session, choice, notice }: LoginScreen,
  request: VisitorRequest,
  now: Date,
): Promise<boolean> {
  if (notice || choice) return false;
  const { prompt = [], subject } = checked?.request ?? {};
  const kept = await readKept(request, now);
  if (prompt.includes('select_account')) return session !== null || kept.length > 0;
  if (prompt.includes('login')) return false;
  return kept.some(
    (each) =>
      each.session !== null && (subject === undefined ? session === null : each.userId === subject),
  );
}
