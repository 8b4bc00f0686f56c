import { sentence } from '../../messages/sentence.ts';
import { digest, newId, newSecret } from '../../oauth/secrets.ts';
import { readDuration } from '../../settings/duration.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import * as store from '../../store/registration-tokens.ts';
import { type Faults, faultsIn, refuseAdmin, refuseFaults } from '../refusal.ts';
import { secretLifeFault, secretNameFault } from '../secret-terms.ts';

export type RegistrationToken = store.RegistrationToken;

/** What the admin receives for a new token, which is shown only this once. */
type NewRegistrationToken = RegistrationToken & { token: string };

/** How long a token works if nothing else is chosen. */
export const usualTokenDays = 7;
export const usualTokenLife = `${usualTokenDays} days`;

/**
 * Creates a token with which apps can register themselves.
 * @param life how long it works, in words: "7 days"
 * @throws AdminRefusal
 */
export async function createRegistrationToken(
  { name, life }: { name: string; life: string },
  actor: Actor,
  now: Date,
): Promise<NewRegistrationToken> {
  const named = name.trim();
  const lasts = readDuration(life);
  refuseFaults(faultsOf(named, lasts));
  const seconds = 'seconds' in lasts ? lasts.seconds : 0;
  const made = {
    id: newId(now),
    name: named,
    createdAt: now,
    expiresAt: new Date(now.getTime() + seconds * 1000),
    lastUsedAt: null,
  };
  const token = newSecret('registrationToken');
  const { id, expiresAt } = made;
  const detail = { id, name: named, expiresAt };
  const event = eventBy(actor, 'registration-token.created', { detail });
  if ((await store.storeRegistrationToken(made, digest(token), event, now)) === 'full')
    refuseAdmin(
      null,
      sentence('refused.token.full', { most: String(store.mostRegistrationTokens) }),
      'full',
    );
  return { ...made, token };
}

const faultsOf = (name: string, life: ReturnType<typeof readDuration>): Faults =>
  faultsIn({
    name: secretNameFault(name),
    life: secretLifeFault(life, 'refused.token.lifeRange'),
  });

/** All tokens without their secrets, newest first. Expired ones are listed for 30 more days. */
export function listRegistrationTokens(): Promise<RegistrationToken[]> {
  return store.listRegistrationTokens();
}

/** Removes a token. Apps that registered with it stay. @throws AdminRefusal */
export async function removeRegistrationToken(
  id: string,
  actor: Actor,
  now: Date,
): Promise<RegistrationToken> {
  const gone = () =>
    refuseAdmin(
      'registration-token',
      sentence('refused.token.missing', { id: id.slice(0, 80) }),
      'missing',
    );
  const token = (await store.findRegistrationToken(id)) ?? gone();
  const event = eventBy(actor, 'registration-token.removed', { detail: { id, name: token.name } });
  return (await store.removeRegistrationToken(id, event, now)) ? token : gone();
}
