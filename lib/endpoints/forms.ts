import { redirect } from '../http/answers.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { checkAccount, newAccount, takenError } from '../identity/accounts.ts';
import { readBoundFlow } from '../identity/flow.ts';
import { noticeCookie } from '../identity/notice.ts';
import { notify } from '../identity/notices.ts';
import { passwordFault } from '../identity/password-rules.ts';
import { proveOwnPassword } from '../identity/password-tries.ts';
import { hashPassword } from '../identity/passwords.ts';
import { isSetUpToken } from '../identity/set-up.ts';
import type { MessageKey } from '../messages/text.ts';
import { first } from '../oauth/params.ts';
import { audit } from '../store/audit.ts';
import { endOtherSessions } from '../store/sessions.ts';
import { minutesUntil } from '../store/throttles.ts';
import { choosePassword, findUser, storeFirstAdmin } from '../store/users.ts';
import { revokeGrants } from '../store/withdrawals.ts';
import { backTo, readForm, withPerson } from './form.ts';
import { afterFirstFactor } from './signed-in.ts';
import { plainWay } from './way.ts';

/** "Not you?": another account signs in, and the request stays. */
export async function submitSwitch(request: HttpRequest): Promise<HttpResponse> {
  const sealed = first(await readForm(request), 'flow');
  await readBoundFlow(sealed, request);
  return redirect(`/login?flow=${sealed}`);
}

/** The first admin, by the one-time link. Of two that race, one is made. */
export async function submitSetup(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readForm(request);
  const token = first(fields, 'token');
  if (!isSetUpToken(token)) return redirect('/setup');
  const value = (name: string) => first(fields, name) ?? '';
  const input = {
    username: value('username'),
    email: value('email'),
    name: value('name'),
    password: value('password'),
  };
  const { password: _, ...typed } = input;
  const errors = checkAccount(input);
  if (Object.keys(errors).length > 0) {
    return redirect(`/setup?token=${token}`, [
      await noticeCookie({ page: 'setup', fieldErrors: errors, values: typed }),
    ]);
  }
  const made = await storeFirstAdmin(await newAccount(input, true), now);
  if (made === 'exists') return redirect('/setup');
  if ('taken' in made) {
    return redirect(`/setup?token=${token}`, [
      await noticeCookie({ page: 'setup', fieldErrors: takenError(made.taken), values: typed }),
    ]);
  }
  await audit(
    {
      type: 'set-up.completed',
      actor: made.id,
      userId: made.id,
      address: request.address,
      requestId: request.id,
    },
    now,
  );
  const user = await findUser(made.id);
  return (
    (user &&
      (await afterFirstFactor(request, user, 'pwd', plainWay, now, { device: 'expected' }))) ??
    redirect('/login')
  );
}

/** Where the form below stands. */
const homePage = '/account';

/** Changes one's own password: the other sessions end, and the apps' tokens when ticked. */
export function submitPassword(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withPerson(request, now, homePage, async (session, fields) => {
    const user = await findUser(session.user.id);
    const [current, wanted] = [
      first(fields, 'current_password') ?? '',
      first(fields, 'new_password') ?? '',
    ];
    const endAppTokens = first(fields, 'end_app_tokens') === 'on';
    const refuse = async (fieldErrors: Record<string, MessageKey>, wait?: number) =>
      backTo(homePage, { fieldErrors, wait, values: { endAppTokens: String(endAppTokens) } });
    const proof = await proveOwnPassword(session, current, user?.passwordHash ?? null, now);
    if (proof === 'wrong') return refuse({ current_password: 'home.passwordWrong' });
    if (proof !== 'right')
      return refuse(
        { current_password: 'signIn.throttled' },
        minutesUntil(proof.refusedUntil, now),
      );
    const fault =
      current === wanted
        ? 'home.passwordSame'
        : passwordFault(wanted, [session.user.username, session.user.email]);
    if (fault) return refuse({ new_password: fault });
    const replaced = await choosePassword(
      session.user.id,
      user?.passwordHash ?? '',
      await hashPassword(wanted),
      now,
    );
    if (!replaced) return refuse({ current_password: 'home.passwordWrong' });
    await endOtherSessions(session.user.id, session.hash);
    if (endAppTokens) await revokeGrants({ userId: session.user.id }, now);
    const event = {
      actor: session.user.id,
      userId: session.user.id,
      address: request.address,
      requestId: request.id,
    };
    await audit({ ...event, type: 'password.changed', detail: { endAppTokens } }, now);
    await notify(session.user.id, 'password-changed', {}, now);
    return backTo(homePage, { done: 'home.passwordDone' });
  });
}
