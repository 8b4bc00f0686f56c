import { type AccountErrors, takenError } from '../../identity/accounts.ts';
import { passwordLengths } from '../../identity/passwords.ts';
import type { MessageKey } from '../../messages/keys.ts';
import { type Sentence, sentence } from '../../messages/sentence.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import { endNameReservation, findReservation } from '../../store/usernames.ts';
import { normalKey, type Taken } from '../../store/users.ts';
import { type Faults, refuseAdmin } from '../refusal.ts';

/** @throws AdminRefusal that says which field is taken */
export async function refuseTaken(
  taken: Taken,
  username: string,
  userId: string | null,
  now: Date,
): Promise<never> {
  if (taken === 'former-username') await refuseReserved(username, userId, now);
  const field = taken === 'email' ? 'email' : 'username';
  const key = takenError(taken)[field] ?? 'setup.usernameTaken';
  return refuseAdmin(field, accountFault(key), 'conflict');
}

/** @throws AdminRefusal if someone else gave the name up recently */
async function refuseReserved(username: string, userId: string | null, now: Date): Promise<void> {
  const until = await findReservation(normalKey(username), userId, now);
  if (!until) return;
  const day = until.toISOString().slice(0, 10);
  refuseAdmin('username', sentence('refused.person.nameReserved', { username, day }), 'conflict');
}

/** Releases a reserved username. @throws AdminRefusal if it is not reserved */
export async function freeUsername(name: string, actor: Actor, now: Date): Promise<void> {
  const event = eventBy(actor, 'user.name-freed', { detail: { username: name } });
  if (!(await endNameReservation(normalKey(name), event, now)))
    refuseAdmin(
      'username',
      sentence('refused.person.nameNotReserved', { username: name.slice(0, 80) }),
      'missing',
    );
}

export function accountFaults(errors: AccountErrors): Faults {
  return Object.fromEntries(
    Object.entries(errors).map(([field, key]) => [field, accountFault(key)]),
  );
}

const accountFault = (key: MessageKey): Sentence => ({ key, values: passwordLengths });
