import { sentence } from '../../messages/sentence.ts';
import { may, type Role } from '../../people/roles.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import * as store from '../../store/contacts.ts';
import { storable } from '../../store/engine/page.ts';
import { refuseAdmin } from '../refusal.ts';
import { findUserId } from '../user/users.ts';
import { showClient } from './clients.ts';

export type ContactedClient = store.ContactedClient;

export const mostContacts = 20;
const tooMany = sentence('refused.client.tooManyContacts', { most: mostContacts });

/**
 * Whether a user may see a client: its attempts, and how it is connected. Roles that see every app
 * may, and so may the client's developers. This is the only place that decides it. Nothing is
 * cached, so a right that is taken away ends immediately.
 */
export async function maySeeClient(
  user: { id: string; role: Role },
  clientId: string,
): Promise<boolean> {
  if (may(user.role, 'see-app')) return true;
  return may('developer', 'see-app') && store.isContact(user.id, storable(clientId));
}

/** The clients that a user is a contact of, by name. */
export const listContacted = store.clientsOfContact;

export const listContacts = store.contactsOf;

/** Adds a developer of a client, by id, username or email address. @throws AdminRefusal */
export async function addContact(
  clientId: string,
  key: string,
  actor: Actor,
  now: Date,
): Promise<void> {
  const client = await showClient(clientId);
  await makeContact({ clientId: client.id, userId: await userNamed(key) }, actor, now);
}

async function makeContact(
  about: { clientId: string; userId: string },
  actor: Actor,
  now: Date,
): Promise<void> {
  const contacts = await store.contactsOf(about.clientId);
  if (contacts.some(({ userId }) => userId === about.userId)) return;
  const event = eventBy(actor, 'client.contact-added', about);
  if (!(await store.storeContact({ ...about, most: mostContacts }, event, now)))
    refuseAdmin('contact', tooMany, 'full');
}

/**
 * Makes a person the owner of a client, who answers for it, and one of its contacts.
 * @throws AdminRefusal
 */
export async function setOwner(
  about: { clientId: string; userId: string },
  actor: Actor,
  now: Date,
): Promise<void> {
  const contacts = await store.contactsOf(about.clientId);
  const known = contacts.find(({ userId }) => userId === about.userId);
  if (known?.owner) return;
  if (!known && contacts.length >= mostContacts) refuseAdmin('owner', tooMany, 'full');
  const events = [
    ...(known ? [] : [eventBy(actor, 'client.contact-added', about)]),
    eventBy(actor, 'client.owner-set', about),
  ];
  if (!(await store.storeOwner(about, events, now)))
    refuseAdmin('owner', sentence('refused.person.gone'), 'conflict');
}

/** The id of the person who is to own a client. @throws AdminRefusal */
export const namedOwner = (key: string): Promise<string> => userNamed(key, 'owner');

/**
 * Checks that an agent has an owner.
 * @param owner who is named now; undefined keeps the present owner
 * @throws AdminRefusal
 */
export async function checkOwned(
  agent: boolean,
  clientId: string | null,
  owner: string | undefined,
): Promise<void> {
  if (!agent || owner) return;
  const contacts = clientId === null ? [] : await store.contactsOf(clientId);
  if (!contacts.some((contact) => contact.owner))
    refuseAdmin('agent', sentence('refused.client.agentOwner'));
}

/** Undoes `addContact`, effective with the person's next request. @throws AdminRefusal */
export async function removeContact(
  clientId: string,
  userId: string,
  actor: Actor,
  now: Date,
): Promise<void> {
  const client = await showClient(clientId);
  const about = { clientId: client.id, userId };
  if (client.agent && (await isOwner(about)))
    refuseAdmin('contact', sentence('refused.client.ownerStays'), 'conflict');
  await store.removeContact(about, eventBy(actor, 'client.contact-removed', about), now);
}

const isOwner = async ({ clientId, userId }: { clientId: string; userId: string }) =>
  (await store.contactsOf(clientId)).some((one) => one.userId === userId && one.owner);

/**
 * Replaces the contacts of a client; each is named by id, username or email address.
 * @throws AdminRefusal
 */
export async function setContacts(
  clientId: string,
  keys: readonly string[],
  actor: Actor,
  now: Date,
): Promise<void> {
  const wanted = await namedContacts(keys);
  for (const { userId } of await store.contactsOf(clientId))
    if (!wanted.includes(userId)) await removeContact(clientId, userId, actor, now);
  for (const userId of wanted) await makeContact({ clientId, userId }, actor, now);
}

/** The ids of the people named. @throws AdminRefusal if one is unknown, or there are too many */
export async function namedContacts(keys: readonly string[]): Promise<string[]> {
  const ids = [...new Set(await Promise.all(keys.filter(Boolean).map((key) => userNamed(key))))];
  if (ids.length > mostContacts) refuseAdmin('contact', tooMany, 'full');
  return ids;
}

async function userNamed(key: string, field = 'contact'): Promise<string> {
  const id = await findUserId(key.trim());
  const said = sentence('refused.person.unknown', {
    names: [sentence('refused.quoted', { text: key.trim() })],
  });
  return id ?? refuseAdmin(field, said);
}
