import { redirect } from '../http/answers.ts';
import { readFormFields } from '../http/body.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { checkFormPost } from '../identity/browser.ts';
import {
  type FactorResult,
  proveByCode,
  proveByPasskey,
  proveByRecoveryCode,
} from '../identity/factor-proof.ts';
import { noticeCookie } from '../identity/notice.ts';
import { readStep } from '../identity/second-step.ts';
import type { MessageKey } from '../messages/text.ts';
import { allMethods } from '../oauth/acr.ts';
import { first, type Params } from '../oauth/params.ts';
import { minutesUntil } from '../store/throttles.ts';
import type { User } from '../store/users.ts';
import { loginPage } from './login.ts';
import { readAnswer } from './passkey.ts';
import { finishSignIn } from './signed-in.ts';
import { at, noticePage, readWay, type Way } from './way.ts';

type Field = 'code' | 'recovery_code' | 'credential';

/** The second step of a sign-in: a code of the app, a recovery code, or a passkey. Only now there is a session. */
export async function submitFactor(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readFormFields(request);
  checkFormPost(request, fields);
  const way = await readWay(fields, request);
  const step = await readStep(request, way.flowId, now);
  if (step?.kind !== 'prove') return startOver(way);
  const field = fieldOf(fields);
  const value = first(fields, field)?.trim() ?? '';
  if (!value) return refuse(way, field, 'factor.codeMissing');
  const result = await prove(request, step.user, field, fields, now);
  if (result === 'wrong') return refuse(way, field, wrong[field]);
  if (result === 'stopped') return refuse(way, field, 'factor.stopped');
  if ('refusedUntil' in result)
    return refuse(way, field, 'factor.throttled', minutesUntil(result.refusedUntil, now));
  const amr = allMethods(step.amr, result.methods);
  return (await finishSignIn(request, step.user, amr, way, now)) ?? startOver(way);
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

function prove(
  request: HttpRequest,
  user: User,
  field: Field,
  fields: Params,
  now: Date,
): Promise<FactorResult> {
  const value = first(fields, field) ?? '';
  if (field === 'credential') return proveByPasskey(request, user, readAnswer(fields), now);
  return field === 'code'
    ? proveByCode(request, user, value, now)
    : proveByRecoveryCode(request, user, value, now);
}

async function refuse(
  way: Way,
  field: Field,
  error: MessageKey,
  wait?: number,
): Promise<HttpResponse> {
  const notice = field === 'credential' ? { error } : { fieldErrors: { [field]: error } };
  return redirect(at('/login/factor', way), [
    await noticeCookie({ page: noticePage('factor', way.flowId), wait, ...notice }),
  ]);
}

/** The right password was too long ago, or the account has changed: from the beginning. */
export async function startOver(way: Way): Promise<HttpResponse> {
  return redirect(at('/login', way), [
    await noticeCookie({ page: loginPage(way.flowId), error: 'factor.expired' }),
  ]);
}
