import type { Approval } from '#lib/access/passage.ts';
import type { VisitorRequest } from '#lib/http/message.ts';
import { appPageOf, type FacedApp } from '#lib/interaction/app-page.ts';
import { type CheckedRequest, mayReply } from '#lib/interaction/context.ts';
import { type Flash, readFlash } from '#lib/interaction/flash.ts';
import { csrfOfRequest, type Elsewhere } from '#lib/interaction/page.ts';
import { continueAt, judgeVisit, resumeForPage } from '#lib/interaction/resume.ts';
import { approvalFlashKey } from '#lib/interaction/return-to.ts';
import { canSendMail } from '#lib/mail/post.ts';
import { readBranding } from '#lib/store/branding.ts';

/** The view model of the page for an app that an admin has to approve first. */
type ApprovalScreen = {
  csrf: string;
  sealed: string;
  checked: CheckedRequest;
  app: FacedApp;
  approval: Exclude<Approval, 'given'>;
  /** Who asks hears of the decision by mail. */
  tells: boolean;
  /** Nobody is sent to an address that may be a trap. */
  mayGoBack: boolean;
  notice: Flash | null;
};

/** Reads the page, or where to redirect: with an app that was approved its user goes on. */
export async function readApprovalScreen(
  request: VisitorRequest,
  sealed: string,
  now: Date,
): Promise<ApprovalScreen | Elsewhere> {
  const resumed = await resumeForPage(request, sealed, now);
  if ('elsewhere' in resumed) return resumed;
  const { flow, visit, checked } = resumed;
  const verdict = await judgeVisit(resumed, now);
  if (verdict.page !== 'approval') return { elsewhere: continueAt(sealed) };
  await readBranding();
  const notice = await readFlash(request, approvalFlashKey(flow.id));
  const app = await appPageOf(checked.client);
  return {
    csrf: csrfOfRequest(request),
    sealed,
    checked,
    app,
    approval: verdict.approval,
    tells: canSendMail(),
    mayGoBack: await mayReply(checked, visit, now),
    notice,
  };
}
