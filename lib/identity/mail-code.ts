import { z } from 'zod';
import { actorAt } from '../http/actor.ts';
import type { HttpRequest, PageRequest } from '../http/message.ts';
import { networksOf, ownAddress } from '../http/network.ts';
import {
  addressTriesKey,
  codeLife,
  codeLimits,
  codeMailsKey,
  codeTriesKey,
  ownAddressTriesKey,
} from '../mail/code-limits.ts';
import { canSendMail, post } from '../mail/post.ts';
import {
  type CodeClaim,
  codePurposes,
  codeSubjectOf,
  isCode,
  newCodeSecret,
} from '../mail/six-digits.ts';
import type { Locale } from '../messages/locales.ts';
import { digest } from '../oauth/secrets.ts';
import { typedCode } from '../oauth/typed-code.ts';
import { browserOf } from '../sealed/browser.ts';
import { clearCookie, cookieOf, setCookie } from '../sealed/cookies.ts';
import { sealed } from '../sealed/sealed.ts';
import { eventBy } from '../store/actor.ts';
import { audit } from '../store/audit.ts';
import { readSettings } from '../store/settings.ts';
import { spendOnce } from '../store/spent-values.ts';
import {
  type Counted,
  clearThrottle,
  giveBackTry,
  takeTries,
  takeTry,
} from '../store/throttles.ts';
import { count } from '../store/usage.ts';
import { proveAddress } from '../store/user-changes.ts';
import { findUserByLogin, loginKey, type User } from '../store/users.ts';
import { deviceDetail } from './device.ts';
import { throttleKeyOf } from './sign-in.ts';

/** A request for a code: what the code proves, and what it can be used for. */
type CodeRequest = CodeClaim & {
  /**
   * What the code is bound to besides the browser, at most 200 characters, so that a code requested
   * for one thing opens no other: the id of a pending request or of a user, or a digest of what is
   * to be linked.
   */
  about: string;
  /** The user does not want to stay signed in. */
  brief?: boolean | undefined;
};

/** A code this browser waits for, with the secret it is computed from. */
type HeldCode = CodeClaim & Pick<CodeRequest, 'about'> & { secret: string; brief: boolean };

/** Characters kept of a typed name or address. */
const longestTyped = 320;

const life = codeLife / 1000;

/** Short keys for the cookie; only `newCode` and `openHeld` know what they mean. */
export const sealedMailCode = sealed(
  'mail-code',
  z.object({
    s: z.string(),
    p: z.enum(codePurposes),
    l: z.string(),
    f: z.string(),
    u: z.string().optional(),
    r: z.boolean().optional(),
  }),
  { max: 4000, bound: 'browser', life, clock: 't' },
);

const { asks, tries } = codeLimits;

export async function mayUseCodes(): Promise<boolean> {
  return canSendMail() && (await readSettings()).mailCode === 'on';
}

/**
 * Makes a code for a letter that the caller writes: the secret goes into the letter, the cookie to
 * the browser. Any code this browser requested earlier is forgotten. Callers must limit how often
 * they do this.
 */
export async function newCode(
  request: PageRequest,
  { purpose, to, userId, about, brief }: CodeRequest,
  now: Date,
): Promise<{ secret: string; cookie: string }> {
  const secret = newCodeSecret();
  const typed = to.slice(0, longestTyped);
  const value = { s: secret, p: purpose, l: typed, f: about, u: userId, r: brief };
  return {
    secret,
    cookie: setCookie('mail_code', await sealedMailCode.seal(value, request, now), life),
  };
}

/**
 * Sends a code to the address of an account, if there is one. The response is the same for every
 * name: whether the account exists matters only when the letter is written. Requests are limited
 * per browser, per network and per name; in a browser this user has signed in with before, only per
 * browser.
 * @returns the cookie the response must set, or when the next request is allowed
 */
