import type { Client } from '../oauth/client.ts';
import { inForce, type TermsDue, termsDue } from '../people/terms.ts';
import { answersOf, readTerms } from '../store/terms.ts';

/**
 * What a person has still to agree to: first the terms of this server, then those of the app. Runs
 * no statement about the person where nothing is in force.
 * @param clientId null: they are on their way to no app
 */
export async function termsDueFrom(
  userId: string,
  clientId: string | null,
  now: Date,
): Promise<TermsDue | null> {
  const all = await readTerms();
  const scopes = clientId === null ? [null] : [null, clientId];
  const lists = scopes.map((scope) => inForce(all, scope, now)).filter(({ length }) => length > 0);
  if (lists.length === 0) return null;
  const answers = await answersOf(userId);
  const due = lists.flatMap((versions) => termsDue(versions, answers, now) ?? []);
  return due.find(({ must }) => must) ?? due[0] ?? null;
}

/** The same where no page can ask: only what has to be agreed to by now. */
export async function termsRequiredOf(
  userId: string,
  { id }: Pick<Client, 'id'>,
  now: Date,
): Promise<TermsDue | null> {
  const due = await termsDueFrom(userId, id, now);
  return due?.must ? due : null;
}

/** Whether terms are required for an app by now, of whomever: then each of its users is judged. */
export async function areTermsRequired({ id }: Pick<Client, 'id'>, now: Date): Promise<boolean> {
  const all = await readTerms();
  return [null, id].some((scope) =>
    inForce(all, scope, now).some(({ requiredFrom }) => requiredFrom <= now),
  );
}
