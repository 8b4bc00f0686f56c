import { actorAt } from '../http/actor.ts';
import type { HttpRequest, PageRequest } from '../http/message.ts';
import { linkBasis, makeLink, openLink } from '../mail/links.ts';
import { notify } from '../mail/notify.ts';
import { post } from '../mail/post.ts';
import type { MessageKey } from '../messages/keys.ts';
import type { Locale } from '../messages/locales.ts';
import { digest } from '../oauth/secrets.ts';
import { eventBy } from '../store/actor.ts';
import { audit } from '../store/audit.ts';
import { type MailedLink, redeemEmailLink } from '../store/links.ts';
import { takeTries } from '../store/throttles.ts';
import { isEmailVerified, loginKey, normalKey, type User } from '../store/users.ts';
import { emailAddress } from './accounts.ts';
import { type CodeResult, checkCode, heldCode, newCode } from './mail-code.ts';

/** Why this can't be the user's new address; null if it can. */
export function emailChangeFault(user: Pick<User, 'email'>, typed: string): MessageKey | null {
  const email = emailAddress.safeParse(typed);
  if (!email.success) return 'setup.emailBad';
  return normalKey(email.data) === normalKey(user.email) ? 'emailChange.same' : null;
}

const wantedBy = (userId: string) => ({ purpose: 'address', about: userId }) as const;
const codeFor = (userId: string, to: string) => ({ ...wantedBy(userId), to, userId });

/** The address whose code this browser waits for, on behalf of a user. */
export async function pendingEmailChange(
  request: PageRequest,
  userId: string,
  now: Date,
): Promise<string | null> {
  return (await heldCode(request, wantedBy(userId), now))?.to ?? null;
}

/**
 * Requests a change of email address for a user who has confirmed who they are: the new address
 * gets a link and a code. Only that address learns whether it already has an account.
 * @param typed an address that `emailChangeFault` accepts
 */
export async function askForEmailChange(
  userId: string,
  { typed, locale }: { typed: string; locale: Locale },
  request: HttpRequest,
  now: Date,
): Promise<{ email: string; cookie: string } | 'throttled'> {
  const email = emailAddress.parse(typed);
  const toAddress = `email-change:to:${digest(loginKey(email))}`;
  if (await isTooOften(now, `email-change:${userId}`, toAddress)) return 'throttled';
  const { secret: code, cookie } = await newCode(request, codeFor(userId, email), now);
  const about = { userId, detail: { to: email } };
  await audit(eventBy(actorAt(request, userId), 'email.change-requested', about), now);
  await post({ kind: 'email-change', userId, email, code, locale }, now);
  return { email, cookie };
}

/** A link and a code for their current address. Shares its limit with changes of it. */
export async function askToConfirmEmail(
  { id: userId, email }: Pick<User, 'id' | 'email'>,
  request: PageRequest,
  locale: Locale,
  now: Date,
): Promise<{ cookie: string } | 'confirmed' | 'throttled'> {
  if (await isEmailVerified(userId)) return 'confirmed';
  if (await isTooOften(now, `email-change:${userId}`)) return 'throttled';
  const { secret: code, cookie } = await newCode(request, codeFor(userId, email), now);
  await post({ kind: 'email-confirm', userId, code, locale }, now);
  return { cookie };
}

/** Letters of one account, or to one address whoever asks for them. */
const perKey = 5;

async function isTooOften(now: Date, ...keys: string[]): Promise<boolean> {
  const taken = await takeTries(
    keys.map((key) => ({ key, limit: perKey })),
    now,
  );
  return 'refusedUntil' in taken;
}

/** An opened link to an address. `isOwn`: the account already has this address. */
type EmailLink = { link: MailedLink; user: User; isOwn: boolean };

/** The link sent to an address, with its user. Null if the link is no longer valid. */
export async function openEmailLink(
  token: string | undefined,
  now: Date,
): Promise<EmailLink | null> {
  const opened = await openLink(token, ['email'], now);
  if (!opened?.user) return null;
  const { link, user } = opened;
  return { link, user, isOwn: normalKey(link.email) === normalKey(user.email) };
}

/**
 * Sets the address that the link proves and notifies the old one, if they differ. Only the
 * signed-in owner can confirm: anyone else's click would attach their address to another user's
 * account.
 */
export async function confirmEmail(
  token: string | undefined,
  signedIn: string | undefined,
  request: HttpRequest,
  now: Date,
): Promise<'done' | 'confirmed' | 'dead' | 'taken' | 'not-theirs'> {
  const opened = await openEmailLink(token, now);
  if (!opened) return 'dead';
  const { link, user, isOwn } = opened;
  if (signedIn !== user.id) return 'not-theirs';
  const type = isOwn ? 'email.confirmed' : 'email.changed';
  const detail = isOwn ? { email: link.email } : { before: user.email, after: link.email };
  const event = eventBy(actorAt(request, user.id), type, { userId: user.id, detail });
  const outcome = await redeemEmailLink(link, linkBasis(user), event, now);
  if (outcome !== 'done') return outcome;
  if (isOwn) return 'confirmed';
  await notify({ userId: user.id, to: user.email }, 'email-changed', { email: link.email }, now);
  return 'done';
}

/** Like `confirmEmail`, by the code, in the browser and account that asked for it. */
export async function confirmEmailByCode(
  userId: string,
  typed: string,
  request: HttpRequest,
  now: Date,
): Promise<Awaited<ReturnType<typeof confirmEmail>> | Exclude<CodeResult, { user: User | null }>> {
  const result = await checkCode(request, wantedBy(userId), typed, now);
  if (typeof result !== 'object' || !('user' in result)) return result;
  const { user, to: email } = result;
  if (!user) return 'dead';
  const { token } = await makeLink({ purpose: 'email', user, email }, now);
  return confirmEmail(token, user.id, request, now);
}