export async function askForCode(
  request: HttpRequest,
  asked: CodeRequest & { purpose: 'sign-in' | 'account' },
  locale: Locale,
  now: Date,
): Promise<{ cookie: string } | { refusedUntil: Date }> {
  const to = asked.to.slice(0, longestTyped);
  const user = await findUserByLogin(to);
  const key = user ? await throttleKeyOf(request, user, now) : '';
  const device = key.startsWith('device:') ? key : undefined;
  const taken = await takeTries(asksOf(request, to, device), now);
  if ('refusedUntil' in taken) return taken;
  const { secret, cookie } = await newCode(request, { ...asked, to }, now);
  const address = ownAddress(request);
  const { purpose } = asked;
  await post({ kind: 'code', purpose, login: to, secret, device, address, locale }, now);
  return { cookie };
}

function asksOf(request: HttpRequest, to: string, device: string | undefined): Counted[] {
  const browser = {
    key: `mail-code:browser:${digest(browserOf(request) ?? '')}`,
    limit: asks.ofBrowser,
  };
  if (device) return [browser, { key: `mail-code:${device}`, limit: asks.ofName }];
  return [
    ...byNetwork(request, 'mail-code:address', asks.ofNetwork),
    browser,
    { key: `mail-code:typed:${digest(loginKey(to))}`, limit: asks.ofName },
  ];
}

function byNetwork(request: HttpRequest, what: string, limit: number): Counted[] {
  return networksOf(request).map(({ network, share }) => ({
    key: `${what}:${network}`,
    limit: limit * share,
  }));
}

/** The code this browser waits for, if it has this purpose and subject. `to` is as it was typed. */
export async function heldCode(
  request: PageRequest,
  { purpose, about }: Pick<CodeRequest, 'purpose' | 'about'>,
  now: Date,
): Promise<{ to: string; brief: boolean } | null> {
  const held = await openHeld(request, { purpose, about }, now);
  return held && { to: held.to, brief: held.brief };
}

async function openHeld(
  request: PageRequest,
  { purpose, about }: Pick<CodeRequest, 'purpose' | 'about'>,
  now: Date,
): Promise<HeldCode | null> {
  const held = await sealedMailCode.open(cookieOf(request, 'mail_code'), request, now);
  if (held?.p !== purpose || held.f !== about) return null;
  return { secret: held.s, purpose, to: held.l, about, userId: held.u, brief: held.r ?? false };
}

export type CodeResult =
  /** Right, and now spent. `user` is null if it proves an address for a new account. */
  | { user: User | null; to: string; brief: boolean }
  /** The code is wrong, which is also the answer if no code was sent. This many tries are left. */
  | { wrongLeft: number }
  /** Not six digits. The try isn't counted. */
  | 'malformed'
  /** The code was tried too often, or has been used. */
  | 'spent'
  /** This browser waits for no such code, or no longer. */
  | 'gone'
  | { refusedUntil: Date };

/**
 * Checks six digits that were mailed, in the browser that requested them and for the purpose they
 * were requested for. Each try is counted before it is checked: of any number of simultaneous
 * tries, in any number of processes, five are checked, and only one right one wins. If no code was
 * sent, the same work is done and every try is wrong.
 *
 * To have an account's owner prove themselves before something is linked to it: call `askForCode`
 * with `purpose: 'account'`, `to` the account's address and `about` a digest of what is linked, to
 * which account and in which session; then call this with the same `about`. `{ user }` is the
 * account as it is now: compare its id. When done, the caller clears the cookie with
 * `codeCookieGone`.
 */
