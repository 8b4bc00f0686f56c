import type { Actor } from '../../store/actor.ts';
import { normalKey } from '../../store/users.ts';
import { refusingAt } from '../refusing-at.ts';
import { allow, type Meant, whoIsMeant } from './access.ts';
import { listContacts, namedContacts, setContacts } from './contacts.ts';
import { readLogo, removeLogo, setLogo } from './logos.ts';

type Said = {
  contacts?: string[];
  logo?: Uint8Array | null;
  allowed_groups?: string[];
  allowed_users?: string[];
};
/** What is said of an app besides its fields. */
type Along = { contacts?: string[]; logo?: Uint8Array | null; meant: Meant };

/** Finds everybody who is named, and looks at the logo, before anything changes. @throws AdminRefusal */
export async function readAlong(said: Said): Promise<Along> {
  const named = { groups: said.allowed_groups, people: said.allowed_users };
  const meant = await refusingAt(placeOf, whoIsMeant(named));
  const contacts = said.contacts && (await refusingAt(placeOf, namedContacts(said.contacts)));
  if (said.logo) await readLogo(said.logo);
  return { contacts, logo: said.logo, meant };
}

const places: Readonly<Record<string, string>> = {
  group: 'allowed_groups',
  person: 'allowed_users',
  contact: 'contacts',
};
const placeOf = (field: string) => places[field] ?? field;

/** Whether anybody is named but those who are developers of the app already. Nobody else is looked up. */
export async function addsContact(clientId: string, contacts: readonly string[] = []) {
  const known = await listContacts(clientId);
  const names = known.flatMap(({ userId, username, email }) => [
    userId,
    normalKey(username),
    normalKey(email),
  ]);
  const named = contacts.map((key) => key.trim()).filter(Boolean);
  return named.some((key) => !names.includes(key) && !names.includes(normalKey(key)));
}

/** @throws AdminRefusal */
export async function giveAlong(
  clientId: string,
  { contacts, logo, meant }: Along,
  actor: Actor,
  now: Date,
): Promise<void> {
  if (contacts) await setContacts(clientId, contacts, actor, now);
  if (logo) await setLogo(clientId, logo, actor, now);
  if (logo === null) await removeLogo(clientId, actor, now);
  if (meant.groups.length + meant.people.length > 0) await allow(clientId, meant, actor, now);
}
