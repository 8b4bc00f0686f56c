import { z } from 'zod';
import type { HttpRequest } from '../http/message.ts';
import { digest, newId } from '../oauth/secrets.ts';
import { audit, auditOnce } from '../store/audit.ts';
import { clearThrottle, giveBackTry, takeThrottledTry } from '../store/throttles.ts';
import { count } from '../store/usage.ts';
import { findUserByLogin, normalKey, replacePassword, type User } from '../store/users.ts';
import { cookieOf, setCookie } from './cookies.ts';
import { deviceOf } from './device.ts';
import { notify } from './notices.ts';
import { verifyCounted } from './password-tries.ts';
import { hashPassword, needsRehash } from './passwords.ts';
import { seal, unseal } from './seal.ts';

const accountLimit = 10;
const addressLimit = 30;

/** A browser that has signed in before, and as whom. Counted on its own, so that a stranger's guesses do not lock the owner out. */
const deviceValue = z.object({ id: z.string(), users: z.array(z.string()) });
type Device = z.infer<typeof deviceValue>;
const deviceLife = 400 * 24 * 3600;
const maxUsersPerDevice = 10;

export type SignInResult = { user: User } | 'wrong' | 'throttled';

/**
 * Whether user name (or e-mail address) and password are right; it may not be all that the account
 * asks for. The try is counted before it is made, for the account and for the address.
 * @throws PasswordsBusy
 */
export async function signIn(
  request: HttpRequest,
  login: string,
  password: string,
  now: Date,
): Promise<SignInResult> {
  const user = await findUserByLogin(login);
  const accountKey = await throttleKey(request, user, login);
  const addressKey = request.address === null ? null : `address:${request.address}`;
  const event = { userId: user?.id ?? null, address: request.address, requestId: request.id };
  const addressAllows =
    addressKey === null || (await takeThrottledTry(addressKey, addressLimit, now)) === 'allowed';
  if (!addressAllows || (await takeThrottledTry(accountKey, accountLimit, now)) === 'refused') {
    await auditOnce(accountKey, { ...event, type: 'sign-in.throttled' }, now);
    return 'throttled';
  }
  const keys = addressKey === null ? [accountKey] : [accountKey, addressKey];
  const right = await verifyCounted(password, user?.passwordHash ?? null, keys);
  if (!user || !right || user.disabled) {
    count('sign-in-failed', null, now);
    await audit(
      {
        ...event,
        type: 'sign-in.failure',
        detail: { reason: !user ? 'unknown' : user.disabled ? 'disabled' : 'password' },
      },
      now,
    );
    return 'wrong';
  }
  await clearThrottle(accountKey);
  if (addressKey) await giveBackTry(addressKey);
  return { user: await rehashed(user, password, now) };
}

function throttleKey(
  request: HttpRequest,
  user: User | null,
  login: string,
): Promise<string> | string {
  return user ? throttleKeyOf(request, user) : `login:${digest(normalKey(login))}`;
}

/** Under which tries for an account are counted, in a browser that has signed in to it before and in all others. */
export async function throttleKeyOf(request: HttpRequest, user: User): Promise<string> {
  const device = await readDevice(request);
  return device?.users.includes(user.id) ? `device:${device.id}:${user.id}` : `user:${user.id}`;
}

/** A cost that the operator changed is applied when the password is at hand. */
async function rehashed(user: User, password: string, now: Date): Promise<User> {
  if (!user.passwordHash || !needsRehash(user.passwordHash)) return user;
  const passwordHash = await hashPassword(password);
  const replaced = await replacePassword(user.id, user.passwordHash, passwordHash, now);
  return replaced ? { ...user, passwordHash } : user;
}

async function readDevice(request: Pick<HttpRequest, 'header'>): Promise<Device | null> {
  const cookie = cookieOf(request, 'device');
  if (!cookie || cookie.length > 2000) return null;
  const parsed = deviceValue.safeParse(await unseal('device', cookie));
  return parsed.success ? parsed.data : null;
}

/**
 * The cookie by which this browser is known next time. A browser that was not known before is told
 * of by mail, unless it is `expected`: that of somebody whose account begins with this sign-in.
 */
export async function deviceCookie(
  request: HttpRequest,
  user: User,
  now: Date,
  expected?: 'expected',
): Promise<string> {
  const device = (await readDevice(request)) ?? { id: newId(now), users: [] };
  if (!expected && !device.users.includes(user.id)) await tellOfNewDevice(request, user, now);
  const users = [user.id, ...device.users.filter((id) => id !== user.id)].slice(
    0,
    maxUsersPerDevice,
  );
  return setCookie('device', await seal('device', { id: device.id, users }), deviceLife);
}

async function tellOfNewDevice(request: HttpRequest, user: User, now: Date): Promise<void> {
  const { browser, system } = deviceOf(request.header('user-agent'));
  const device = [browser, system].filter(Boolean).join(', ');
  await notify(user.id, 'new-device', { device, address: request.address ?? '' }, now);
}
