import { actorAt } from '../http/actor.ts';
import type { HttpRequest } from '../http/message.ts';
import { networksOf, ownAddress } from '../http/network.ts';
import { linkBasis, openLink } from '../mail/links.ts';
import { notify } from '../mail/notify.ts';
import { post } from '../mail/post.ts';
import type { Locale } from '../messages/locales.ts';
import { digest } from '../oauth/secrets.ts';
import { eventBy } from '../store/actor.ts';
import { redeemResetLink } from '../store/links.ts';
import { type Try, takeTries } from '../store/throttles.ts';
import { normalKey } from '../store/users.ts';
import { hashPassword } from './passwords.ts';

const perLogin = 5;
const perAddress = 20;

/**
 * Rate-limits by identifier and by address, whether or not the account exists, so the response
 * doesn't reveal it.
 */
export async function limitRequests(
  what: 'recovery' | 'registration',
  typed: string,
  request: HttpRequest,
  now: Date,
): Promise<Try> {
  const addresses = networksOf(request).map(({ network, share }) => ({
    key: `${what}:address:${network}`,
    limit: perAddress * share,
  }));
  const key = `${what}:typed:${digest(normalKey(typed))}`;
  return takeTries([...addresses, { key, limit: perLogin }], now);
}

/** Starts a recovery. Whether the account exists is looked up only when the mail is written. */
export async function askForReset(
  login: string,
  flow: string | undefined,
  request: HttpRequest,
  locale: Locale,
  now: Date,
): Promise<void> {
  await post({ kind: 'recovery', login, flow, address: ownAddress(request), locale }, now);
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
  if (!opened?.user) return 'dead';
  const { link, user } = opened;
  const hash = await hashPassword(password);
  const about = { userId: user.id, detail: { by: 'link' } };
  const event = eventBy(actorAt(request, user.id), 'password.reset', about);
  if ((await redeemResetLink(link, linkBasis(user), hash, event, now)) === 'dead') return 'dead';
  await notify(user.id, 'password-changed', {}, now);
  return { flow: link.flow };
}
