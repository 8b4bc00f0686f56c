import { config } from '../config.ts';
import { placeIn } from '../http/cidr.ts';
import { pauseAfter } from '../http/request-limits.ts';
import { appPasswordHash, appPasswordMark } from '../identity/app-passwords.ts';
import type { Client } from '../oauth/client.ts';
import { OAuthRefusal } from '../oauth/errors.ts';
import { type Facts, masked } from '../oauth/facts.ts';
import { tooMany } from '../oauth/too-many.ts';
import { isFactorDemanded } from '../people/second-factor.ts';
import type { Settings } from '../settings/table.ts';
import { mayUse } from '../store/access.ts';
import { findAppPassword, type SentAppPassword } from '../store/app-passwords.ts';
import { endDue } from '../store/ends.ts';
import { readSettings } from '../store/settings.ts';
import { touchLastUse } from '../store/usage.ts';
import { loginKey, normalKey, type User } from '../store/users.ts';
import { approvalOf } from './approval.ts';
import { judgePassage } from './passage.ts';
import { termsRequiredOf } from './terms.ts';

/** What came along with an app password. */
type Sent = {
  /** The username or email address; null: there is none, as with Bearer. */
  login: string | null;
  /** The sender's, as `senderOf` returns it; null: unknown, or shared by several. */
  address: string | null;
  now: Date;
  /** As they are now; by default they are read. */
  settings?: Settings;
};

type AppPasswordProof =
  | {
      fate: 'good';
      password: Pick<SentAppPassword, 'id' | 'userId' | 'name' | 'expiresAt'>;
      user: User;
    }
  | { fate: 'bad'; refusal: OAuthRefusal };

/** Whether people can make app passwords for an app, and use them. */
export const takesAppPasswords = (
  client: Pick<Client, 'appPasswords'>,
  settings: Pick<Settings, 'appPasswords'>,
): boolean => client.appPasswords && settings.appPasswords === 'on';

/**
 * Judges an app password that was sent for an app: whose it is, and whether that person may use the
 * app with it from there, now. Only wrong ones are counted, by their address, and a good one is
 * never refused for others: nobody can lock a person or an app out.
 */
export async function proveAppPassword(
  client: Client,
  text: string,
  sent: Sent,
): Promise<AppPasswordProof> {
  await endDue(sent.now);
  const settings = sent.settings ?? (await readSettings());
  if (client.disabled) return bad(refused('client.disabled', 'The app is disabled.'));
  if (!takesAppPasswords(client, settings))
    return bad(refused('app-password.off', 'The app takes no app passwords.'));
  const hash = appPasswordHash(text);
  const found = hash === null ? null : await findAppPassword(hash);
  if (!found) return bad(await counted(unknown(text), sent));
  const wrong = wrongFor(client, found, sent);
  if (wrong) return bad(await counted(wrong, sent));
  const refusal = await refusalNow(client, found, { ...sent, settings });
  if (refusal) return bad(refusal);
  const { id, userId, name, expiresAt, user } = found;
  touchLastUse('app_passwords', id, sent.now);
  touchLastUse('clients', client.id, sent.now);
  return { fate: 'good', password: { id, userId, name, expiresAt }, user };
}

const bad = (refusal: OAuthRefusal) => ({ fate: 'bad', refusal }) as const;

/** RFC 6749 section 5.2 has one code for whatever does not prove who someone is. */
const refused = (rule: Facts['rule'], reason: string, facts: Omit<Facts, 'rule'> = {}) =>
  new OAuthRefusal('invalid_grant', reason, {}, { rule, ...facts });

const unknown = (text: string) =>
  refused('app-password.unknown', 'No app password is like this one: mistyped, or ended.', {
    received: masked('a password', text),
    expected: [`an app password, which begins with ${appPasswordMark}-`],
  });

/** What shows that whoever sent a password does not know whose it is, or what for. */
function wrongFor(client: Client, found: SentAppPassword, { login }: Sent): OAuthRefusal | null {
  const { clientId, user } = found;
  if (clientId !== client.id)
    return refused('app-password.other-app', 'The app password is for another app.', {
      received: `an app password for ${clientId}`,
      expected: [`an app password for ${client.id}`],
    });
  const names = [user.username, user.email];
  if (login === null || names.some((name) => normalKey(name) === loginKey(login))) return null;
  return refused('app-password.other-login', 'The app password belongs to another user.', {
    received: login,
    expected: names,
  });
}

/** Counts a wrong password for its address, unless those are not counted (FAILED_REQUESTS_PER_ADDRESS). */
async function counted(refusal: OAuthRefusal, { address, now }: Sent): Promise<OAuthRefusal> {
  const { perAddress } = config().failedRequests;
  const sender = { address: address ?? 'unknown', isShared: address === null };
  const until = perAddress > 0 ? await pauseAfter('app-passwords', perAddress, sender, now) : null;
  if (until === null) return refusal;
  const limited = tooMany(
    `Too many wrong app passwords; the last one: ${refusal.reason}`,
    until - now.getTime(),
    refusal.facts,
  );
  limited.cause = refusal;
  return limited;
}

/** Why a password that was found is not good for this app, from there, now; null: it is. */
export async function refusalNow(
  client: Client,
  found: SentAppPassword,
  { address, now, settings }: Omit<Sent, 'login'>,
): Promise<OAuthRefusal | null> {
  const refusal = ended(found, now);
  const judged = { address, now, settings: settings ?? (await readSettings()) };
  return refusal ?? refusalOfUse(client, found, judged);
}

function ended({ expiresAt }: SentAppPassword, now: Date): OAuthRefusal | null {
  if (expiresAt === null || expiresAt > now) return null;
  const received = `an app password that ended at ${expiresAt.toISOString()}`;
  return refused('app-password.expired', 'The app password has ended.', { received });
}

type Judged = Pick<Sent, 'address' | 'now'> & { settings: Settings };

/** Why its owner may not use the app with a password, as things are now; null: they may. */
async function refusalOfUse(
  client: Client,
  { user, networks, secondFactor }: SentAppPassword,
  { address, now, settings }: Judged,
): Promise<OAuthRefusal | null> {
  if (placeIn(networks, address) !== 'inside')
    return refused('app-password.network', 'The app password does not work from there.', {
      received: address ?? 'no known address',
      expected: networks,
    });
  const verdict = judgePassage({
    client,
    place: placeIn(client.networks, address),
    address,
    person: {
      allowed: await mayUse(user.id, client),
      signIn: 'good',
      terms: await termsRequiredOf(user.id, client, now),
    },
    approval: await approvalOf(client, settings),
  });
  if ('refusal' in verdict) return verdict.refusal;
  return !secondFactor && demandsFactor(client, user, settings)
    ? refused('second-factor-required', 'The app password was made with one factor.', {
        received: 'an app password that was made after a sign-in with one factor',
        expected: ['one that was made after a sign-in with two'],
      })
    : null;
}

/** Whether an app password has to be made after a sign-in with two factors. */
export const demandsFactor = (
  client: Pick<Client, 'requireSecondFactor'>,
  user: Pick<User, 'role' | 'requireSecondFactor'>,
  settings: Pick<Settings, 'requireSecondFactor'>,
): boolean => client.requireSecondFactor || isFactorDemanded(settings.requireSecondFactor, user);