export async function checkCode(
  request: HttpRequest,
  wanted: Pick<CodeRequest, 'purpose' | 'about'>,
  typed: string,
  now: Date,
): Promise<CodeResult> {
  const held = await openHeld(request, wanted, now);
  if (!held) return 'gone';
  const code = digitsIn(typed);
  if (code === null) return 'malformed';
  const { secret, purpose, to, brief } = held;
  const subject = await codeSubjectOf(held);
  const user = subject?.user ?? null;
  const isOwn = purpose === 'address' && user !== null && loginKey(user.email) === loginKey(to);
  const isNewAddress = purpose === 'address' && !isOwn;
  const sharedTries = sharedTriesOf(request, isOwn ? 'account' : purpose);
  const id = digest(`mail code ${secret}`);
  const taken = await takeCodeTry(id, sharedTries, now);
  if (typeof taken === 'object') return taken;
  if (taken > tries.ofCode) return 'spent';
  const throttleKey = user ? await throttleKeyOf(request, user, now) : 'nobody';
  const ofPerson = isOwn ? ownAddressTriesKey(user.id) : codeTriesKey(throttleKey);
  const account = isNewAddress
    ? { key: addressTriesKey(loginKey(to)), limit: unlimited, userId: null }
    : { key: ofPerson, limit: unlimited, userId: user?.id ?? null };
  const ofAccount = await takeTry(account, now);
  const isLockedForCodes =
    user !== null && 'total' in ofAccount && ofAccount.total > tries.mostWrong;
  if (!isCode(code, secret, subject?.basis ?? null) || isLockedForCodes) {
    if (purpose === 'sign-in') await noteFailure(request, user, now);
    return { wrongLeft: tries.ofCode - taken };
  }
  if ((await spendOnce(id, new Date(now.getTime() + codeLife))) === 'spent-before') return 'spent';
  await giveBack(sharedTries);
  await clearThrottle(account.key);
  if (purpose !== 'address') await clearThrottle(codeMailsKey(throttleKey));
  return { user, to, brief };
}

/** How often the code was tried, this time included; or until when none may be. */
async function takeCodeTry(
  id: string,
  sharedTries: readonly Counted[],
  now: Date,
): Promise<number | { refusedUntil: Date }> {
  const mayTry = await takeTries(sharedTries, now);
  if ('refusedUntil' in mayTry) return mayTry;
  const taken = await takeTry({ key: `mail-code:tries:${id}`, limit: tries.ofCode }, now);
  const total = 'total' in taken ? taken.total : Number.POSITIVE_INFINITY;
  if (total > tries.ofCode) await giveBack(sharedTries);
  return total;
}

/**
 * Marks an account's address as verified, after a code mailed to it was right. Only if the mailbox
 * is the only way to sign in (`proveAddress`).
 */
export async function noteAddressProved(
  request: HttpRequest,
  user: User,
  now: Date,
): Promise<void> {
  const detail = { emailVerified: [false, true] };
  const event = eventBy(actorAt(request, user.id), 'user.updated', { userId: user.id, detail });
  await proveAddress(user, event, now);
}

export const codeCookieGone = () => clearCookie('mail_code');

function digitsIn(typed: string): string | null {
  const digits = typedCode(typed);
  return /^[0-9]{6}$/.test(digits) ? digits : null;
}

function sharedTriesOf(request: HttpRequest, purpose: CodeClaim['purpose']): Counted[] {
  const networks = byNetwork(request, 'mail-code:tries:address', tries.ofNetwork);
  if (purpose === 'registration')
    return [{ key: 'mail-code:tries:registration', limit: tries.ofRegistrations }, ...networks];
  if (purpose === 'address')
    return [{ key: 'mail-code:tries:new-address', limit: tries.ofAddressChanges }, ...networks];
  return networks;
}

async function giveBack(counted: readonly Counted[]): Promise<void> {
  for (const { key } of counted) await giveBackTry(key);
}

/** More tries than anyone makes: what matters is the total since the last success. */
const unlimited = 1_000_000_000;

async function noteFailure(request: HttpRequest, user: User | null, now: Date): Promise<void> {
  count('sign-in-failed', null, now);
  const detail = { reason: user ? 'code' : 'unknown', ...deviceDetail(request) };
  const about = { userId: user?.id ?? null, detail };
  await audit(eventBy(actorAt(request, null), 'sign-in.failure', about), now);
}
