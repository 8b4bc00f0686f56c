import { actorAt } from '../http/actor.ts';
import type { HttpRequest, PageRequest } from '../http/message.ts';
import { ownAddress } from '../http/network.ts';
import { digest } from '../oauth/secrets.ts';
import { rememberedDays } from '../people/second-factor.ts';
import { cookieOf, setCookie } from '../sealed/cookies.ts';
import { eventBy } from '../store/actor.ts';
import {
  findRemembered,
  forgetRemembered,
  listRemembered,
  noteSession,
  type Remembered,
  storeRemembered,
  takeRemembered,
} from '../store/remembered-devices.ts';
import { readSettings } from '../store/settings.ts';
import type { User } from '../store/users.ts';
import { deviceDetail } from './device.ts';
import { mostKept } from './kept-accounts.ts';
import { cookieLife, newValue } from './session-cookie.ts';

/*
 * A remembered device stands in for a second factor that the user has chosen to have, once their
 * first factor was right. It is not a factor itself: the sign-in's `amr` lists only what was done
 * in it.
 */

type Person = Pick<User, 'id' | 'role' | 'requireSecondFactor'>;

/** For how many days this user may have a device remembered; 0: not at all. */
export async function daysToRemember(person: Person): Promise<number> {
  return rememberedDays(await readSettings(), person);
}

const day = 24 * 3600_000;
const sinceOf = (days: number, now: Date) => new Date(now.getTime() - days * day);

/** As many users as a browser can be signed in as. */
const mostHere = mostKept + 1;

/** The values this browser was given, each for one user. */
function valuesOf(request: PageRequest): string[] {
  const values = cookieOf(request, 'remembered')?.slice(0, 1000).split('.') ?? [];
  return values.filter((value) => /^[\w-]{43}$/.test(value)).slice(0, mostHere);
}

const rememberedCookie = (values: readonly string[]) =>
  setCookie('remembered', values.slice(0, mostHere).join('.'), cookieLife);

const seenAt = (request: HttpRequest) => ({
  userAgent: request.header('user-agent')?.slice(0, 400) ?? null,
  address: ownAddress(request),
});

/** Remembers this browser, if allowed. Its value is always new, never one the browser sent. */
export async function rememberDevice(
  request: HttpRequest,
  person: Person,
  sessionHash: string,
  now: Date,
): Promise<string[]> {
  const days = await daysToRemember(person);
  if (days === 0) return [];
  const { id: value, hash } = newValue();
  const expiresAt = new Date(now.getTime() + days * day);
  const device = { hash, userId: person.id, sessionHash, expiresAt, ...seenAt(request) };
  const about = { userId: person.id, detail: deviceDetail(request) };
  const event = eventBy(actorAt(request, person.id), 'factor.remembered', about);
  const stored = await storeRemembered(device, event, now);
  return stored === 'stored' ? [rememberedCookie([value, ...valuesOf(request)])] : [];
}

/**
 * If this browser is remembered for the user, they need no second step: returns the cookie with a
 * new value, or null. The old value becomes worthless, as does any copy of it.
 */
export async function recallDevice(
  request: HttpRequest,
  person: Person,
  now: Date,
): Promise<string | null> {
  const days = await daysToRemember(person);
  const values = days === 0 ? [] : valuesOf(request);
  const found = await findRemembered(person.id, values.map(digest), sinceOf(days, now));
  if (!found) return null;
  const { id: value, hash } = newValue();
  if ((await takeRemembered(found, hash, seenAt(request), now)) === 'gone') return null;
  return rememberedCookie([value, ...values.filter((each) => digest(each) !== found.hash)]);
}

/**
 * Notes the session begun in this browser, so that ending that session from elsewhere forgets the
 * browser.
 */
export async function noteSessionHere(
  request: PageRequest,
  userId: string,
  sessionHash: string,
): Promise<void> {
  const values = valuesOf(request);
  if (values.length > 0) await noteSession(userId, values.map(digest), sessionHash);
}

/** A user's remembered devices, with the one of this request marked. */
export async function listDevices(
  request: PageRequest,
  person: Person,
  now: Date,
): Promise<(Remembered & { current: boolean })[]> {
  const days = await daysToRemember(person);
  const here = valuesOf(request).map(digest);
  const found = await listRemembered(person.id, sinceOf(days, now));
  return found.map((each) => ({ ...each, current: here.includes(each.hash) }));
}

/** Forgets one device of a user, or all of them if `id` is null. */
export async function forgetDevice(
  request: HttpRequest,
  userId: string,
  id: string | null,
  now: Date,
): Promise<void> {
  const about = { userId, detail: id === null ? { all: true } : {} };
  await forgetRemembered(
    userId,
    id,
    eventBy(actorAt(request, userId), 'factor.forgotten', about),
    now,
  );
}
