import { redirect } from '#lib/http/answers.ts';
import { readFormFields } from '#lib/http/body.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import {
  type FactorResult,
  proveByCode,
  proveByPasskey,
  proveByRecoveryCode,
} from '#lib/identity/factor-proof.ts';
import { readStep } from '#lib/identity/second-step.ts';
import { flashCookie } from '#lib/interaction/flash.ts';
import { readAnswer, startOver } from '#lib/interaction/form.ts';
import { flashKey, type ReturnTo, readReturnTo, stepAddress } from '#lib/interaction/return-to.ts';
import { goOn } from '#lib/interaction/signed-in.ts';
import type { MessageKey } from '#lib/messages/keys.ts';
import { multiFactorAmr } from '#lib/oauth/acr.ts';
import { first, type Params } from '#lib/oauth/params.ts';
import { checkFormPost } from '#lib/sealed/browser.ts';
import { minutesUntil } from '#lib/store/throttles.ts';
import type { User } from '#lib/store/users.ts';

type Field = 'code' | 'recovery_code' | 'credential';

/**
 * The second step of sign-in: app code, recovery code or passkey. Only this creates the session.
 */
export async function submitFactor(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readFormFields(request);
  checkFormPost(request, fields);
  const way = await readReturnTo(fields, request);
  const step = await readStep(request, way.flowId, now);
  if (step?.kind !== 'prove') return startOver(way);
  request.about.attempt = way.flowId ?? null;
  const field = fieldOf(fields);
  const value = first(fields, field)?.trim() ?? '';
  const refuse = (error: MessageKey, wait?: number) => {
    Object.assign(request.about, { step: 'second-step', outcome: 'failed', userId: step.user.id });
    return refusal(way, field, error, wait);
  };
  if (!value) return refuse('factor.codeMissing');
  const result = await prove(request, step.user, fields, now);
  if (result === 'wrong') return refuse(wrong[field]);
  if (result === 'stopped') return refuse('factor.stopped');
  if ('refusedUntil' in result)
    return refuse('factor.throttled', minutesUntil(result.refusedUntil, now));
  const amr = multiFactorAmr(step.amr, result.methods);
  const { user, brief, device } = step;
  // They have proved themselves here now, whenever they did at a provider.
  const from = step.from && { ...step.from, provedAt: null };
  const remember = !brief && first(fields, 'remember') === 'on';
  return (
    (await goOn(request, { user, amr, brief, device, from, remember }, way, now)) ?? startOver(way)
  );
}

const wrong = {
  code: 'factor.wrong',
  recovery_code: 'factor.recoveryWrong',
  credential: 'passkey.notVerified',
} as const satisfies Record<Field, MessageKey>;

function fieldOf(fields: Params): Field {
  if (first(fields, 'credential') !== undefined) return 'credential';
  return first(fields, 'recovery_code') === undefined ? 'code' : 'recovery_code';
}

function prove(request: HttpRequest, user: User, fields: Params, now: Date): Promise<FactorResult> {
  const field = fieldOf(fields);
  const value = first(fields, field) ?? '';
  if (field === 'credential') return proveByPasskey(request, user, readAnswer(fields), now);
  return field === 'code'
    ? proveByCode(request, user, value, now)
    : proveByRecoveryCode(request, user, value, now);
}

async function refusal(
  way: ReturnTo,
  field: Field,
  error: MessageKey,
  wait?: number,
): Promise<HttpResponse> {
  const notice = field === 'credential' ? { error } : { fieldErrors: { [field]: error } };
  return redirect(stepAddress('/login/factor', way), [
    await flashCookie({ page: flashKey('factor', way.flowId), wait, ...notice }),
  ]);
}
