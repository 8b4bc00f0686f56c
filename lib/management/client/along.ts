import type { Actor } from '../../store/actor.ts';
import { loginKey, normalKey } from '../../store/users.ts';
import { refusingAt } from '../refusing-at.ts';
import { allow, findNamed, type Meant } from './access.ts';
import { listContacts, namedContacts, namedOwner, setContacts, setOwner } from './contacts.ts';
import { readLogo, removeLogo, setLogo } from './logos.ts';

type Said = {
  contacts?: string[];
  owner?: string | null;
  logo?: Uint8Array | null;
  allowed_groups?: string[];
  allowed_users?: string[];
};
/** What can be said about an app besides its fields. */
type Along = {
  contacts?: string[];
  owner?: string;
  logo?: Uint8Array | null;
  meant: Meant;
};

/** Finds everyone named, and reads the logo, before anything changes. @throws AdminRefusal */
export async function readAlong(said: Said): Promise<Along> {
  const named = { groups: said.allowed_groups, people: said.allowed_users };
  const meant = await refusingAt(placeOf, findNamed(named));
  const contacts = said.contacts && (await refusingAt(placeOf, namedContacts(said.contacts)));
  const owner = said.owner ? await namedOwner(said.owner) : undefined;
  if (said.logo) await readLogo(said.logo);
  return { contacts, owner, logo: said.logo, meant };
}

const places: Readonly<Record<string, string>> = {
  group: 'allowed_groups',
  person: 'allowed_users',
  contact: 'contacts',
};
const placeOf = (field: string) => places[field] ?? field;

/** Whether anyone is named who is not a developer of the app yet. No one else is looked up. */
export async function addsContact(clientId: string, contacts: readonly string[] = []) {
  const known = await listContacts(clientId);
  const names = known.flatMap(({ userId, username, email }) => [
    userId,
    normalKey(username),
    normalKey(email),
  ]);
  const named = contacts.map((key) => key.trim()).filter(Boolean);
  return named.some((key) => !names.includes(key) && !names.includes(loginKey(key)));
}

export async function changesOwner(clientId: string, owner: string | null | undefined) {
  if (!owner?.trim()) return false;
  const known = (await listContacts(clientId)).find((contact) => contact.owner);
  if (!known) return true;
  const names = [known.userId, normalKey(known.username), normalKey(known.email)];
  return !names.includes(owner.trim()) && !names.includes(loginKey(owner));
}

/** Stores what `readAlong` found. @throws AdminRefusal */
export async function giveAlong(
  clientId: string,
  { contacts, owner, logo, meant }: Along,
  actor: Actor,
  now: Date,
): Promise<void> {
  if (owner) await setOwner({ clientId, userId: owner }, actor, now);
  if (contacts) await setContacts(clientId, owner ? [...contacts, owner] : contacts, actor, now);
  if (logo) await setLogo(clientId, logo, actor, now);
  if (logo === null) await removeLogo(clientId, actor, now);
  if (meant.groups.length + meant.people.length > 0) await allow(clientId, meant, actor, now);
}
