import type { VisitorRequest } from '#lib/http/message.ts';
import { type Enrolment, newEnrolment, openEnrolment } from '#lib/identity/enrolment.ts';
import { passkeysPossible } from '#lib/identity/passkeys.ts';
import { readStep, type Step } from '#lib/identity/second-step.ts';
import type { CheckedRequest } from '#lib/interaction/context.ts';
import { type Flash, readFlash } from '#lib/interaction/flash.ts';
import { csrfOfRequest, type Elsewhere } from '#lib/interaction/page.ts';
import { resumeForPage } from '#lib/interaction/resume.ts';
import { type ReturnTo as FullWay, flashKey, stepAddress } from '#lib/interaction/return-to.ts';
import { type Factors, hasFactor, readFactors } from '#lib/store/factors.ts';

/** The kinds of step that have a page here. */
type StepWithPage = Exclude<Step['kind'], 'kept-out'>;
type Way = Pick<FullWay, 'sealed' | 'back'>;

type StepScreen = {
  csrf: string;
  sealed: string | undefined;
  back: Way['back'];
  step: Step;
  checked: CheckedRequest | null;
  notice: Flash | null;
  factors: Factors;
  passkeysPossible: boolean;
};

/**
 * Reads what these pages show, or where to redirect. If no step is pending, or a different one, the
 * sign-in starts over.
 */
export async function readStepScreen(
  request: VisitorRequest,
  kind: StepWithPage,
  way: Way,
  now: Date,
): Promise<StepScreen | Elsewhere> {
  const { sealed, back } = way;
  const resumed = sealed === undefined ? null : await resumeForPage(request, sealed, now);
  if (resumed && 'elsewhere' in resumed) return resumed;
  const checked = resumed?.checked ?? null;
  const flowId = resumed?.flow.id;
  const step = await readStep(request, flowId, now);
  const factors = step && (await readFactors(step.user.id));
  if (!step || !factors || step.kind !== kind || !fits(kind, factors)) {
    return {
      elsewhere:
        sealed === undefined ? stepAddress('/login', way) : `/oauth/continue?flow=${sealed}`,
    };
  }
  const notice = await readFlash(request, flashKey(noticeNames[kind], flowId));
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

function fits(kind: StepWithPage, factors: Factors): boolean {
  return kind === 'renew' || hasFactor(factors) === (kind === 'prove');
}

/** The secret that a page shows: the one it already showed, or a new one. */
export async function readEnrolment(
  request: VisitorRequest,
  userId: string,
  sealed: string | undefined,
  now: Date,
): Promise<Enrolment> {
  return (await openEnrolment(sealed, userId, request, now)) ?? newEnrolment(userId, request, now);
}
