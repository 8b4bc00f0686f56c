import type { Command } from 'commander';
import { invitationActs } from '../management/invitation/acts.ts';
import { addAct } from './act-command.ts';
import { facts, table } from './text.ts';
import { readFields } from './user-update.ts';

export function addInvitationCommands(user: Command): void {
  addAct(user.command('invite'), invitationActs.create, {
    flags: {
      email: { flag: '--email <address>' },
      groups: { flag: '--group <group>', says: 'a group they will be in; may be repeated' },
      fields: {
        flag: '--field <name=value>',
        says: 'a custom field, see `field list`; may be repeated',
        read: readFields,
      },
    },
    text: ({ email, link, mailed, groups, expires_at }) =>
      facts([
        ['email', email],
        ['link', link],
        ['mailed', mailed || 'no: MAIL_URL is not set in this shell. Send them the link.'],
        ['groups', groups.join(', ')],
        ['expires', expires_at],
      ]),
    leads: true,
  }).addHelpText('after', '\nExample:\n  npm run cli -- user invite --email grace@example.org');
  addListing(user);
  const places = { id: ['<id>', 'its id, from user invitations'] } as const;
  addAct(user.command('invite-again'), invitationActs.resend, {
    places,
    text: ({ email, link, expires_at }) =>
      facts([
        ['email', email],
        ['link', link],
        ['expires', expires_at],
      ]),
    leads: true,
  });
  addAct(user.command('uninvite'), invitationActs.delete, {
    places,
    text: () => 'Invitation withdrawn.',
  });
}

function addListing(user: Command): void {
  addAct(user.command('invitations'), invitationActs.list, {
    text: ({ invitations }) =>
      table(
        ['id', 'email', 'invited by', 'groups', 'created', 'expires'],
        invitations.map(({ id, email, invited_by, groups, created_at, expires_at }) => {
          return [id, email, invited_by, groups.join(', '), created_at, expires_at];
        }),
        'No pending invitations.',
      ),
  });
}
