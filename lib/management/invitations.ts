import { emailAddress } from '../identity/accounts.ts';
import { makeLink } from '../mail/links.ts';
import { canSendMail, post } from '../mail/post.ts';
import { type Actor, eventBy } from '../store/actor.ts';
import { listLinks, type MailedLink, revokeLink } from '../store/links.ts';
import { readSettings } from '../store/settings.ts';
import { findUserByLogin } from '../store/users.ts';
import { refuseAdmin } from './refusal.ts';

/** A pending invitation. */
export type Invitation = {
  id: string;
  email: string;
  invitedBy: string | null;
  createdAt: Date;
  expiresAt: Date;
};

/** What the admin receives for a new invitation. The link is shown only once. */
export type NewInvitation = {
  id: string;
  email: string;
  link: string;
  mailed: boolean;
  expiresAt: Date;
};

/**
 * Invites someone to create an account. The link is mailed if mail is set up, and always returned
 * to the admin.
 * @throws AdminRefusal
 */
export async function invite(email: string, actor: Actor, now: Date): Promise<NewInvitation> {
  const parsed = emailAddress.safeParse(email);
  if (!parsed.success) refuseAdmin('email', `"${email.slice(0, 80)}" is not an email address.`);
  if ((await readSettings()).registration === 'off') {
    refuseAdmin('email', 'Invitations are turned off. Set REGISTRATION to invitation first.');
  }
  if (await findUserByLogin(parsed.data))
    refuseAdmin('email', `${parsed.data} has an account already.`);
  const event = eventBy(actor, 'invitation.created', { detail: { email: parsed.data } });
  const request = { purpose: 'invite', user: null, email: parsed.data, madeBy: actor.id } as const;
  const { id, href, expiresAt } = await makeLink(request, now, event);
  await post({ kind: 'invitation', email: parsed.data, link: href }, now);
  return { id, email: parsed.data, link: href, mailed: canSendMail(), expiresAt };
}

/** Pending invitations, newest first. */
export async function listInvitations(now: Date): Promise<Invitation[]> {
  return (await listLinks('invite', now)).map(toInvitation);
}

/** Revokes an invitation. @throws AdminRefusal */
export async function revokeInvitation(id: string, actor: Actor, now: Date): Promise<void> {
  const event = eventBy(actor, 'invitation.revoked', { detail: { id } });
  if (!(await revokeLink(id, 'invite', event, now)))
    refuseAdmin('invitation', 'This invitation no longer exists.');
}

function toInvitation({ id, email, madeBy, createdAt, expiresAt }: MailedLink): Invitation {
  return { id, email, invitedBy: madeBy, createdAt, expiresAt };
}
