import { z } from 'zod';
import { redirect } from '../http/answers.ts';
import { readFormFields } from '../http/body.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { checkFormPost } from '../identity/browser.ts';
import { isExpired, readBoundFlow } from '../identity/flow.ts';
import { noticeCookie } from '../identity/notice.ts';
import { notify } from '../identity/notices.ts';
import { seal, unseal } from '../identity/seal.ts';
import { OAuthRefusal } from '../oauth/errors.ts';
import { canSkipConsent, mustSignInAgain } from '../oauth/next-step.ts';
import { first } from '../oauth/params.ts';
import { audit } from '../store/audit.ts';
import { findGrant } from '../store/grants.ts';
import type { Session } from '../store/sessions.ts';
import { count } from '../store/usage.ts';
import { deliverDenial, deliverError } from './deliver.ts';
import { issueCode } from './issue-code.ts';
import { type CheckedRequest, checkRequest, personOf, readVisit } from './visit.ts';

/** The decision on the consent page: exactly what was shown is given, or nothing. */
export async function submitConsent(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readFormFields(request);
  checkFormPost(request, fields);
  const sealed = first(fields, 'flow');
  const flow = await readBoundFlow(sealed, request);
  if (isExpired(flow, now)) return redirect(`/expired?flow=${sealed}`);
  const visit = await readVisit(request, now);
  const checked = await checkRequest(flow.params, visit, now);
  if ('refusal' in checked) return deliverError(checked, flow.params, visit);
  const { session } = visit;
  const person = session && (await personOf(session, checked.request));
  if (!session || !person || mustSignInAgain(checked.request, person, flow.startedAt, now))
    return redirect(`/login?flow=${sealed}`);

  const decision = first(fields, 'decision');
  const unchanged = isSame(
    await unseal('seen', first(fields, 'seen') ?? ''),
    shownOn(flow.id, checked, session),
  );
  if (!unchanged || (decision !== 'allow' && decision !== 'deny')) {
    const notice = { page: consentPage(flow.id), error: 'consent.changed' };
    return redirect(`/consent?flow=${sealed}`, unchanged ? [] : [await noticeCookie(notice)]);
  }
  const event = {
    actor: session.user.id,
    userId: session.user.id,
    clientId: checked.client.id,
    address: request.address,
    requestId: request.id,
  };
  if (decision === 'deny') {
    await audit({ ...event, type: 'consent.denied' }, now);
    return deliverDenial(checked, 'The person did not allow it.', flow.params, visit);
  }
  count('approval', checked.client.id, now);
  const grant = await findGrant(session.user.id, checked.client.id);
  try {
    const remember = canSkipConsent(checked.client, checked.target);
    const answer = await issueCode(flow, checked, { ...visit, session }, grant, remember, now);
    await audit(
      {
        ...event,
        type: 'consent.given',
        detail: { scope: checked.request.consentScope.join(' '), redirectUri: checked.target.uri },
      },
      now,
    );
    if (!grant) await notify(session.user.id, 'app-approved', { app: checked.client.name }, now);
    return answer;
  } catch (error) {
    if (error instanceof OAuthRefusal)
      return deliverError({ ...checked, refusal: error }, flow.params, visit, true);
    throw error;
  }
}

const shown = z.object({
  f: z.string(),
  u: z.string(),
  s: z.string(),
  c: z.string(),
  r: z.string(),
  p: z.string(),
});
type Shown = z.infer<typeof shown>;

/** What the person decides on: whose account, in which session, which app, which address, which scopes. */
function shownOn(
  flowId: string,
  { client, target, request }: CheckedRequest,
  session: Session,
): Shown {
  return {
    f: flowId,
    u: session.user.id,
    s: session.hash,
    c: client.id,
    r: target.uri,
    p: request.consentScope.join(' '),
  };
}

/** The sealed copy that the consent form sends back. */
export function sealShown(
  flowId: string,
  checked: CheckedRequest,
  session: Session,
): Promise<string> {
  return seal('seen', shownOn(flowId, checked, session));
}

function isSame(sent: unknown, now: Shown): boolean {
  const parsed = shown.safeParse(sent);
  return parsed.success && JSON.stringify(parsed.data) === JSON.stringify(now);
}

/** Names the consent page of a flow for its notices. */
export function consentPage(flowId: string): string {
  return `consent ${flowId}`;
}
