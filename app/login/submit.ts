import { html, redirect } from '#lib/http/answers.ts';
import { readFormFields } from '#lib/http/body.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { makeNonce, pageHeaders } from '#lib/http/page-headers.ts';
import { busySignInPage } from '#lib/http/pages.ts';
import { looksLikeAppPassword } from '#lib/identity/app-passwords.ts';
import { signInUnlessBusy, workBefore } from '#lib/identity/sign-in.ts';
import { flashCookie } from '#lib/interaction/flash.ts';
import { languageOfRequest } from '#lib/interaction/language.ts';
import { formActionTarget } from '#lib/interaction/pending-request.ts';
import {
  loginFlashKey,
  type ReturnTo,
  readReturnTo,
  stepAddress,
} from '#lib/interaction/return-to.ts';
import { isBrief, signInBy } from '#lib/interaction/signed-in.ts';
import type { MessageKey } from '#lib/messages/keys.ts';
import { first, type Params } from '#lib/oauth/params.ts';
import { checkFormPost } from '#lib/sealed/browser.ts';
import { minutesUntil } from '#lib/store/throttles.ts';
import { log } from '#lib/telemetry/log.ts';

/** After a refusal the form keeps everything except the password. */
export async function submitLogin(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readFormFields(request);
  checkFormPost(request, fields);
  const way = await readReturnTo(fields, request);
  const username = first(fields, 'username') ?? '';
  const password = first(fields, 'password') ?? '';
  const brief = isBrief(fields);
  request.about.attempt = way.flowId ?? null;
  const refuse = async (notice: Refusal) => {
    request.about.outcome = 'failed';
    return redirect(stepAddress('/login', way), [
      await flashCookie({
        page: loginFlashKey(way.flowId),
        ...notice,
        values: { ...notice.values, username, ...(brief && { brief: 'on' }) },
      }),
    ]);
  };

  if (!username.trim() || !password) {
    const missing: Record<string, MessageKey> = {};
    if (!username.trim()) missing.username = 'signIn.usernameMissing';
    if (!password) missing.password = 'signIn.passwordMissing';
    return refuse({ fieldErrors: missing });
  }
  const work = await workBefore(fields, username, request, now);
  if (typeof work === 'object')
    return refuse({ error: 'signIn.work', values: { [workField]: work.text } });
  const result = await signInUnlessBusy(request, { login: username, password, work }, now);
  if (result === 'busy') return busyAnswer(request, fields, way, now);
  if (result === 'wrong')
    return refuse({
      error: looksLikeAppPassword(password) ? 'signIn.appPassword' : 'signIn.wrong',
    });
  if (result === 'away') return refuse({ error: 'signIn.away' });
  if ('refusedUntil' in result)
    return refuse({ error: 'signIn.throttled', wait: minutesUntil(result.refusedUntil, now) });
  const by = result.user.passwordHash === null ? 'directory' : 'password';
  return (
    (await signInBy(request, { by, user: result.user, brief }, way, now)) ??
    refuse({ error: 'signIn.wrong' })
  );
}

type Refusal = {
  error?: MessageKey;
  fieldErrors?: Record<string, MessageKey>;
  values?: Record<string, string>;
  wait?: number;
};

/** The value of a notice with the work that a password takes. */
export const workField = 'passwordWork';

/** Roughly the seconds that the password queue takes to empty. */
const retryAfter = '5';

/**
 * A 503 with the form, so that retrying takes one click. The password has to be typed again. Work
 * that was not done is kept: its page has asked for it already.
 */
async function busyAnswer(
  request: HttpRequest,
  fields: Params,
  { sealed }: ReturnTo,
  now: Date,
): Promise<HttpResponse> {
  log().warn({ requestId: request.id, path: request.path }, 'busy: a sign-in was turned away');
  const kept = [
    ...['csrf', 'flow', 'back', ...(fields.has('proof') ? [] : ['work'])].map(
      (name) => [name, first(fields, name)] as const,
    ),
    ['stay', isBrief(fields) ? 'off' : 'on'] as const,
  ];
  const page = busySignInPage({
    locale: await languageOfRequest(request, now),
    username: first(fields, 'username') ?? '',
    hidden: Object.fromEntries(
      kept.filter((field): field is [string, string] => Boolean(field[1])),
    ),
  });
  const formTargets = sealed === undefined ? [] : [await formActionTarget(sealed)];
  const headers = pageHeaders({ path: request.path, nonce: makeNonce(), formTargets });
  return html(503, page, { ...headers, 'retry-after': retryAfter });
}
