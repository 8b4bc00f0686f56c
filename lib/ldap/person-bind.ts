import { proveAppPassword, refusalNow, takesAppPasswords } from '../access/app-password.ts';
import { barredFrom } from '../access/held.ts';
import { passageOf } from '../access/visitor.ts';
import { actorAt } from '../http/actor.ts';
import type { HttpRequest } from '../http/message.ts';
import { ownAddress } from '../http/network.ts';
import { appPasswordHash, looksLikeAppPassword } from '../identity/app-passwords.ts';
import { signIn } from '../identity/sign-in.ts';
import { amrBy } from '../identity/ways.ts';
import type { Client } from '../oauth/client.ts';
import { OAuthRefusal } from '../oauth/errors.ts';
import { type Facts, masked } from '../oauth/facts.ts';
import { digest } from '../oauth/secrets.ts';
import { tooMany } from '../oauth/too-many.ts';
import { eventBy } from '../store/actor.ts';
import { findAppPassword } from '../store/app-passwords.ts';
import { auditOnce } from '../store/audit.ts';
import { hasFactor, readFactors } from '../store/factors.ts';
import { readSettings } from '../store/settings.ts';
import { touchLastUse } from '../store/usage.ts';
import { findUser, type User } from '../store/users.ts';
import { idsOfUuid, type Place } from './names.ts';

/** A person for whom a connection speaks, and what proved it. */
export type BoundPerson = {
  is: 'person';
  clientId: string;
  userId: string;
  epoch: number;
  /** The digest of an app password; null: their own password. */
  appPassword: string | null;
  /** Digest of the stored hash of their own password. */
  stored: string;
};

type Named = Extract<Place, { at: 'person' }>;
type Bidding = { client: Client; named: Named; password: string; request: HttpRequest };

/**
 * Proves a person by an app password or, where the app allows it and they need no second step, by
 * their own. @throws OAuthRefusal, PasswordsBusy
 */
export async function provePerson(bidding: Bidding, now: Date): Promise<BoundPerson> {
  const { client, password, request } = bidding;
  const login = await loginIn(bidding.named);
  const isOwn = client.ldapPasswords && !looksLikeAppPassword(password);
  const user = isOwn
    ? await proveOwn(bidding, login, now)
    : await proveByAppPassword(bidding, login, now);
  request.about.userId = user.id;
  request.about.behind = 'person';
  const event = eventBy(actorAt(request, user.id), 'sign-in.success', {
    userId: user.id,
    clientId: client.id,
    detail: { way: 'ldap' },
  });
  if (isOwn) await auditOnce(`ldap ${user.id} ${client.id}`, event, now);
  return {
    is: 'person',
    clientId: client.id,
    userId: user.id,
    epoch: user.epoch,
    appPassword: isOwn ? null : appPasswordHash(password),
    stored: digest(user.passwordHash ?? ''),
  };
}

/** The username or address of a name. */
async function loginIn({ by, value }: Named): Promise<string> {
  if (by !== 'entryuuid') return value;
  for (const id of idsOfUuid(value) ?? []) {
    const user = await findUser(id);
    if (user) return user.username;
  }
  return value;
}

async function proveByAppPassword(
  { client, password, request }: Bidding,
  login: string,
  now: Date,
): Promise<User> {
  const proof = await proveAppPassword(client, password, {
    login,
    address: ownAddress(request),
    now,
  });
  if (proof.fate === 'bad') throw proof.refusal;
  return proof.user;
}

/** By the same lanes and limits as the sign-in page. The program speaks for many people. */
async function proveOwn(
  { client, password, request }: Bidding,
  login: string,
  now: Date,
): Promise<User> {
  const result = await signIn({ ...request, isShared: true }, { login, password }, now);
  if (result === 'wrong' || result === 'away')
    throw refused('ldap.password', 'The password is wrong.', {
      received: `${masked('a password', password)} of ${login}`,
      expected: ['an app password for this app', 'the password of this person'],
    });
  if ('refusedUntil' in result)
    throw tooMany('Too many wrong passwords.', result.refusedUntil.getTime() - now.getTime());
  const { user } = result;
  request.about.userId = user.id;
  await checkAlone(user, client, request, now);
  touchLastUse('accounts', user.id, now);
  return user;
}

/** Whether their own password is enough for this person and app. @throws OAuthRefusal */
async function checkAlone(
  user: User,
  client: Client,
  request: HttpRequest,
  now: Date,
): Promise<void> {
  if (user.mustChangePassword)
    throw refused('ldap.password', 'The password has to be changed first.', {
      received: 'a password that an admin has set',
      expected: ['one that its owner has chosen, on the sign-in page'],
    });
  const amr = amrBy('password');
  const factors = hasFactor(await readFactors(user.id));
  if (factors)
    throw refused('second-factor-required', 'The person has a second step.', {
      received: amr,
      expected: ['an app password for this app'],
    });
  const session = {
    amr,
    authTime: now,
    signedInAt: now,
    user: { id: user.id, hasFactor: factors },
  };
  const settings = await readSettings();
  const verdict = await passageOf(client, { ...request, session, settings }, () => 'good');
  if ('refusal' in verdict) throw verdict.refusal;
  const barred = await barredFrom(client, { userId: user.id, authTime: now, amr }, 'anew', now);
  if (barred) throw barred.refusal;
}

const refused = (rule: Facts['rule'], reason: string, facts: Omit<Facts, 'rule'>) =>
  new OAuthRefusal('access_denied', reason, {}, { rule, ...facts });

/**
 * The person, if what proved them still holds as things are now, and they may still use the app from
 * there: a bind would succeed again.
 */
export async function stillPerson(
  bound: BoundPerson,
  client: Client,
  request: HttpRequest,
  now: Date,
): Promise<{ id: string; username: string } | null> {
  const user = await findUser(bound.userId);
  if (!user || user.disabled || user.epoch !== bound.epoch) return null;
  const isGood =
    bound.appPassword === null
      ? await isStillAlone(bound, user, { client, request, now })
      : await isStillThere(bound.appPassword, client, { address: ownAddress(request), now });
  return isGood ? { id: user.id, username: user.username } : null;
}

type Standing = { client: Client; request: HttpRequest; now: Date };

async function isStillAlone(
  { stored }: BoundPerson,
  user: User,
  { client, request, now }: Standing,
): Promise<boolean> {
  if (!client.ldapPasswords || digest(user.passwordHash ?? '') !== stored) return false;
  try {
    await checkAlone(user, client, request, now);
    return true;
  } catch (error) {
    if (error instanceof OAuthRefusal) return false;
    throw error;
  }
}

async function isStillThere(
  hash: string,
  client: Client,
  at: Parameters<typeof refusalNow>[2],
): Promise<boolean> {
  const found = await findAppPassword(hash);
  const settings = await readSettings();
  if (!found || found.clientId !== client.id || !takesAppPasswords(client, settings)) return false;
  return (await refusalNow(client, found, { ...at, settings })) === null;
}
