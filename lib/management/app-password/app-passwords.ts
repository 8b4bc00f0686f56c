import { takesAppPasswords } from '../../access/app-password.ts';
import { appPasswordHash, newAppPassword } from '../../identity/app-passwords.ts';
import { sentence } from '../../messages/sentence.ts';
import { newId } from '../../oauth/secrets.ts';
import { readDuration } from '../../settings/duration.ts';
import { mayUse } from '../../store/access.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import * as store from '../../store/app-passwords.ts';
import { findClient } from '../../store/clients.ts';
import type { Page } from '../../store/engine/page.ts';
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
 * Makes an app password of a user. Its text is returned only this once.
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
  const { epoch } = await checkOwner(userId, clientId, actor);
  const secret = newAppPassword();
  const expiresAt = lasts && 'seconds' in lasts ? new Date(+now + lasts.seconds * 1000) : null;
  const terms = { ...more, name: named, networks, expiresAt };
  const made = { ...terms, userId, clientId, id: newId(now), createdAt: now };
  const detail = { id: made.id, name: named, networks, expiresAt };
  const event = eventBy(actor, 'app-password.made', { userId, clientId, detail });
  const hash = appPasswordHash(secret) ?? '';
  const outcome = await store.storeAppPassword({ ...made, hash, userEpoch: epoch }, event, []);
  if (outcome === 'full')
    refuseAdmin(
      null,
      sentence('refused.appPassword.full', { most: String(store.mostAppPasswords) }),
      'full',
    );
  if (outcome === 'refused') refuseAdmin(null, sentence('refused.appPassword.changed'), 'conflict');
  return { ...(await showAppPassword(made.id)), secret };
}

/** Checks that a user can have app passwords for an app. @throws AdminRefusal */
async function checkOwner(userId: string, clientId: string, actor: Actor) {
  const { id, username } = await userInReach(userId, actor);
  const { shownName: name } = await showClient(clientId);
  const [user, client] = await Promise.all([findUser(id), findClient(clientId)]);
  if (!user || user.disabled)
    return refuseAdmin('user', sentence('refused.appPassword.person', { username }));
  if (!client || !(await takesAppPasswords(client)))
    return refuseAdmin('client', sentence('refused.appPassword.app', { name }));
  if (!(await mayUse(id, client)))
    return refuseAdmin('client', sentence('refused.appPassword.notTheirs', { username, name }));
  return user;
}

/** App passwords, newest first; expired ones for another 30 days. @throws AdminRefusal */
export function listAppPasswords(filter: store.AppPasswordFilter): Promise<Page<AppPassword>> {
  return pageOf(store.appPasswordList, filter);
}

/** The app password with this id. @throws AdminRefusal */
async function showAppPassword(id: string): Promise<AppPassword> {
  const { rows } = await store.appPasswordList.page({ id, limit: 1 });
  return rows[0] ?? refuseAdmin('id', sentence('refused.appPassword.gone'), 'missing');
}

/**
 * Ends an app password immediately.
 * @throws AdminRefusal
 */
export async function endAppPassword(id: string, actor: Actor, now: Date): Promise<AppPassword> {
  const password = await showAppPassword(id);
  const { userId, clientId, name } = password;
  await userInReach(userId, actor);
  const event = eventBy(actor, 'app-password.ended', { userId, clientId, detail: { id, name } });
  if (!(await store.endAppPassword(password, event, [], { reach: actor.reach, now })))
    return refuseAdmin('id', sentence('refused.appPassword.gone'), 'missing');
  return password;
}
