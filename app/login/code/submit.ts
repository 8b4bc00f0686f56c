import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import {
  askForCode,
  type CodeResult,
  checkCode,
  codeCookieGone,
  heldCode,
  mayUseCodes,
  noteAddressProved,
} from '#lib/identity/mail-code.ts';
import { demandWork } from '#lib/identity/proof-of-work.ts';
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
import { workNotice } from '#lib/interaction/work.ts';
import type { MessageKey } from '#lib/messages/keys.ts';
import { first } from '#lib/oauth/params.ts';
import { minutesUntil } from '#lib/store/throttles.ts';

/** What a code for a sign-in is bound to: the request that the sign-in leads to. */
export const codeWanted = ({ flowId = '' }: Pick<ReturnTo, 'flowId'>) =>
  ({ purpose: 'sign-in', about: flowId }) as const;

/**
 * "Email me a code". The answer is the same for every name, and the work happens after it. A code
 * can be requested on the sign-in page, or again on the page where it is typed.
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
            values: { ...notice.values, username: to, ...(brief && { brief: 'on' }) },
          }),
        ]);
  if (!to) return refuse({ fieldErrors: { username: 'signIn.usernameMissing' } });
  const work = await demandWork(fields, 'sign-in', request, now);
  if (work !== 'enough') return refuse(workNotice(work, now));
  const asked = { ...codeWanted(way), to, brief };
  const answer = await askForCode(request, asked, await languageOfRequest(request, now), now);
  if ('refusedUntil' in answer)
    return refuse({ error: 'mailCode.tooMany', wait: minutesUntil(answer.refusedUntil, now) });
  return backToCode(way, held ? { done: 'mailCode.sentAgain' } : {}, [answer.cookie]);
}

/** The sign-in then continues as after a password, such as with a second step. */
export async function submitCode(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readForm(request);
  const way = await readReturnTo(fields, request);
  request.about.attempt = way.flowId ?? null;
  if (!(await mayUseCodes())) return redirect(stepAddress('/login', way));
  const result = await checkCode(request, codeWanted(way), first(fields, 'code') ?? '', now);
  if (typeof result === 'object' && 'user' in result && result.user) {
    const { user, brief } = result;
    await noteAddressProved(request, user, now);
    const cookies = [codeCookieGone()];
    const signedIn = await signInBy(request, { by: 'mail-code', user, brief, cookies }, way, now);
    if (signedIn) return signedIn;
  }
  request.about.outcome = 'failed';
  return result === 'gone' ? startAgain(way) : backToCode(way, refusalOf(result, 'password', now));
}

type Refusal = {
  error?: MessageKey;
  done?: MessageKey;
  fieldErrors?: Record<string, MessageKey>;
  values?: Record<string, string>;
  wait?: number;
};

/**
 * Messages by the alternative offered when a code does not work: the password, or the link mailed
 * with the code.
 */
const instead = {
  password: { wrong: 'mailCode.wrong', spent: 'mailCode.spent', throttled: 'mailCode.throttled' },
  link: {
    wrong: 'mailCode.wrongLink',
    spent: 'mailCode.spentLink',
    throttled: 'mailCode.throttledLink',
  },
} as const satisfies Record<string, Record<string, MessageKey>>;

/** The message about a code that did not work, for the page where it was typed. */
export function refusalOf(result: CodeResult, way: keyof typeof instead, now: Date): Refusal {
  const says = instead[way];
  if (result === 'malformed') return { fieldErrors: { code: 'mailCode.malformed' } };
  if (typeof result === 'object' && 'wrongLeft' in result && result.wrongLeft > 0)
    return { fieldErrors: { code: says.wrong }, values: { left: String(result.wrongLeft) } };
  if (typeof result === 'object' && 'refusedUntil' in result)
    return { error: says.throttled, wait: minutesUntil(result.refusedUntil, now) };
  return { error: says.spent };
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
