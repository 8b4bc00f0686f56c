import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import type { OwnPath } from '#lib/http/own-address.ts';
import { emailAddress } from '#lib/identity/accounts.ts';
import { limitLetters } from '#lib/identity/letter-limits.ts';
import { demandWork } from '#lib/identity/proof-of-work.ts';
import { askToRegister, registrationMode } from '#lib/identity/registration.ts';
import { type Flash, flashCookie } from '#lib/interaction/flash.ts';
import { readForm } from '#lib/interaction/form.ts';
import { languageOfRequest } from '#lib/interaction/language.ts';
import { readPendingRequest } from '#lib/interaction/pending-request.ts';
import { withPendingRequest } from '#lib/interaction/return-to.ts';
import { workNotice } from '#lib/interaction/work.ts';
import type { MessageKey } from '#lib/messages/keys.ts';
import { first } from '#lib/oauth/params.ts';
import { mayRegister } from '#lib/settings/registration.ts';
import { readSettings } from '#lib/store/settings.ts';
import { minutesUntil } from '#lib/store/throttles.ts';

/** The same response if the address has an account; only a mail to it says so. */
export async function submitRegistration(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readForm(request);
  const sealed = first(fields, 'flow');
  if (sealed !== undefined) await readPendingRequest(sealed, request);
  const typed = (first(fields, 'email') ?? '').trim();
  const back = async (
    path: OwnPath,
    notice: Pick<Flash, 'fieldErrors' | 'wait' | 'values'> & { error?: MessageKey },
    cookies: readonly string[] = [],
  ) =>
    redirect(withPendingRequest(path, sealed), [
      ...cookies,
      await flashCookie({ page: path, ...notice, values: { ...notice.values, email: typed } }),
    ]);
  if ((await registrationMode()) !== 'open') return redirect('/register');
  const email = emailAddress.safeParse(typed);
  if (!email.success) return back('/register', { fieldErrors: { email: 'setup.emailBad' } });
  if (mayRegister(await readSettings(), email.data) !== 'yes')
    return back('/register', { fieldErrors: { email: 'register.domain' } });
  const work = await demandWork(fields, 'registration', request, now);
  if (work !== 'enough') return back('/register', workNotice(work, now));
  const asking = await limitLetters('registration', email.data, request, now);
  if ('refusedUntil' in asking) {
    const wait = minutesUntil(asking.refusedUntil, now);
    return back('/register', { error: 'recover.throttled', wait });
  }
  const locale = await languageOfRequest(request, now);
  const asked = { email: email.data, flow: sealed, locale };
  return back('/register/sent', {}, await askToRegister(asked, request, now));
}
