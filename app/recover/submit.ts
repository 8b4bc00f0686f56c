import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import type { OwnPath } from '#lib/http/own-address.ts';
import { limitLetters } from '#lib/identity/letter-limits.ts';
import { demandWork } from '#lib/identity/proof-of-work.ts';
import { askForReset } from '#lib/identity/recovery.ts';
import { type Flash, flashCookie } from '#lib/interaction/flash.ts';
import { readForm } from '#lib/interaction/form.ts';
import { languageOfRequest } from '#lib/interaction/language.ts';
import { readPendingRequest } from '#lib/interaction/pending-request.ts';
import { withPendingRequest } from '#lib/interaction/return-to.ts';
import { workNotice } from '#lib/interaction/work.ts';
import type { MessageKey } from '#lib/messages/keys.ts';
import { first } from '#lib/oauth/params.ts';
import { minutesUntil } from '#lib/store/throttles.ts';

/**
 * "Forgot your password?": the response is the same for every name, and the work happens after it.
 */
export async function submitRecovery(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readForm(request);
  const sealed = first(fields, 'flow');
  if (sealed !== undefined) await readPendingRequest(sealed, request);
  const login = (first(fields, 'username') ?? '').trim().slice(0, 320);
  const back = async (
    path: OwnPath,
    notice: Pick<Flash, 'fieldErrors' | 'wait' | 'values'> & { error?: MessageKey },
  ) =>
    redirect(withPendingRequest(path, sealed), [
      await flashCookie({ page: path, ...notice, values: { ...notice.values, username: login } }),
    ]);
  if (!login) return back('/recover', { fieldErrors: { username: 'signIn.usernameMissing' } });
  const work = await demandWork(fields, 'recovery', request, now);
  if (work !== 'enough') return back('/recover', workNotice(work, now));
  const asking = await limitLetters('recovery', login, request, now);
  if ('refusedUntil' in asking) {
    const wait = minutesUntil(asking.refusedUntil, now);
    return back('/recover', { error: 'recover.throttled', wait });
  }
  const locale = await languageOfRequest(request, now);
  await askForReset({ login, flow: sealed, locale }, request, now);
  return back('/recover/sent', {});
}
