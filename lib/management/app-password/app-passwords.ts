import { demandsFactor, takesAppPasswords } from '../../access/app-password.ts';
import { appPasswordHash, newAppPassword } from '../../identity/app-passwords.ts';
import { notify, postingNotice } from '../../mail/notify.ts';
import { sentence } from '../../messages/sentence.ts';
import { newId } from '../../oauth/secrets.ts';
import { readDuration } from '../../settings/duration.ts';
import { mayUse } from '../../store/access.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import * as store from '../../store/app-passwords.ts';
import { findClient } from '../../store/clients.ts';
import type { Page } from '../../store/engine/page.ts';
import { readSettings } from '../../store/settings.ts';
import { findUser } from '../../store/users.ts';
import { networksFault } from '../client/client-rules.ts';
import { showClient } from '../client/clients.ts';
import { pageOf } from '../page.ts';
import { faultsIn, refuseAdmin, refuseFaults } from '../refusal.ts';
import { secretLifeFault, secretNameFault } from '../secret-terms.ts';
import { userInReach } from '../user/users.ts';

export type AppPassword = store.ListedAppPassword;

type NewAppPassword = {
  user: string;
  client: string;
  name: string;
  /** How long it works, in words: "90 days". Left out: until someone ends it. */
  for?: string;
  networks?: readonly string[];
  /** Whoever makes it has signed in with two factors, or is an admin. */
  secondFactor: boolean;
};

/**
 * Makes an app password of a user, who is told by mail. Its text is returned only this once.
 * @throws AdminRefusal
 */
export async function makeAppPassword(
  { user: userId, client: clientId, name, for: life, networks = [], ...more }: NewAppPassword,
  actor: Actor,
  now: Date,
): Promise<AppPassword & { secret: string }> {
  const lasts = life === undefined ? null : readDuration(life);
  const named = name.trim();
  refuseFaults(
    faultsIn({
      name: secretNameFault(named),
      for: lasts && secretLifeFault(lasts, 'refused.appPassword.lifeRange'),
      networks: networksFault(networks) ?? null,
    }),
  );
  const { epoch, app } = await checkOwner({ userId, clientId, ...more }, actor);
  const secret = newAppPassword();
  const expiresAt = lasts && 'seconds' in lasts ? new Date(+now + lasts.seconds * 1000) : null;
  const terms = { ...more, name: named, networks, expiresAt };
  const made = { ...terms, userId, clientId, id: newId(now), createdAt: now };
  const detail = { id: made.id, name: named, networks, expiresAt };
  const event = eventBy(actor, 'app-password.made', { userId, clientId, detail });
  const hash = appPasswordHash(secret) ?? '';
  const letter = await postingNotice(userId, 'app-password-made', { app, name: named }, now);
  const outcome = await store.storeAppPassword({ ...made, hash, userEpoch: epoch }, event, letter);
  if (outcome === 'full')
    refuseAdmin(
      null,
      sentence('refused.appPassword.full', { most: String(store.mostAppPasswords) }),
      'full',
    );
  if (outcome === 'refused') refuseAdmin(null, sentence('refused.appPassword.changed'), 'conflict');
  return { ...(await findAppPassword({ id: made.id })), secret };
}

/** Checks that a user can have app passwords for an app. @throws AdminRefusal */
async function checkOwner(
  {
    userId,
    clientId,
    secondFactor,
  }: Pick<store.AppPassword, 'userId' | 'clientId' | 'secondFactor'>,
  actor: Actor,
) {
  const { id, username } = await userInReach(userId, actor);
  const { shownName: name } = await showClient(clientId);
  const [user, client, settings] = await Promise.all([
    findUser(id),
    findClient(clientId),
    readSettings(),
  ]);
  if (!user || user.disabled)
    return refuseAdmin('user', sentence('refused.appPassword.person', { username }));
  if (!client || !takesAppPasswords(client, settings))
    return refuseAdmin('client', sentence('refused.appPassword.app', { name }));
  if (!(await mayUse(id, client)))
    return refuseAdmin('client', sentence('refused.appPassword.notTheirs', { username, name }));
  if (!secondFactor && demandsFactor(client, user, settings))
    return refuseAdmin(null, sentence('refused.appPassword.twoSteps', { name }));
  return { epoch: user.epoch, app: name };
}

/** App passwords, newest first; expired ones for another 30 days. @throws AdminRefusal */
export function listAppPasswords(filter: store.AppPasswordFilter): Promise<Page<AppPassword>> {
  return pageOf(store.appPasswordList, filter);
}

/** The app password with this id, if it is this user's. @throws AdminRefusal */
async function findAppPassword(of: { id: string; userId?: string }): Promise<AppPassword> {
  const { rows } = await store.appPasswordList.page({ ...of, limit: 1 });
  return rows[0] ?? refuseAdmin('id', sentence('refused.appPassword.gone'), 'missing');
}

/**
 * Ends an app password immediately. Unless they did it themselves, its user is told by mail.
 * @throws AdminRefusal
 */
export async function endAppPassword(
  of: { id: string; userId?: string },
  actor: Actor,
  now: Date,
): Promise<AppPassword> {
  const password = await findAppPassword(of);
  const { id } = password;
  const { userId, clientId, clientName: app, name } = password;
  await userInReach(userId, actor);
  const event = eventBy(actor, 'app-password.ended', { userId, clientId, detail: { id, name } });
  const letter =
    actor.id === userId
      ? []
      : await postingNotice(userId, 'app-password-ended', { app, name }, now);
  if (!(await store.endAppPassword(password, event, letter, { reach: actor.reach, now })))
    return refuseAdmin('id', sentence('refused.appPassword.gone'), 'missing');
  return password;
}

/** How long before its end the user of an app password is told, in milliseconds. */
const noticeBefore = 7 * 24 * 3600_000;

/** Tells users whose app passwords end within a week, once. One made for less is not told of. */
export async function tellOfEndingAppPasswords(now: Date): Promise<void> {
  for (const ending of await store.takeEnding(new Date(+now + noticeBefore), now)) {
    const { userId, clientName: app, name, expiresAt } = ending;
    await notify(userId, 'app-password-ending', { app, name, due: expiresAt.toISOString() }, now);
  }
}
