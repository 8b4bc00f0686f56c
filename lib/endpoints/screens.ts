import type { HttpRequest } from '../http/message.ts';
import type { OwnAddress } from '../http/own-address.ts';
import { browserOf, csrfOf } from '../identity/browser.ts';
import { type Flow, isExpired, readBoundFlow } from '../identity/flow.ts';
import { openLogout } from '../identity/logout-request.ts';
import { type PageNotice, readNotice } from '../identity/notice.ts';
import { readSession } from '../identity/session.ts';
import { PageRefusal } from '../oauth/errors.ts';
import { mustSignInAgain } from '../oauth/next-step.ts';
import { type AppPage, readAppPage } from '../store/clients.ts';
import { findGrant } from '../store/grants.ts';
import { scopesAt } from '../store/scopes.ts';
import type { Session } from '../store/sessions.ts';
import { consentPage, sealShown } from './consent.ts';
import { loginPage } from './login.ts';
import { checkLogout } from './logout.ts';
import { type CheckedRequest, checkRequest, personOf, readVisit } from './visit.ts';

/** A page's request: headers are all it may look at. */
export type PageRequest = Pick<HttpRequest, 'header'>;

/** The page cannot be shown; the browser is sent on to an address that says why. */
export type Elsewhere = { elsewhere: OwnAddress };

/** What the sign-in page shows. */
export type LoginScreen = {
  csrf: string;
  sealed: string | undefined;
  checked: CheckedRequest | null;
  notice: PageNotice | null;
  session: Session | null;
  /** How the app that waits presents itself. */
  app: AppPage | null;
  /** The person is known, but has to prove it again. */
  again: boolean;
};

/** Reads what the sign-in page needs; a flow that is none of this browser's goes to the endpoint that refuses it. */
export async function readLoginScreen(
  request: PageRequest,
  sealed: string | undefined,
  now: Date,
): Promise<LoginScreen | Elsewhere> {
  const flow = sealed === undefined ? null : await flowOf(request, sealed, now);
  if (flow && 'elsewhere' in flow) return flow;
  const visit = await readVisit(request, now);
  const checked = flow ? await recheck(flow, visit, sealed, now) : null;
  if (checked && 'elsewhere' in checked) return checked;
  return {
    csrf: csrfOfRequest(request),
    sealed,
    checked,
    app: checked && (await readAppPage(checked.client)),
    notice: await readNotice(request, loginPage(flow?.id)),
    session: visit.session,
    again: visit.session !== null && checked !== null,
  };
}

/** What the consent page shows. */
export type ConsentScreen = {
  csrf: string;
  sealed: string;
  seen: string;
  checked: CheckedRequest;
  app: AppPage;
  session: Session;
  scopes: { name: string; description: string; added: boolean; sensitive: boolean }[];
  notice: PageNotice | null;
};

/** Reads what the consent page needs, or where the browser has to go first. */
export async function readConsentScreen(
  request: PageRequest,
  sealed: string,
  now: Date,
): Promise<ConsentScreen | Elsewhere> {
  const flow = await flowOf(request, sealed, now);
  if ('elsewhere' in flow) return flow;
  const visit = await readVisit(request, now);
  const checked = await recheck(flow, visit, sealed, now);
  if ('elsewhere' in checked) return checked;
  const { session, revision } = visit;
  const person = session && (await personOf(session, checked.request));
  if (!session || !person || mustSignInAgain(checked.request, person, flow.startedAt, now))
    return { elsewhere: `/login?flow=${sealed}` };
  const [known, grant] = [
    await scopesAt(revision),
    await findGrant(session.user.id, checked.client.id),
  ];
  const scopes = checked.request.consentScope.map((name) => {
    const row = known.find((scope) => scope.name === name);
    return {
      name,
      description: row?.description ?? '',
      sensitive: row?.sensitive ?? false,
      added: grant !== null && !grant.scopes.includes(name),
    };
  });
  return {
    csrf: csrfOfRequest(request),
    sealed,
    seen: await sealShown(flow.id, checked, session),
    checked,
    app: await readAppPage(checked.client),
    session,
    scopes,
    notice: await readNotice(request, consentPage(flow.id)),
  };
}

/** The flow of a page, or where to go when it is none of this browser's or has expired. */
export async function flowOf(
  request: PageRequest,
  sealed: string,
  now: Date,
): Promise<Flow | Elsewhere> {
  try {
    const flow = await readBoundFlow(sealed, request);
    return isExpired(flow, now) ? { elsewhere: `/expired?flow=${sealed}` } : flow;
  } catch (error) {
    // The endpoint refuses it again, with the status that a page cannot give.
    if (error instanceof PageRefusal) return { elsewhere: continueAt(sealed) };
    throw error;
  }
}

/** The request of a flow, checked again, or where its refusal is told. */
export async function recheck(
  flow: Flow,
  visit: Awaited<ReturnType<typeof readVisit>>,
  sealed: string | undefined,
  now: Date,
): Promise<CheckedRequest | Elsewhere> {
  try {
    const checked = await checkRequest(flow.params, visit, now);
    return 'refusal' in checked ? { elsewhere: continueAt(sealed) } : checked;
  } catch (error) {
    if (error instanceof PageRefusal) return { elsewhere: continueAt(sealed) };
    throw error;
  }
}

export function continueAt(sealed: string | undefined): OwnAddress {
  return `/oauth/continue?flow=${encodeURIComponent(sealed ?? '')}`;
}

/** The CSRF value for the forms of a page; the proxy has seen to it that the browser has its cookie. */
export function csrfOfRequest(request: PageRequest): string {
  return csrfOf(browserOf(request) ?? '');
}

/** What the sign-out page shows. */
export type LogoutScreen = {
  csrf: string;
  session: Session;
  sealed: string | undefined;
  appName: string | undefined;
};

export async function readLogoutScreen(
  request: PageRequest,
  sealed: string | undefined,
  now: Date,
): Promise<LogoutScreen | Elsewhere> {
  const { session, revision } = await readSession(request, now);
  if (!session) return { elsewhere: '/logout/done' };
  const params = await openLogout(sealed);
  if (!params)
    return { csrf: csrfOfRequest(request), session, sealed: undefined, appName: undefined };
  try {
    const { client } = await checkLogout(params, session, revision, now);
    return { csrf: csrfOfRequest(request), session, sealed, appName: client?.name };
  } catch (error) {
    if (error instanceof PageRefusal) return { elsewhere: `/oauth/logout?request=${sealed}` };
    throw error;
  }
}
