import { type Sentence, sentence } from '../../messages/sentence.ts';
import { digest, newId, newSecret } from '../../oauth/secrets.ts';
import { readDuration } from '../../settings/duration.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import * as store from '../../store/registration-tokens.ts';
import { type Faults, refuseAdmin, refuseFaults } from '../refusal.ts';
import { ofRule } from '../rule-fault.ts';

export type RegistrationToken = store.RegistrationToken;

/** What the admin receives for a new token: shown this once. */
type NewRegistrationToken = RegistrationToken & { token: string };

/** How long a token works when nobody says otherwise. */
export const usualTokenLife = '7 days';
const day = 86_400;
const mostDays = 365;

/**
 * Creates a token with which apps can register themselves.
 * @param life how long it works, as people write it: "7 days"
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

function faultsOf(name: string, life: ReturnType<typeof readDuration>): Faults {
  const faults: Faults = {};
  if (!/^[^\p{C}\p{Zl}\p{Zp}]{1,60}$/u.test(name)) faults.name = sentence('refused.token.name');
  const fault = 'fault' in life ? ofRule(life.fault) : lifeFault(life.seconds);
  if (fault) faults.life = sentence('refused.token.life', { fault, example: usualTokenLife });
  return faults;
}

function lifeFault(seconds: number): Sentence | null {
  const fits = seconds >= 60 && seconds <= mostDays * day;
  return fits ? null : sentence('refused.token.lifeRange', { days: mostDays });
}

/** All tokens without their secrets, newest first; expired ones for another 30 days. */
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
