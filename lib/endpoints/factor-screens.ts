import { signInAt } from '../identity/back.ts';
import { type Enrolment, newEnrolment, openEnrolment } from '../identity/enrolment.ts';
import { isFresh } from '../identity/guards.ts';
import { type PageNotice, readNotice } from '../identity/notice.ts';
import { passkeysPossible } from '../identity/passkeys.ts';
import { readStep, type Step } from '../identity/second-step.ts';
import { readSession } from '../identity/session.ts';
import { readShownCodes } from '../identity/shown-codes.ts';
import { isFactorDemanded } from '../oauth/second-factor.ts';
import { type Factors, findTotp, hasFactor, readFactors } from '../store/factors.ts';
import { listPasskeys, type Passkey } from '../store/passkeys.ts';
import type { Session } from '../store/sessions.ts';
import { settingsAt } from '../store/settings.ts';
import { csrfOfRequest, type Elsewhere, flowOf, type PageRequest, recheck } from './screens.ts';
import { type CheckedRequest, readVisit } from './visit.ts';
import { at, type Way as FullWay, noticePage } from './way.ts';

type Way = Pick<FullWay, 'sealed' | 'back'>;

/** What the pages between password and session have in common. */
export type StepScreen = {
  csrf: string;
  sealed: string | undefined;
  back: Way['back'];
  step: Step;
  checked: CheckedRequest | null;
  notice: PageNotice | null;
  factors: Factors;
  passkeysPossible: boolean;
};

/** Reads what such a page needs, or where the browser has to go: who stands at no step, or at the other one, begins anew. */
export async function readStepScreen(
  request: PageRequest,
  kind: Step['kind'],
  way: Way,
  now: Date,
): Promise<StepScreen | Elsewhere> {
  const { sealed, back } = way;
  const flow = sealed === undefined ? null : await flowOf(request, sealed, now);
  if (flow && 'elsewhere' in flow) return flow;
  const checked = flow ? await recheck(flow, await readVisit(request, now), sealed, now) : null;
  if (checked && 'elsewhere' in checked) return checked;
  const step = await readStep(request, flow?.id, now);
  const factors = step && (await readFactors(step.user.id));
  if (!step || !factors || step.kind !== kind || !fits(kind, factors)) {
    return {
      elsewhere: sealed === undefined ? at('/login', way) : `/oauth/continue?flow=${sealed}`,
    };
  }
  const notice = await readNotice(request, noticePage(noticeNames[kind], flow?.id));
  return {
    csrf: csrfOfRequest(request),
    sealed,
    back,
    step,
    checked,
    notice,
    factors,
    passkeysPossible: passkeysPossible(),
  };
}

const noticeNames = { prove: 'factor', enrol: 'enrol', renew: 'new-password' } as const;

function fits(kind: Step['kind'], factors: Factors): boolean {
  return kind === 'renew' || hasFactor(factors) === (kind === 'prove');
}

/** The secret that a page shows: the one it has shown already, or a new one. */
export async function readEnrolment(
  request: PageRequest,
  userId: string,
  sealed: string | undefined,
  now: Date,
): Promise<Enrolment> {
  return (await openEnrolment(sealed, userId, request, now)) ?? newEnrolment(userId, request, now);
}

/** What the security page shows. */
export type SecurityScreen = {
  csrf: string;
  session: Session;
  notice: PageNotice | null;
  /** Whether changes are possible, or a new sign-in comes first. */
  fresh: boolean;
  demanded: boolean;
  factors: Factors;
  appSince: Date | null;
  passkeys: Passkey[];
  passkeysPossible: boolean;
};

export async function readSecurityScreen(
  request: PageRequest,
  now: Date,
): Promise<SecurityScreen | Elsewhere> {
  const { session, revision } = await readSession(request, now);
  if (!session) return { elsewhere: signInAt('/account/security') };
  const { id } = session.user;
  const { requireSecondFactor } = await settingsAt(revision);
  return {
    csrf: csrfOfRequest(request),
    session,
    notice: await readNotice(request, '/account/security'),
    fresh: isFresh(session, now),
    demanded: isFactorDemanded(requireSecondFactor, session.user),
    factors: await readFactors(id),
    appSince: (await findTotp(id))?.createdAt ?? null,
    passkeys: await listPasskeys(id),
    passkeysPossible: passkeysPossible(),
  };
}

/** What the page for an authenticator app shows to somebody who is signed in. */
export type TotpScreen = {
  csrf: string;
  session: Session;
  notice: PageNotice | null;
  enrolment: Enrolment;
};

export async function readTotpScreen(
  request: PageRequest,
  sealed: string | undefined,
  now: Date,
): Promise<TotpScreen | Elsewhere> {
  const { session } = await readSession(request, now);
  if (!session || !isFresh(session, now)) return { elsewhere: signInAt('/account/security/totp') };
  const enrolment = await readEnrolment(request, session.user.id, sealed, now);
  return {
    csrf: csrfOfRequest(request),
    session,
    notice: await readNotice(request, 'totp'),
    enrolment,
  };
}

/** What the page with the recovery codes shows, the one time it does. */
export type CodesScreen = {
  csrf: string;
  session: Session;
  codes: string[];
  sealed: string | undefined;
};

export async function readCodesScreen(
  request: PageRequest,
  sealed: string | undefined,
  now: Date,
): Promise<CodesScreen | Elsewhere> {
  const { session } = await readSession(request, now);
  if (!session) return { elsewhere: signInAt('/account/security') };
  const codes = await readShownCodes(session.user.id, request, now);
  if (!codes)
    return {
      elsewhere: sealed === undefined ? '/account/security' : `/oauth/continue?flow=${sealed}`,
    };
  return { csrf: csrfOfRequest(request), session, codes, sealed };
}
