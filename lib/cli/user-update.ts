import type { Command } from 'commander';
import type { z } from 'zod';
import { isAdminRefusal } from '../management/is-refusal.ts';
import type { AdminRefusal } from '../management/refusal.ts';
import { userActs } from '../management/user/acts.ts';
import { addressFields, profileFields } from '../management/user/claims.ts';
import { performHere } from './acting.ts';
import { collect, readSwitch } from './options.ts';
import { CommandRefused, refuseCommand } from './refuse.ts';

/** The options of `user update`, as typed. */
export type UpdateOptions = Options & { field?: string[] };
type Options = Record<string, string | true | string[] | undefined>;
type Claim = (typeof profileFields)[number] | (typeof addressFields)[number];
type Field = 'username' | 'name' | 'email' | 'address' | Claim;

/** The options that take a text, named after their claims. */
const texts = {
  username: 'what they sign in with',
  name: 'their full name',
  email: 'their email address; a new one is unverified unless you also give --email-verified',
  given_name: 'first name',
  middle_name: 'middle name',
  family_name: 'last name',
  nickname: 'nickname',
  gender: 'gender',
  profile: 'address of their profile page',
  website: 'address of their website',
  birthdate: 'such as 1815-12-10, or just the year',
  zoneinfo: 'time zone, such as Europe/Berlin',
  locale: 'language, such as de or pt-BR',
  phone_number: 'phone number; a new one is unverified',
  address: 'the full postal address',
  street_address: 'street and number',
  postal_code: 'postal code',
  locality: 'city',
  region: 'state or region',
  country: 'country',
} as const satisfies Record<Field, string>;

const optionOf = (claim: string) => `--${claim.replaceAll('_', '-')}`;
const keyOf = (claim: string) => claim.replace(/_(.)/g, (_, letter) => letter.toUpperCase());

export function addClaimOptions(command: Command): Command {
  for (const [claim, what] of Object.entries(texts))
    command.option(`${optionOf(claim)} <text>`, what);
  return command
    .option('--field <name=value>', 'a custom field, see `field list`; may be repeated', collect)
    .option('--email-verified [on|off]', 'whether the email address is known to be theirs')
    .option('--phone-number-verified [on|off]', 'whether the phone number is known to be theirs');
}

/**
 * Changes the profile of an account, by the rules of the account page.
 * @throws AdminRefusal
 */
export async function updateByOptions(idOf: () => Promise<string>, options: UpdateOptions) {
  if (Object.values(options).every((value) => value === undefined))
    refuseCommand('Nothing to change. user update --help lists the options.');
  const id = await idOf();
  const said = { id, ...saidBy(options), fields: readFields(options.field) };
  return performHere(userActs.update, said).catch((error: unknown) => {
    throw isAdminRefusal(error) ? named(error) : error;
  });
}

/**
 * `name=value`, can be repeated: several values of a name are the entries of a list.
 * @throws CommandRefused
 */
export function readFields(given: readonly string[] = []): Record<string, string[]> {
  const typed = new Map<string, string[]>();
  for (const each of given) {
    const at = each.indexOf('=');
    if (at < 1) refuseCommand(`--field takes name=value, not "${each}".`);
    const name = each.slice(0, at).trim();
    typed.set(name, [...(typed.get(name) ?? []), each.slice(at + 1)]);
  }
  return Object.fromEntries(typed);
}

function saidBy(options: Options): Omit<z.input<typeof userActs.update.takes>, 'id'> {
  const text = (claim: string) => options[keyOf(claim)] as string | undefined;
  const said = (names: readonly string[]) => names.map((name) => [name, text(name)]);
  const address = { ...Object.fromEntries(said(addressFields)), formatted: text('address') };
  return {
    username: text('username'),
    name: text('name'),
    email: text('email'),
    email_verified: readSwitch('email-verified', switchOf(options.emailVerified)),
    claims: {
      ...Object.fromEntries(said(profileFields)),
      phone_number_verified: readSwitch(
        'phone-number-verified',
        switchOf(options.phoneNumberVerified),
      ),
      address,
    },
  };
}

const switchOf = (given: Options[string]) => given as string | true | undefined;

/** Messages that the dashboard shows beside a field are prefixed with the option's name here. */
function named({ message, sentences }: AdminRefusal): CommandRefused {
  const said = Object.entries(sentences).map(([path, sentence]) => {
    if (path.startsWith('fields.')) return `--field ${path.slice('fields.'.length)}: ${sentence}`;
    const claim =
      path === 'claims.address.formatted' ? 'address' : (path.split('.').at(-1) ?? path);
    return claim in texts ? `${optionOf(claim)}: ${sentence}` : sentence;
  });
  return new CommandRefused(said.join(' ') || message);
}
