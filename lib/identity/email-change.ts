import { actorAt } from '../http/actor.ts';
import type { HttpRequest } from '../http/message.ts';
import { linkBasis, openLink } from '../mail/links.ts';
import { notify } from '../mail/notify.ts';
import { post } from '../mail/post.ts';
import type { Locale } from '../messages/locales.ts';
import type { MessageKey } from '../messages/text.ts';
import { eventBy } from '../store/actor.ts';
import { audit } from '../store/audit.ts';
import { type MailedLink, redeemEmailLink } from '../store/links.ts';
import type { Session } from '../store/sessions.ts';
import { takeThrottledTry } from '../store/throttles.ts';
import { findUser, normalKey, type User } from '../store/users.ts';
import { emailAddress } from './accounts.ts';
import { isFresh } from './guards.ts';
import { proveOwnPassword } from './password-tries.ts';

export type EmailChangeErrors = { email?: MessageKey; current_password?: MessageKey };

/**
 * Requests a change of email address: the user proves their identity, and the new address gets a
 * link. Only that address learns whether it already has an account.
 * @throws PasswordsBusy
 */
export async function askForEmailChange(
  session: Session,
  typed: string,
  password: string,
  request: HttpRequest,
  locale: Locale,
  now: Date,
): Promise<{ email: string } | { errors: EmailChangeErrors }> {
  const email = emailAddress.safeParse(typed);
  if (!email.success) return { errors: { email: 'setup.emailBad' } };
  const user = await findUser(session.user.id);
  if (!user) return { errors: { current_password: 'emailChange.signInAgain' } };
  if (normalKey(email.data) === normalKey(user.email))
    return { errors: { email: 'emailChange.same' } };
  const fault = await proofFault(user, session, password, now);
  if (fault) return { errors: { current_password: fault } };
  if ((await takeThrottledTry(`email-change:${user.id}`, 5, now)) === 'refused')
    return { errors: { email: 'recover.throttled' } };
  const about = { userId: user.id, detail: { to: email.data } };
  await audit(eventBy(actorAt(request, user.id), 'email.change-requested', about), now);
  await post({ kind: 'email-change', userId: user.id, email: email.data, locale }, now);
  return { email: email.data };
}

async function proofFault(
  user: User,
  session: Session,
  password: string,
  now: Date,
): Promise<MessageKey | null> {
  // Without a password, a fresh sign-in is the proof.
  if (user.passwordHash === null) return isFresh(session, now) ? null : 'emailChange.signInAgain';
  const proof = await proveOwnPassword(session, password, user.passwordHash, now);
  if (proof === 'right') return null;
  return proof === 'wrong' ? 'home.passwordWrong' : 'signIn.throttled';
}

/** The link sent to a new address, with its user. Null if the link is no longer valid. */
export async function openEmailLink(
  token: string | undefined,
  now: Date,
): Promise<{ link: MailedLink; user: User } | null> {
  const opened = await openLink(token, ['email'], now);
  return opened?.user ? { link: opened.link, user: opened.user } : null;
}

/**
 * Sets the address that the link proves and notifies the old one. Only the signed-in owner may
 * confirm: anyone else's click would attach their address to a stranger's account.
 */
export async function confirmEmail(
  token: string | undefined,
  signedIn: string | undefined,
  request: HttpRequest,
  now: Date,
): Promise<'done' | 'dead' | 'taken' | 'not-theirs'> {
  const opened = await openEmailLink(token, now);
  if (!opened) return 'dead';
  const { link, user } = opened;
  if (signedIn !== user.id) return 'not-theirs';
  const about = { userId: user.id, detail: { before: user.email, after: link.email } };
  const event = eventBy(actorAt(request, user.id), 'email.changed', about);
  const outcome = await redeemEmailLink(link, linkBasis(user), event, now);
  if (outcome === 'done')
    await notify(user.id, 'email-changed', { email: link.email }, now, user.email);
  return outcome;
}
