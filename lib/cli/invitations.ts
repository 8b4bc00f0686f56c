import type { Command } from 'commander';
import { answering, cli } from './answer.ts';
import { collect } from './options.ts';
import { facts, table } from './text.ts';

const invitations = () => import('../management/invitations.ts');

/** Commands that invite people to make an account. */
export function addInvitationCommands(user: Command): void {
  user
    .command('invite')
    .description('invite someone to create an account; the link is emailed to them and shown here')
    .requiredOption('--email <address>', 'their email address')
    .option('--group <group>', 'a group they will be in; may be repeated', collect)
    .addHelpText('after', '\nExample:\n  npm run cli -- user invite --email grace@example.org')
    .action(
      answering(async ({ email, group }: { email: string; group?: string[] }) => {
        const made = await (await invitations()).invite(email, cli, new Date(), group);
        const { id, link, mailed, expiresAt, groups } = made;
        const text = facts([
          ['email', made.email],
          ['link', link],
          ['mailed', mailed || 'no: MAIL_URL is not set in this shell. Send them the link.'],
          ['groups', groups.join(', ')],
          ['expires', expiresAt],
        ]);
        const json = { id, email: made.email, link, mailed, groups, expires_at: expiresAt };
        return { json, text, leads: true };
      }),
    );
  user
    .command('invitations')
    .description('list pending invitations')
    .action(
      answering(async () => {
        const rows = await (await invitations()).listInvitations(new Date());
        const cells = rows.map((row) => [
          row.id,
          row.email,
          row.invitedBy,
          row.groups.join(', '),
          row.createdAt,
          row.expiresAt,
        ]);
        const text = table(
          ['id', 'email', 'invited by', 'groups', 'created', 'expires'],
          cells,
          'No pending invitations.',
        );
        const json = rows.map((row) => ({
          id: row.id,
          email: row.email,
          invited_by: row.invitedBy,
          groups: row.groups,
          created_at: row.createdAt,
          expires_at: row.expiresAt,
        }));
        return { json: { invitations: json }, text };
      }),
    );
  user
    .command('uninvite')
    .description('withdraw an invitation')
    .argument('<id>', 'its id, from user invitations')
    .action(
      answering(async (id: string) => {
        await (await invitations()).revokeInvitation(id, cli, new Date());
        return { json: { id, revoked: true }, text: 'Invitation withdrawn.' };
      }),
    );
}
