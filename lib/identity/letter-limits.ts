import type { HttpRequest } from '../http/message.ts';
import { networksOf } from '../http/network.ts';
import { digest } from '../oauth/secrets.ts';
import { type Try, takeTries } from '../store/throttles.ts';
import { loginKey } from '../store/users.ts';

const perLogin = 5;
const perAddress = 20;

/**
 * Limits how often a letter can be requested, per login typed and per address, whether or not the
 * account exists, so the response doesn't reveal it.
 */
export async function limitLetters(
  what: 'recovery' | 'registration',
  typed: string,
  request: HttpRequest,
  now: Date,
): Promise<Try> {
  const addresses = networksOf(request).map(({ network, share }) => ({
    key: `${what}:address:${network}`,
    limit: perAddress * share,
  }));
  const key = `${what}:typed:${digest(loginKey(typed))}`;
  return takeTries([...addresses, { key, limit: perLogin }], now);
}
