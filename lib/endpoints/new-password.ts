import { redirect } from '../http/answers.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { eventOf } from '../identity/events.ts';
import { noticeCookie } from '../identity/notice.ts';
import { notify } from '../identity/notices.ts';
import { passwordFault } from '../identity/password-rules.ts';
import { hashPassword, verifyPassword } from '../identity/passwords.ts';
import { readStep, type Step } from '../identity/second-step.ts';
import type { MessageKey } from '../messages/text.ts';
import { isMultiFactor } from '../oauth/acr.ts';
import { first } from '../oauth/params.ts';
import { auditing } from '../store/audit.ts';
import { choosePassword, findUser } from '../store/users.ts';
import { startOver } from './factor.ts';
import { readForm } from './form.ts';
import { afterFirstFactor, finishSignIn } from './signed-in.ts';
import { at, noticePage, readWay } from './way.ts';

/**
 * The password of somebody whose present one an admin chose, between that one and the session.
 * Then the sign-in goes on where it stood. @throws PasswordsBusy
 */
export async function submitNewPassword(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readForm(request);
  const way = await readWay(fields, request);
  const step = await readStep(request, way.flowId, now);
  if (step?.kind !== 'renew') return startOver(way);
  const { user, amr } = step;
  const wanted = first(fields, 'new_password') ?? '';
  const fault = await faultOf(wanted, user);
  if (fault) {
    const page = noticePage('new-password', way.flowId);
    return redirect(at('/login/new-password', way), [
      await noticeCookie({ page, fieldErrors: { new_password: fault } }),
    ]);
  }
  const event = eventOf(request, user.id, 'password.changed', { demanded: true });
  const chosen = await choosePassword(
    user.id,
    user.passwordHash ?? '',
    await hashPassword(wanted),
    now,
    [auditing(event, now)],
  );
  const renewed = chosen ? await findUser(user.id) : null;
  if (!renewed) return startOver(way);
  await notify(user.id, 'password-changed', {}, now);
  // Who has a second factor has proved it before; of others one may be asked yet.
  const goOn = isMultiFactor(amr) ? finishSignIn : afterFirstFactor;
  return (await goOn(request, renewed, amr, way, now)) ?? startOver(way);
}

async function faultOf(wanted: string, user: Step['user']): Promise<MessageKey | null> {
  const fault = passwordFault(wanted, [user.username, user.email]);
  if (fault) return fault;
  return (await verifyPassword(wanted, user.passwordHash)) ? 'home.passwordSame' : null;
}
