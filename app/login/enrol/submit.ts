import { redirect } from '#lib/http/answers.ts';
import { readFormFields } from '#lib/http/body.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { readStep } from '#lib/identity/second-step.ts';
import { makeFirstRecoveryCodes } from '#lib/identity/shown-codes.ts';
import { addApp, addPasskey, atEnrolment } from '#lib/interaction/enrolling.ts';
import { flashCookie } from '#lib/interaction/flash.ts';
import { startOver } from '#lib/interaction/form.ts';
import { flashKey, readReturnTo, stepAddress } from '#lib/interaction/return-to.ts';
import { goOn } from '#lib/interaction/signed-in.ts';
import { multiFactorAmr } from '#lib/oauth/acr.ts';
import { first } from '#lib/oauth/params.ts';
import { checkFormPost } from '#lib/sealed/browser.ts';
import { hasFactor, readFactors } from '#lib/store/factors.ts';

/**
 * Sets up a required second factor between password and session. A user who has meanwhile set one
 * up in another window must verify that one: a password alone cannot add a second one.
 */
export async function submitEnrol(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readFormFields(request);
  checkFormPost(request, fields);
  const way = await readReturnTo(fields, request);
  const step = await readStep(request, way.flowId, now);
  if (step?.kind !== 'enrol') return startOver(way);
  const { user, amr, brief, device, from } = step;
  const signIn = { user, amr, brief, device, from };
  if (hasFactor(await readFactors(user.id)))
    return (await goOn(request, signIn, way, now)) ?? startOver(way);
  const added = await (first(fields, 'credential') === undefined ? addApp : addPasskey)(
    request,
    { user, basis: { user, identityId: from?.identityId ?? null } },
    fields,
    now,
  );
  if ('fault' in added) {
    const notice = await flashCookie({ page: flashKey('enrol', way.flowId), ...added.fault });
    return redirect(atEnrolment('/login/enrol', way, added.keep), [notice]);
  }
  const codes = await makeFirstRecoveryCodes(user.id, request, now);
  const raised = { ...signIn, amr: multiFactorAmr(amr, added.methods), endsOthers: true } as const;
  const finish =
    codes === null
      ? {}
      : { cookies: [codes], location: stepAddress('/account/security/codes', way) };
  return (await goOn(request, { ...raised, ...finish }, way, now)) ?? startOver(way);
}
