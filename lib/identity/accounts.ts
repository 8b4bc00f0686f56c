import { z } from 'zod';
import type { MessageKey } from '../messages/keys.ts';
import { foldName, readName } from '../oauth/name.ts';
import { mixesScripts } from '../oauth/self-given-name.ts';
import { readEmail } from '../people/email.ts';
import { usernameGlance } from '../people/username-glance.ts';
import { type NewUser, normalKey, type Taken } from '../store/users.ts';
import { passwordFault } from './password-rules.ts';
import { hashPassword } from './passwords.ts';

type AccountField = 'username' | 'email' | 'name' | 'password';
export type AccountErrors = Partial<Record<AccountField, MessageKey>>;
type AccountInput = Record<AccountField, string>;

const longestPersonName = 200;
const lettersAndSigns = /^(?!\p{M})[\p{L}\p{M}\p{N}._-]{1,64}$/u;
const letterOrDigit = /[\p{L}\p{N}]/u;
/** The form of our ids: a username like one could be mistaken for another user's id. */
const idForm = /^([0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
/** Mail programs turn these into links, whatever the name ends with. */
const linkForm = /^(www\.|\d+(\.\d+){3}$)/;

/**
 * A username as stored (NFKC): up to 64 letters, digits, `.`, `_` and `-` of any script. The folded
 * form used for comparison is checked as well, since lookalikes of `@` or `/` would make it an
 * address or a link.
 */
export const username = z
  .string()
  .max(200)
  .transform((text) => foldName(text.normalize('NFKC')))
  .refine((name) => [name, normalKey(name)].every(isNameForm));

function isNameForm(name: string): boolean {
  return (
    lettersAndSigns.test(name) &&
    letterOrDigit.test(name) &&
    usernameGlance(name) !== '' &&
    !mixesScripts(name) &&
    !idForm.test(name) &&
    !linkForm.test(name)
  );
}
/** An email address; the value is the spelling that is stored. */
export const emailAddress = z.string().transform(orFault(readEmail));
/** The name of a person; empty if they have none. The value is the spelling that is stored. */
export const personName = z
  .string()
  .transform(
    orFault((typed) => (foldName(typed) === '' ? '' : readName(typed, longestPersonName))),
  );

function orFault(read: (typed: string) => string | null) {
  return (typed: string, context: z.RefinementCtx): string => {
    const value = read(typed);
    if (value === null) context.addIssue({ code: 'custom' });
    return value ?? '';
  };
}

/** The faults in a user's username, email address and name, by field. Empty if there are none. */
export function checkProfile(input: Omit<AccountInput, 'password'>): AccountErrors {
  const errors: AccountErrors = {};
  if (!username.safeParse(input.username).success) errors.username = 'setup.usernameBad';
  if (!emailAddress.safeParse(input.email).success) errors.email = 'setup.emailBad';
  if (!personName.safeParse(input.name).success) errors.name = 'setup.nameBad';
  return errors;
}

/**
 * The faults in the values for a new account, by field. Empty if there are none.
 * @throws PasswordsBusy
 */
export async function checkAccount(input: AccountInput): Promise<AccountErrors> {
  const fault = await passwordFault(input.password, input);
  return { ...checkProfile(input), ...(fault && { password: fault }) };
}

/**
 * Builds the record of a new account from values that passed `checkAccount`.
 * @throws PasswordsBusy
 */
export async function newAccount(input: AccountInput, isAdmin: boolean): Promise<NewUser> {
  return {
    username: username.parse(input.username),
    email: emailAddress.parse(input.email),
    name: personName.parse(input.name) || null,
    passwordHash: await hashPassword(input.password),
    isAdmin,
  };
}

/** A reserved name is reported as taken: only admins learn who had it. */
export function takenError(taken: Taken): AccountErrors {
  if (taken === 'email') return { email: 'setup.emailTaken' };
  return { username: taken === 'look-alike' ? 'setup.usernameAlike' : 'setup.usernameTaken' };
}
