import { personName, username } from '../../identity/accounts.ts';
import { type Sentence, sentence } from '../../messages/sentence.ts';
import { storedClaims } from '../../oauth/claims.ts';
import type { UserField } from '../../people/user-field.ts';
import type { Invitee } from '../../store/links.ts';
import type { Faults } from '../refusal.ts';
import { newFieldValues, type TypedFields } from '../user/field-values.ts';

export type InviteeSaid = {
  name?: string;
  username?: string;
  language?: string;
  fields?: TypedFields;
};

/** A name that a spreadsheet would take for a formula is none. */
const nameSaid = personName.refine((name) => !name.startsWith('='));

/** What is stored of it, and what is wrong with it, given the fields that exist here. */
export function readInvitee(
  said: InviteeSaid,
  known: readonly UserField[],
): { invitee: Invitee; faults: Faults } {
  const faults: Faults = {};
  const { data: name, success } = nameSaid.safeParse(said.name ?? '');
  if (!success) faults.name = sentence('refused.import.name');
  const wanted = said.username?.trim();
  if (wanted && !username.safeParse(wanted).success)
    faults.username = sentence('refused.import.username');
  const locale = said.language?.trim();
  if (locale && !storedClaims.safeParse({ locale }).success)
    faults.language = sentence('refused.person.locale');
  const own = newFieldValues(known, said.fields);
  const invitee: Invitee = {
    ...(name && { name }),
    ...(wanted && { username: wanted }),
    ...(locale && { locale }),
    ...(own.changes.length > 0 && { values: own.changes }),
  };
  return { invitee, faults: { ...faults, ...own.faults } };
}

/** The first fault, because only one is shown for each line of a list. */
export const firstFault = (faults: Faults): Sentence | null => Object.values(faults)[0] ?? null;
