import { type AccountErrors, takenError } from '../../identity/accounts.ts';
import { passwordLengths } from '../../identity/passwords.ts';
import { defaultLocale } from '../../messages/locales.ts';
import { type MessageKey, sayIn } from '../../messages/text.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import { findReservation, freeName } from '../../store/usernames.ts';
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
  return refuseAdmin(field, sentences(takenError(taken))[field] ?? '', 'conflict');
}

/** @throws AdminRefusal if someone else gave the name up recently */
async function refuseReserved(username: string, userId: string | null, now: Date): Promise<void> {
  const until = await findReservation(normalKey(username), userId, now);
  if (!until) return;
  const day = until.toISOString().slice(0, 10);
  refuseAdmin(
    'username',
    `The username "${username}" was given up recently. It stays reserved until ${day}, so that apps don’t mistake one person for another. To release it, use user free-name on the command line.`,
    'conflict',
  );
}

/** Releases a reserved username. @throws AdminRefusal if it is not reserved */
export async function freeUsername(name: string, actor: Actor, now: Date): Promise<void> {
  const event = eventBy(actor, 'user.name-freed', { detail: { username: name } });
  if (!(await freeName(normalKey(name), event, now)))
    refuseAdmin('username', `No username "${name.slice(0, 80)}" is reserved.`, 'missing');
}

/** What is wrong with an account, in sentences. */
export function sentences(errors: AccountErrors): Faults {
  return Object.fromEntries(Object.entries(errors).map(([field, key]) => [field, say(key)]));
}

function say(key: MessageKey): string {
  return sayIn(defaultLocale)(key, passwordLengths) ?? key;
}
