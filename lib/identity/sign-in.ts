import { z } from 'zod';
import { actorAt } from '../http/actor.ts';
import type { HttpRequest, PageRequest } from '../http/message.ts';
import { neighbourhoodOf, networksOf, ownAddress, type Sender } from '../http/network.ts';
import { alertAdmins } from '../mail/alerts.ts';
import { notify } from '../mail/notify.ts';
import type { Params } from '../oauth/params.ts';
import { digest, newId } from '../oauth/secrets.ts';
import { cookieOf, setCookie } from '../sealed/cookies.ts';
import { sealed } from '../sealed/sealed.ts';
import { eventBy } from '../store/actor.ts';
import { audit, auditOnce } from '../store/audit.ts';
import { takeLease } from '../store/engine/leases.ts';
import { readNoticesOff } from '../store/notices.ts';
import { readSettings } from '../store/settings.ts';
import { type Counted, clearThrottle, giveBackTry, takeTries } from '../store/throttles.ts';
import { count } from '../store/usage.ts';
import { findUser, findUserByLogin, loginKey, replacePassword, type User } from '../store/users.ts';
import { deviceDetail, deviceTitle } from './device.ts';
import { provePassword } from './password-proof.ts';
import type { Source } from './password-queue.ts';
import { triesOfAccount } from './password-tries.ts';
import {
  hashPassword,
  needsRehash,
  PasswordsBusy,
  reservePasswordCheck,
  unknownAt,
} from './passwords.ts';
import { type DoneWork, isPasswordWorkDue, workBeforePassword } from './proof-of-work.ts';
import { waitForTurn } from './tries-at-once.ts';

const addressLimit = 30;

/**
 * A known browser and its users, each with the epoch of the account and the moment of the last
 * sign-in. Its attempts are counted separately, so guesses from elsewhere don't lock the owner out.
 * Earlier releases sealed ids alone.
 */
const knownUser = z.tuple([z.string(), z.int(), z.int()]);
const device = z.object({
  id: z.string(),
  users: z.array(z.union([knownUser, z.string().transform((id) => [id, 0, 0] as const)])),
});
type Device = z.infer<typeof device>;
/** Not bound: the cookie itself is what makes the browser known, for as long as `knows` says. */
export const sealedDevice = sealed('device', device, { max: 2000 });
const deviceLife = 365 * 24 * 3600;
/** Milliseconds. */
const day = 24 * 3600_000;
const maxUsersPerDevice = 10;

type Typed = { login: string; password: string; work?: DoneWork };

/** `away`: the directory that could check the password could not be reached. */
type SignInResult = { user: User } | 'wrong' | 'away' | { refusedUntil: Date };

/**
 * Verifies a username (or email address) and password; the account may require more. The queue
 * place is reserved first, and the attempt is counted before it is checked: per name typed, so
 * unknown names count like known ones, and per address. If many attempts are under way, a new one
 * waits. A browser that has signed in as this user before is counted separately, and only there, so
 * no one else can lock it out; it has ten tries.
 * @throws PasswordsBusy
 */
export async function signIn(
  request: HttpRequest,
  { login, password, work = 'none' }: Typed,
  now: Date,
): Promise<SignInResult> {
  const user = await findUserByLogin(login);
  const device = await readDevice(request);
  const known = user && device && knows(device, user, now) ? device : null;
  const place = reservePasswordCheck(sourceOf(request, known, work));
  const [actor, userId] = [actorAt(request, null), user?.id ?? null];
  const account = accountCounted(user, known, login);
  const addresses = known ? [] : addressesCounted(request);
  const counted = [...addresses, account];
  const done = await waitForTurn(counted);
  try {
    const taken = await takeTries(counted, now);
    if ('refusedUntil' in taken) {
      const about = { userId, detail: deviceDetail(request) };
      await auditOnce(account.key, eventBy(actor, 'sign-in.throttled', about), now);
      return taken;
    }
    const keys = counted.map(({ key }) => key);
    const typed = { login, password, user };
    const proof = await provePassword(typed, { keys, place }, { ...actor, id: 'system' }, now);
    if ('reason' in proof) {
      place.noteFailure();
      count('sign-in-failed', null, now);
      const detail = { reason: proof.reason, ...proof.detail, ...deviceDetail(request) };
      await audit(eventBy(actor, 'sign-in.failure', { userId, detail }), now);
      const unasked = ['directory-away', 'directory-refused'].includes(proof.reason);
      return unasked ? 'away' : 'wrong';
    }
    await clearThrottle(account.key);
    for (const { key } of addresses) await giveBackTry(key);
    return { user: await rehashed(proof.user, password, now) };
  } finally {
    done();
    place.leave();
  }
}

/**
 * Like `signIn`, for callers that can tell the user that too many people are signing in at once.
 */
export async function signInUnlessBusy(
  request: HttpRequest,
  typed: Typed,
  now: Date,
): Promise<SignInResult | 'busy'> {
  try {
    return await signIn(request, typed, now);
  } catch (error) {
    if ((error as Error).name !== PasswordsBusy.name) throw error;
    return 'busy';
  }
}

/**
 * The work that the browser has done before this password is checked. While many wait, one in which
 * this user has not signed in has to do it; without it, it is asked with the challenge of this text.
 */
