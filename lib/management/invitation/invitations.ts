import { emailAddress } from '../../identity/accounts.ts';
import { makeLink } from '../../mail/links.ts';
import { canSendMail, post } from '../../mail/post.ts';
import { sentence } from '../../messages/sentence.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import { type Group, groupsWithIds } from '../../store/groups.ts';
import { listLinks, type MailedLink, revokeLink } from '../../store/links.ts';
import { readSettings } from '../../store/settings.ts';
import { findUserByLogin } from '../../store/users.ts';
import { namedGroups } from '../group/groups.ts';
import { refuseAdmin } from '../refusal.ts';

/** A pending invitation. */
export type Invitation = {
  id: string;
  email: string;
  invitedBy: string | null;
  /** Names of the groups they will be in. */
  groups: string[];
  createdAt: Date;
  expiresAt: Date;
};

/** What the admin receives for a new invitation. The link is shown only once. */
type NewInvitation = {
  id: string;
  email: string;
  link: string;
  mailed: boolean;
  groups: string[];
  expiresAt: Date;
};

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
): Promise<NewInvitation> {
  const parsed = emailAddress.safeParse(email);
  if (!parsed.success) {
    const said = sentence('refused.invitation.email', { email: email.slice(0, 80) });
    refuseAdmin('email', said);
  }
  if ((await readSettings()).registration === 'off')
    refuseAdmin('email', sentence('refused.invitation.off'));
  if (await findUserByLogin(parsed.data))
    refuseAdmin('email', sentence('refused.invitation.known', { email: parsed.data }), 'conflict');
  const found = await namedGroups(groupKeys);
  if (found.length > 0 && actor.reach === 'people')
    refuseAdmin('groups', sentence('refused.invitation.groups'));
  if (found.length > mostGroupsAtOnce)
    refuseAdmin('groups', sentence('refused.invitation.tooManyGroups', { most: mostGroupsAtOnce }));
  const groups = found.map(({ name }) => name);
  const detail = { email: parsed.data, ...(groups.length > 0 && { groups }) };
  const event = eventBy(actor, 'invitation.created', { detail });
  const request = {
    ...({ purpose: 'invite', user: null, email: parsed.data, madeBy: actor.id } as const),
    groups: found.map(({ id }) => id),
  };
  const { id, href, expiresAt } = await makeLink(request, now, event);
  await post({ kind: 'invitation', email: parsed.data, link: href }, now);
  return { id, email: parsed.data, link: href, mailed: canSendMail(), groups, expiresAt };
}

const mostGroupsAtOnce = 50;

/** Pending invitations, newest first. */
export async function listInvitations(now: Date): Promise<Invitation[]> {
  const links = await listLinks('invite', now);
  const groups = await groupsWithIds([...new Set(links.flatMap((link) => link.groups))]);
  return links.map((link) => toInvitation(link, groups));
}

/** Revokes an invitation. @throws AdminRefusal */
export async function revokeInvitation(id: string, actor: Actor, now: Date): Promise<void> {
  const event = eventBy(actor, 'invitation.revoked', { detail: { id } });
  if (!(await revokeLink(id, 'invite', event, now)))
    refuseAdmin('invitation', sentence('refused.invitation.gone'), 'missing');
}

/** Groups that are gone are left out. */
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
