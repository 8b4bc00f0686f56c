import { z } from 'zod';
import type { HttpRequest, PageRequest } from '../http/message.ts';
import { clearCookie, cookieOf, setCookie } from '../sealed/cookies.ts';
import { sealed } from '../sealed/sealed.ts';

/** Seconds during which a new app password can be viewed. Only this cookie holds it. */
const life = 15 * 60;

export const sealedPassword = sealed(
  'app-password',
  z.object({ u: z.string(), p: z.string(), n: z.string(), a: z.string() }),
  { max: 3000, bound: 'browser', life, clock: 'e' },
);

/** A new app password, with its name and that of its app. */
type Shown = { userId: string; password: string; name: string; app: string };

/** The cookie from which the page of its user shows a new app password. */
export async function showOnce(
  { userId, password, name, app }: Shown,
  request: HttpRequest,
  now: Date,
): Promise<string> {
  const value = { u: userId, p: password, n: name, a: app };
  return setCookie('app-password', await sealedPassword.seal(value, request, now), life);
}

export async function readShownPassword(
  userId: string,
  request: PageRequest,
  now: Date,
): Promise<Omit<Shown, 'userId'> | null> {
  const value = await sealedPassword.open(cookieOf(request, 'app-password'), request, now);
  return value?.u === userId ? { password: value.p, name: value.n, app: value.a } : null;
}

export const forgetShownPassword = (): string => clearCookie('app-password');
