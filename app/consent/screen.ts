import type { VisitorRequest } from '#lib/http/message.ts';
import { consentAsked, type RequestDecision } from '#lib/interaction/decision/decision.ts';
import { type DecisionScreen, decisionScreen } from '#lib/interaction/decision/screen.ts';
import type { Elsewhere } from '#lib/interaction/page.ts';
import { resumeForPage } from '#lib/interaction/resume.ts';

export async function readConsentScreen(
  request: VisitorRequest,
  sealed: string,
  now: Date,
): Promise<DecisionScreen<RequestDecision> | Elsewhere> {
  const resumed = await resumeForPage(request, sealed, now);
  if ('elsewhere' in resumed) return resumed;
  const asked = await consentAsked(resumed, sealed, now);
  return 'elsewhere' in asked ? asked : decisionScreen(asked, request, now);
}
