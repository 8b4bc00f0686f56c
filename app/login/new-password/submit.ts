import { actorAt } from '#lib/http/actor.ts';
import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { passwordFault } from '#lib/identity/password-rules.ts';
import { hashPassword, verifyPassword } from '#lib/identity/passwords.ts';
import { readStep, type Step } from '#lib/identity/second-step.ts';
import { flashCookie } from '#lib/interaction/flash.ts';
import { readForm, startOver } from '#lib/interaction/form.ts';
import { flashKey, readReturnTo, stepAddress } from '#lib/interaction/return-to.ts';
import { goOn } from '#lib/interaction/signed-in.ts';
import { notify } from '#lib/mail/notify.ts';
import type { MessageKey } from '#lib/messages/keys.ts';
import { first } from '#lib/oauth/params.ts';
import { eventBy } from '#lib/store/actor.ts';
import { auditing } from '#lib/store/audit.ts';
import { choosePassword, findUser } from '#lib/store/users.ts';

/**
 * Replaces a password set by an admin before the session starts; then the sign-in continues.
 * @throws PasswordsBusy
 */
export async function submitNewPassword(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readForm(request);
  const way = await readReturnTo(fields, request);
  const step = await readStep(request, way.flowId, now);
  if (step?.kind !== 'renew') return startOver(way);
  const { user, amr, brief, device, from } = step;
  const wanted = first(fields, 'new_password') ?? '';
  const fault = await faultOf(wanted, user);
  if (fault) {
    const page = flashKey('new-password', way.flowId);
    return redirect(stepAddress('/login/new-password', way), [
      await flashCookie({ page, fieldErrors: { new_password: fault } }),
    ]);
  }
  const event = eventBy(actorAt(request, user.id), 'password.changed', {
    userId: user.id,
    detail: { demanded: true },
  });
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
  // A user with a second factor has already verified it; others might still have to set one up.
  return (
    (await goOn(request, { user: renewed, amr, brief, device, from }, way, now)) ?? startOver(way)
  );
}

async function faultOf(wanted: string, user: Step['user']): Promise<MessageKey | null> {
  const fault = await passwordFault(wanted, user);
  if (fault) return fault;
  return (await verifyPassword(wanted, user.passwordHash)) ? 'home.passwordSame' : null;
}
