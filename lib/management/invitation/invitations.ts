import { emailAddress } from '../../identity/accounts.ts';
import { makeLink } from '../../mail/links.ts';
import { canSendMail, post } from '../../mail/post.ts';
import { sentence } from '../../messages/sentence.ts';
import { isSoundText } from '../../oauth/name.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import { type Group, groupsWithIds } from '../../store/groups.ts';
import {
  findLinkById,
  type Invitee,
  listLinks,
  type MailedLink,
  revokeLink,
} from '../../store/links.ts';
import { listFields } from '../../store/user-fields.ts';
import { findUser, findUserByLogin, loginKey } from '../../store/users.ts';
import type { By } from '../act.ts';
import { namedGroups } from '../group/groups.ts';
import { refuseAdmin, refuseFaults } from '../refusal.ts';
import { type InviteeSaid, readInvitee } from './invitee.ts';

export type Invitation = {
  id: string;
  email: string;
  invitedBy: string | null;
  groups: string[];
  createdAt: Date;
  expiresAt: Date;
};

/** What the admin receives for a new invitation. The link is shown only once. */
export type NewInvitation = {
  id: string;
  email: string;
  link: string;
  mailed: boolean;
  groups: string[];
  expiresAt: Date;
};

/** What can be said about an invited person, and what the invitation is for. */
type InvitationSaid = InviteeSaid & { note?: string };

/**
 * Invites someone to create an account, in these groups (by name or id). The link is mailed if mail
 * is set up, and always returned to the admin.
 * @throws AdminRefusal
 */
export async function invite(
  email: string,
  actor: Actor,
  now: Date,
  groupKeys: readonly string[] = [],
  { note, ...said }: InvitationSaid = {},
): Promise<NewInvitation> {
  const parsed = emailAddress.safeParse(email);
  if (!parsed.success) {
    const said = sentence('refused.invitation.email', { email: email.slice(0, 80) });
    refuseAdmin('email', said);
  }
  await checkInvitable(parsed.data);
  const { invitee, faults } = readInvitee(said, said.fields ? await listFields() : []);
  refuseFaults({ ...faults, ...(isNote(note) ? {} : { note: sentence('refused.import.note') }) });
  const found = await namedGroups(groupKeys);
  checkGiven(found, invitee, actor);
  return send({ email: parsed.data, into: found, invitee, note }, actor, now);
}

const isNote = (note = '') => note.trim() === '' || isSoundText(note, 300);

/** @throws AdminRefusal if this actor may not give the invited person these groups or values */
function checkGiven(groups: readonly Group[], { values }: Invitee, { reach }: Actor): void {
  if (groups.length > 0 && reach === 'people')
    refuseAdmin('groups', sentence('refused.invitation.groups'));
  if (values && reach === 'people') refuseAdmin('fields', sentence('refused.invitation.fields'));
  if (groups.length > mostGroupsAtOnce)
    refuseAdmin('groups', sentence('refused.invitation.tooManyGroups', { most: mostGroupsAtOnce }));
}

type ToSend = { email: string; into: readonly Group[]; invitee: Invitee; note?: string };

async function send(
  { email, into, invitee, note }: ToSend,
  actor: Actor,
  now: Date,
): Promise<NewInvitation> {
  const groups = into.map(({ name }) => name);
  const detail = { email, ...(groups.length > 0 && { groups }) };
  const event = eventBy(actor, 'invitation.created', { detail });
  const request = {
    ...({ purpose: 'invite', user: null, email, invitee, madeBy: actor.id } as const),
    groups: into.map(({ id }) => id),
  };
  const { id, href, expiresAt } = await makeLink(request, now, event);
  const by = await nameOfInviter(actor);
  const { name, locale } = invitee;
  const said = { name: name || undefined, note: note?.trim() || undefined };
  await post({ kind: 'invitation', email, link: href, by, ...said, locale }, now);
  return { id, email, link: href, mailed: canSendMail(), groups, expiresAt };
}

/** The name of a person. Programs and the command line have no name that the reader would know. */
async function nameOfInviter({ id }: Actor): Promise<string | undefined> {
  const user = await findUser(id);
  return user ? user.name || user.username : undefined;
}

/**
 * Sends an invitation again, for the same groups, with a new link. The previous link ends.
 * @throws AdminRefusal, or what `demandFresh` throws
 */
export async function resendInvitation(
  id: string,
  { actor, now, demandFresh }: By,
): Promise<NewInvitation> {
  const before = await findLinkById(id, 'invite', now);
  if (!before) return refuseAdmin('invitation', sentence('refused.invitation.gone'), 'missing');
  await checkInvitable(before.email);
  const groups = await groupsWithIds(before.groups);
  checkGiven(groups, before.invitee, actor);
  if (groups.length > 0) demandFresh('group');
  await revokeInvitation(id, actor, now);
  return send({ email: before.email, into: groups, invitee: before.invitee }, actor, now);
}

/** @throws AdminRefusal if this person has an account */
async function checkInvitable(email: string): Promise<void> {
  if (await findUserByLogin(email))
    refuseAdmin('email', sentence('refused.invitation.known', { email }), 'conflict');
}

const mostGroupsAtOnce = 50;

/** Pending invitations, newest first; with `email`, only those for this address. */
export async function listInvitations(now: Date, email?: string): Promise<Invitation[]> {
  const links = (await listLinks('invite', now)).filter(
    (link) => email === undefined || loginKey(link.email) === loginKey(email),
  );
  const groups = await groupsWithIds([...new Set(links.flatMap((link) => link.groups))]);
  return links.map((link) => toInvitation(link, groups));
}

/** Revokes an invitation. @throws AdminRefusal */
export async function revokeInvitation(id: string, actor: Actor, now: Date): Promise<void> {
  const email = (await findLinkById(id, 'invite', now))?.email;
  const event = eventBy(actor, 'invitation.revoked', { detail: { id, ...(email && { email }) } });
  if (!(await revokeLink(id, 'invite', event, now)))
    refuseAdmin('invitation', sentence('refused.invitation.gone'), 'missing');
}

/** Groups that no longer exist are left out. */
function toInvitation(link: MailedLink, groups: readonly Group[]): Invitation {
  const { id, email, madeBy, createdAt, expiresAt } = link;
  const named = groups.filter((group) => link.groups.includes(group.id));
  return {
    id,
    email,
    invitedBy: madeBy,
    groups: named.map(({ name }) => name),
    createdAt,
    expiresAt,
  };
}
