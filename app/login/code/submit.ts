import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import {
  askForCode,
  type CodeResult,
  checkCode,
  codeCookieGone,
  heldCode,
  mayUseCodes,
} from '#lib/identity/mail-code.ts';
import { flashCookie } from '#lib/interaction/flash.ts';
import { readForm } from '#lib/interaction/form.ts';
import { languageOfRequest } from '#lib/interaction/language.ts';
import {
  flashKey,
  loginFlashKey,
  type ReturnTo,
  readReturnTo,
  stepAddress,
} from '#lib/interaction/return-to.ts';
import { isBrief, signInBy } from '#lib/interaction/signed-in.ts';
import type { MessageKey } from '#lib/messages/keys.ts';
import { first } from '#lib/oauth/params.ts';
import { minutesUntil } from '#lib/store/throttles.ts';

/** What a code for a sign-in is bound to: the request that the sign-in leads to. */
export const codeWanted = ({ flowId = '' }: Pick<ReturnTo, 'flowId'>) =>
  ({ purpose: 'sign-in', about: flowId }) as const;

/**
 * "Email me a code": the answer is the same for every name, and the work happens after it. It is asked
 * for on the sign-in page, or again on the page where the code is typed.
 */
export async function submitCodeWanted(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readForm(request);
  const way = await readReturnTo(fields, request);
  if (!(await mayUseCodes())) return redirect(stepAddress('/login', way));
  const held = fields.has('again') ? await heldCode(request, codeWanted(way), now) : null;
  const to = (held?.to ?? first(fields, 'username') ?? '').trim();
  const brief = held?.brief ?? isBrief(fields);
  const refuse = async (notice: Refusal) =>
    held
      ? backToCode(way, notice)
      : redirect(stepAddress('/login', way), [
          await flashCookie({
            page: loginFlashKey(way.flowId),
            ...notice,
            values: { username: to, ...(brief && { brief: 'on' }) },
          }),
        ]);
  if (!to) return refuse({ fieldErrors: { username: 'signIn.usernameMissing' } });
  const asked = { ...codeWanted(way), to, brief };
  const answer = await askForCode(request, asked, await languageOfRequest(request, now), now);
  if ('refusedUntil' in answer)
    return refuse({ error: 'mailCode.tooMany', wait: minutesUntil(answer.refusedUntil, now) });
  return backToCode(way, held ? { done: 'mailCode.sentAgain' } : {}, [answer.cookie]);
}

/** Signs in by the six digits. What follows, such as a second step, is as after a password. */
export async function submitCode(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readForm(request);
  const way = await readReturnTo(fields, request);
  request.about.attempt = way.flowId ?? null;
  if (!(await mayUseCodes())) return redirect(stepAddress('/login', way));
  const result = await checkCode(request, codeWanted(way), first(fields, 'code') ?? '', now);
  if (typeof result === 'object' && 'user' in result && result.user) {
    const { user, brief } = result;
    const cookies = [codeCookieGone()];
    const signedIn = await signInBy(request, { by: 'mail-code', user, brief, cookies }, way, now);
    if (signedIn) return signedIn;
  }
  request.about.outcome = 'failed';
  return result === 'gone' ? startAgain(way) : backToCode(way, refusalOf(result, now));
}

type Refusal = {
  error?: MessageKey;
  done?: MessageKey;
  fieldErrors?: Record<string, MessageKey>;
  values?: Record<string, string>;
  wait?: number;
};

/** What to say of a code that opened nothing, on the page where it was typed. */
export function refusalOf(result: CodeResult, now: Date): Refusal {
  if (result === 'malformed') return { fieldErrors: { code: 'mailCode.malformed' } };
  if (typeof result === 'object' && 'wrongLeft' in result && result.wrongLeft > 0)
    return {
      fieldErrors: { code: 'mailCode.wrong' },
      values: { left: String(result.wrongLeft) },
    };
  if (typeof result === 'object' && 'refusedUntil' in result)
    return { error: 'mailCode.throttled', wait: minutesUntil(result.refusedUntil, now) };
  return { error: 'mailCode.spent' };
}

async function backToCode(
  way: ReturnTo,
  notice: Refusal,
  cookies: readonly string[] = [],
): Promise<HttpResponse> {
  const flash = await flashCookie({ page: flashKey('code', way.flowId), ...notice });
  return redirect(stepAddress('/login/code', way), [...cookies, flash]);
}

async function startAgain(way: ReturnTo): Promise<HttpResponse> {
  const flash = await flashCookie({ page: loginFlashKey(way.flowId), error: 'mailCode.gone' });
  return redirect(stepAddress('/login', way), [flash]);
}