export async function workBefore(
  fields: Params,
  login: string,
  request: HttpRequest,
  now: Date,
): Promise<DoneWork | { text: string }> {
  if (!(await isPasswordWorkDue(request, now))) return 'none';
  const device = await readDevice(request);
  const user = device && (await findUserByLogin(login));
  if (user && knows(device, user, now)) return 'none';
  return workBeforePassword(fields, request, now);
}

/** Counted separately: a shared count would reveal that name and address belong together. */
function accountCounted(user: User | null, known: Device | null, login: string): Counted {
  return {
    key: known && user ? `device:${known.id}:${user.id}` : `login:${digest(loginKey(login))}`,
    limit: triesOfAccount,
    userId: user?.id ?? null,
  };
}

function addressesCounted(sender: Sender): Counted[] {
  return networksOf(sender).map(({ network, share }) => ({
    key: `address:${network}`,
    limit: addressLimit * share,
  }));
}

/** The source of a password check: the queue shares its time among sources. */
function sourceOf(sender: Sender, known: Device | null, work: DoneWork): Source {
  if (known) return { lane: 'known', counted: [{ key: `device:${known.id}`, share: 1 }] };
  const unknown = unknownAt(sender);
  return work === 'done' ? { ...unknown, lane: 'worked' } : unknown;
}

/** The throttle key for attempts on an account: one per known browser, one for all others. */
export async function throttleKeyOf(request: HttpRequest, user: User, now: Date): Promise<string> {
  const device = await readDevice(request);
  return device && knows(device, user, now) ? `device:${device.id}:${user.id}` : `user:${user.id}`;
}

/** Rehashes a password whose scheme or cost is out of date, while the plaintext is at hand. */
async function rehashed(user: User, password: string, now: Date): Promise<User> {
  if (!user.passwordHash || !needsRehash(user.passwordHash, password)) return user;
  const passwordHash = await hashPassword(password).catch((error: Error) => {
    // Rehashing can wait for the next sign-in.
    if (error.name === PasswordsBusy.name) return null;
    throw error;
  });
  if (passwordHash === null) return user;
  const replaced = await replacePassword(user.id, user.passwordHash, passwordHash, now);
  return replaced ? { ...user, passwordHash } : user;
}

/**
 * Whether a user signed in in this browser within a year, and neither a reset of their account nor
 * signing out everywhere has made their browsers unknown since.
 */
function knows({ users }: Device, { id, epoch, knownFrom }: User, now: Date): boolean {
  const [, inEpoch, at = 0] = users.find(([each]) => each === id) ?? [];
  // The time of a cookie of an earlier release is unknown, but browsers have limited its life.
  return inEpoch === epoch && isRecent(at, now) && at >= (knownFrom?.getTime() ?? 0);
}

const isRecent = (at: number, now: Date) => at === 0 || now.getTime() < at + deviceLife * 1000;

/** Whether someone has signed in in this browser within a year, as far as its cookie says. */
export async function isKnownBrowser(request: PageRequest, now: Date): Promise<boolean> {
  return (await readDevice(request))?.users.some(([, , at]) => isRecent(at, now)) ?? false;
}

function readDevice(request: PageRequest): Promise<Device | null> {
  return sealedDevice.open(cookieOf(request, 'device'));
}

/** Makes this a known browser. A new one triggers a mail, unless it is `expected`. */
export async function deviceCookie(
  request: HttpRequest,
  user: User,
  now: Date,
  expected?: 'expected' | undefined,
): Promise<string> {
  const device = (await readDevice(request)) ?? { id: newId(now), users: [] };
  if (!expected && !knows(device, user, now)) await tellOfNewDevice(request, user, now);
  const here: Device['users'] = [[user.id, user.epoch, now.getTime()]];
  const users = [...here, ...device.users.filter(([id]) => id !== user.id)].slice(
    0,
    maxUsersPerDevice,
  );
  return setCookie('device', await sealedDevice.seal({ id: device.id, users }), deviceLife);
}

/** Keeps this browser known to a user who has just signed out everywhere else. */
export async function renewedDevice(
  request: HttpRequest,
  userId: string,
  now: Date,
): Promise<string[]> {
  const device = await readDevice(request);
  const user = await findUser(userId);
  const isHere = user && device?.users.some(([id]) => id === userId);
  return isHere ? [await deviceCookie(request, user, now, 'expected')] : [];
}

/** They want such mails, and got none in the past day for this browser and network. */
async function isToBeTold(
  { id }: User,
  { device, address }: { device: string; address: string },
  now: Date,
): Promise<boolean> {
  if ((await readSettings()).newDeviceMail === 'off') return false;
  if ((await readNoticesOff(id)).includes('new-device')) return false;
  const name = `new-device:${digest(`${id} ${device} ${neighbourhoodOf(address)}`)}`;
  return takeLease(name, newId(now), day, now);
}

async function tellOfNewDevice(request: HttpRequest, user: User, now: Date): Promise<void> {
  const device = deviceTitle(request.header('user-agent'));
  const values = { device, address: ownAddress(request) ?? '' };
  if (await isToBeTold(user, values, now)) await notify(user.id, 'new-device', values, now);
  if (!user.isAdmin) return;
  const about = `${user.id} ${values.device} ${values.address}`;
  await alertAdmins(
    {
      kind: 'admin-new-device',
      about: [about],
      values: { ...values, admin: user.username },
      but: user.id,
    },
    now,
  );
}
