import { actorAt } from '#lib/http/actor.ts';
import { json, redirect } from '#lib/http/answers.ts';
import { readFormFields } from '#lib/http/body.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { widestNetwork } from '#lib/http/network.ts';
import { challengeUses } from '#lib/identity/challenge.ts';
import { deviceDetail } from '#lib/identity/device.ts';
import { isFresh } from '#lib/identity/guards.ts';
import {
  amrOfPasskey,
  askToAdd,
  askToProve,
  passkeysPossible,
  readProof,
  unknownPasskey,
} from '#lib/identity/passkeys.ts';
import { readStep } from '#lib/identity/second-step.ts';
import { readSession } from '#lib/identity/session.ts';
import { flashCookie } from '#lib/interaction/flash.ts';
import { readAnswer } from '#lib/interaction/form.ts';
import { loginFlashKey, readReturnTo, stepAddress } from '#lib/interaction/return-to.ts';
import { isBrief, signInBy } from '#lib/interaction/signed-in.ts';
import { mayUpgrade } from '#lib/interaction/upgrading.ts';
import { refuse } from '#lib/oauth/errors.ts';
import { first } from '#lib/oauth/params.ts';
import { checkFormPost } from '#lib/sealed/browser.ts';
import { eventBy } from '#lib/store/actor.ts';
import { auditOnce } from '#lib/store/audit.ts';
import { findUser } from '#lib/store/users.ts';

/**
 * The name of the value, in the message of a refusal, that identifies a passkey no user here has.
 */
export const unknownField = 'unknown_passkey';

/**
 * The WebAuthn options for a page's script, as JSON: to sign in, to verify a second factor, or to
 * create a passkey. Each has a new challenge.
 */
export async function passkeyOptions(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readFormFields(request);
  checkFormPost(request, fields);
  const use =
    challengeUses.find((name) => name === first(fields, 'use')) ??
    refuse('invalid_request', 'use is missing.');
  if (!passkeysPossible()) refuse('invalid_request', 'Passkeys need an issuer with a host name.');
  if (use === 'sign-in') return json(200, await askToProve(null, request, now));
  const { flowId } = await readReturnTo(fields, request);
  const step = await readStep(request, flowId, now);
  if (use === 'factor') {
    if (step?.kind !== 'prove')
      refuse('access_denied', 'No password was verified recently.', undefined, { status: 403 });
    return json(200, await askToProve(step.user.id, request, now));
  }
  const { session } = await readSession(request, now);
  if (use === 'upgrade') {
    if (!session || !(await mayUpgrade(session, now)))
      refuse('access_denied', 'No passkey is made here.', undefined, { status: 403 });
    return json(200, await askToAdd(session.user, request, now, use));
  }
  const owner =
    step?.kind === 'enrol' ? step.user : session && isFresh(session, now) ? session.user : null;
  if (!owner) refuse('access_denied', 'Nobody signed in recently.', undefined, { status: 403 });
  return json(200, await askToAdd(owner, request, now));
}

/** Sign-in without a password. A passkey with user verification counts as two factors. */
export async function submitPasskeySignIn(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readFormFields(request);
  checkFormPost(request, fields);
  const way = await readReturnTo(fields, request);
  const proof = await readProof(null, readAnswer(fields), request, now);
  const user = proof && (await findUser(proof.userId));
  const brief = isBrief(fields);
  const answer =
    user && proof && !user.disabled
      ? await signInBy(
          request,
          { by: 'passkey', methods: amrOfPasskey(proof), user, brief },
          way,
          now,
        )
      : null;
  if (answer) return answer;
  request.about.attempt = way.flowId ?? null;
  request.about.outcome = 'failed';
  const reason = user?.disabled ? 'disabled' : 'passkey';
  const about = { userId: user?.id ?? null, detail: { reason, ...deviceDetail(request) } };
  const event = eventBy(actorAt(request, null), 'sign-in.failure', about);
  await auditOnce(`passkey ${widestNetwork(request)}`, event, now);
  const unknown = await unknownPasskey(readAnswer(fields));
  return redirect(stepAddress('/login', way), [
    await flashCookie({
      page: loginFlashKey(way.flowId),
      error: 'passkey.refused',
      ...(unknown && { values: { [unknownField]: unknown } }),
    }),
  ]);
}
