import type { VisitorRequest } from '#lib/http/message.ts';
import { mayReply } from '#lib/interaction/context.ts';
import { approvalAsked } from '#lib/interaction/decision/decision.ts';
import { decisionScreen } from '#lib/interaction/decision/screen.ts';
import { resumeForPage } from '#lib/interaction/resume.ts';
import { canSendMail } from '#lib/mail/post.ts';
import { readBranding } from '#lib/store/branding.ts';

/** Reads the page for an app that an admin has to approve first, or where to redirect. */
export async function readApprovalScreen(request: VisitorRequest, sealed: string, now: Date) {
  const resumed = await resumeForPage(request, sealed, now);
  if ('elsewhere' in resumed) return resumed;
  const asked = await approvalAsked(resumed, sealed, now);
  if ('elsewhere' in asked) return asked;
  await readBranding();
  return {
    ...(await decisionScreen(asked, request, now)),
    /** Whether the person who asks will be told the decision by mail. */
    tells: canSendMail(),
    /** Whether the user may be sent back to the app; false if its address might be a trap. */
    mayGoBack: await mayReply(resumed.checked, resumed.visit, now),
  };
}
