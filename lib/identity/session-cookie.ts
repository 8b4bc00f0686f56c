import { randomBytes } from 'node:crypto';
import { sealData, unsealData } from 'iron-session';
import { config } from '../config.ts';
import type { PageRequest } from '../http/message.ts';
import { digest } from '../oauth/secrets.ts';
import { once } from '../once.ts';
import { turnCookie } from '../sealed/browser.ts';
import { clearCookie, cookieOf, setCookie } from '../sealed/cookies.ts';
import { deriveKey } from '../sealed/seal.ts';

/** iron-session numbers its passwords; the highest number is the newest. */
function passwords(): Record<string, string> {
  return once('session-passwords', () => {
    const secrets = config().serverSecrets;
    return Object.fromEntries(
      secrets.map((secret, index) => [
        secrets.length - index,
        Buffer.from(deriveKey(secret, 'session')).toString('hex'),
      ]),
    );
  });
}

/** Unsealing takes most of a millisecond, so results are cached by cookie. */
const unsealed = () => once('unsealed-sessions', () => new Map<string, string>());
const maxUnsealed = 10_000;
/** Seconds; browsers keep no cookie longer. */
export const cookieLife = 400 * 24 * 3600;

async function sessionHash(cookie: string): Promise<string | null> {
  const cache = unsealed();
  const held = cache.get(cookie);
  if (held) return held;
  // The database row decides how long a session lives, not the seal.
  const { id } = await unsealData<{ id?: string }>(cookie, { password: passwords(), ttl: 0 });
  if (typeof id !== 'string') return null;
  if (cache.size >= maxUnsealed) cache.clear();
  const hash = digest(id);
  cache.set(cookie, hash);
  return hash;
}

/** The digest of the session value the browser sent; null if it sent none of ours. */
export async function sentHash(request: PageRequest): Promise<string | null> {
  const cookie = cookieOf(request, 'session');
  return cookie && cookie.length < 1000 ? sessionHash(cookie) : null;
}

export function newValue(): { id: string; hash: string } {
  const id = randomBytes(32).toString('base64url');
  return { id, hash: digest(id) };
}

/** The cookie for the session with this value. A brief session's cookie ends with the browser. */
export async function sessionCookie(id: string, brief: boolean): Promise<string> {
  const sealed = await sealData({ id }, { password: passwords(), ttl: 0 });
  return setCookie('session', sealed, brief ? undefined : cookieLife);
}

/** Signs a browser out: its forms of this sign-in do nothing in the next. */
export function signedOutCookies(request: PageRequest): string[] {
  return [clearCookie('session'), turnCookie(request)];
}
