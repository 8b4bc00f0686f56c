import { redirect } from '../http/answers.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import type { OwnAddress, OwnPath } from '../http/own-address.ts';
import { emailAddress } from '../identity/accounts.ts';
import { flowOfThisBrowser, readBoundFlow } from '../identity/flow.ts';
import { post } from '../identity/mail/post.ts';
import { noticeCookie } from '../identity/notice.ts';
import { takeAsking } from '../identity/recovery.ts';
import { finishRegistration, openAccountLink, registrationMode } from '../identity/registration.ts';
import type { MessageKey } from '../messages/text.ts';
import { first } from '../oauth/params.ts';
import { mayRegister } from '../settings/registration.ts';
import { readSettings } from '../store/settings.ts';
import { minutesUntil } from '../store/throttles.ts';
import { findUser } from '../store/users.ts';
import { readForm } from './form.ts';
import { languageOfRequest } from './language.ts';
import { withFlow } from './recovery.ts';
import { afterFirstFactor } from './signed-in.ts';
import { at, plainWay } from './way.ts';

/**
 * Somebody wants an account. The page answers the same for an address that has one; what is true is
 * told to the address itself.
 */
export async function submitRegistration(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readForm(request);
  const sealed = first(fields, 'flow');
  if (sealed !== undefined) await readBoundFlow(sealed, request);
  const typed = (first(fields, 'email') ?? '').trim();
  const back = async (
    path: OwnPath,
    notice: { error?: MessageKey; fieldErrors?: Record<string, MessageKey>; wait?: number },
  ) =>
    redirect(withFlow(path, sealed), [
      await noticeCookie({ page: path, ...notice, values: { email: typed } }),
    ]);
  if ((await registrationMode()) !== 'open') return redirect('/register');
  const email = emailAddress.safeParse(typed);
  if (!email.success) return back('/register', { fieldErrors: { email: 'setup.emailBad' } });
  if (mayRegister(await readSettings(), email.data) !== 'yes')
    return back('/register', { fieldErrors: { email: 'register.domain' } });
  const asking = await takeAsking('registration', email.data, request, now);
  if ('refusedUntil' in asking) {
    const wait = minutesUntil(asking.refusedUntil, now);
    return back('/register', { error: 'recover.throttled', wait });
  }
  const locale = await languageOfRequest(request, now);
  await post({ kind: 'registration', email: email.data, flow: sealed, locale }, now);
  return back('/register/sent', {});
}

/** The account itself, by the link that confirms the address. The person is signed in and goes on where they were. */
export async function submitFinish(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readForm(request);
  const token = first(fields, 'token');
  const page: OwnAddress = `/register/finish?token=${encodeURIComponent(token ?? '')}`;
  const link = await openAccountLink(token, now);
  if (!link) return redirect(page);
  const value = (name: string) => first(fields, name) ?? '';
  const input = { username: value('username'), name: value('name'), password: value('password') };
  const made = await finishRegistration(link, input, request, now);
  if (made === 'dead') return redirect(page);
  if ('errors' in made) {
    const { password: _, ...values } = input;
    return redirect(page, [
      await noticeCookie({ page: '/register/finish', fieldErrors: made.errors, values }),
    ]);
  }
  const user = await findUser(made.id);
  const flow = await flowOfThisBrowser(link.flow, request);
  const way = flow
    ? { sealed: link.flow ?? undefined, flowId: flow.id, back: undefined }
    : plainWay;
  const signedIn =
    user && (await afterFirstFactor(request, user, 'pwd', way, now, { device: 'expected' }));
  return signedIn ?? redirect(at('/login', way));
}
