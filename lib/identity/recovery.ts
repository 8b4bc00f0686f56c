import { actorAt } from '../http/actor.ts';
import type { HttpRequest } from '../http/message.ts';
import { ownAddress } from '../http/network.ts';
import { linkBasis, makeLink, openLink, signedInAt } from '../mail/links.ts';
import { notify } from '../mail/notify.ts';
import { post } from '../mail/post.ts';
import type { Locale } from '../messages/locales.ts';
import { addSeconds } from '../oauth/token-request.ts';
import { eventBy } from '../store/actor.ts';
import { type Denied, denySignIn } from '../store/denied-sign-ins.ts';
import { findDirectoryLink } from '../store/directories.ts';
import { redeemResetLink } from '../store/links.ts';
import { findUser, normalKey } from '../store/users.ts';
import { logouts } from './back-channel.ts';
import { hashPassword } from './passwords.ts';
import { stepLife } from './second-step.ts';

/**
 * A user reports that a sign-in was not theirs. Everything they have ends, and so does their
 * password, which someone else knows. The link was sent to their address: if the account still has
 * that address, they can set a new password right away, unless a second factor was added since
 * shortly before that sign-in. The intruder may have added it.
 */
export async function denySignInBy(
  token: string | undefined,
  request: HttpRequest,
  now: Date,
): Promise<{ resetToken: string } | 'done' | 'directory' | 'disabled' | 'cleared' | 'dead'> {
  const opened = await openLink(token, ['not-me'], now);
  if (!opened?.user) return 'dead';
  const { link, user } = opened;
  const eventOf = (kind: Denied) => {
    const about = { userId: user.id, ...(kind !== 'ended' && { detail: { kind } }) };
    return eventBy(actorAt(request, null), 'sign-in.denied', about);
  };
  const since = addSeconds(signedInAt(link), -stepLife);
  const outcome = await denySignIn({ link, account: linkBasis(user), since }, eventOf, now);
  if (outcome === 'dead') return outcome;
  logouts.soon();
  if (outcome !== 'ended') return outcome;
  const after = await findUser(user.id);
  if (!after || normalKey(after.email) !== normalKey(link.email)) return 'done';
  // A directory keeps their password, so it cannot be reset here.
  if (await findDirectoryLink(user.id)) return 'directory';
  const { token: resetToken } = await makeLink(
    { purpose: 'reset', user: after, email: link.email },
    now,
  );
  return { resetToken };
}

/** Starts a recovery. Whether the account exists is looked up only when the mail is written. */
export async function askForReset(
  asked: { login: string; flow: string | undefined; locale: Locale },
  request: HttpRequest,
  now: Date,
): Promise<void> {
  await post({ kind: 'recovery', ...asked, address: ownAddress(request) }, now);
}

/**
 * Sets a new password by link and ends everything opened with the old one.
 * @throws PasswordsBusy
 */
export async function resetByLink(
  token: string | undefined,
  password: string,
  request: HttpRequest,
  now: Date,
): Promise<{ flow: string | null } | 'dead'> {
  const opened = await openLink(token, ['reset'], now);
  if (!opened?.user || (await findDirectoryLink(opened.user.id))) return 'dead';
  const { link, user } = opened;
  const hash = await hashPassword(password);
  const about = { userId: user.id, detail: { by: 'link' } };
  const event = eventBy(actorAt(request, user.id), 'password.reset', about);
  if ((await redeemResetLink(link, linkBasis(user), hash, event, now)) === 'dead') return 'dead';
  await notify(user.id, 'password-changed', {}, now);
  return { flow: link.flow };
}
