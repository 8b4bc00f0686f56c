import type { Command } from 'commander';
import { grantActs } from '../management/grant/acts.ts';
import { addAct } from './act-command.ts';
import { idOfGroup } from './people-filter.ts';
import { table, withNext } from './text.ts';

export function addGrantCommands(program: Command): void {
  const group = program.command('grants').description('which users gave which clients access');
  addAct(group.command('list'), grantActs.list, {
    flags: {
      ...whose,
      member_of: {
        flag: '--member-of <group>',
        says: 'of members of this group: its name or id',
        read: idOfGroup,
      },
      used_within: { flag: '--used-within <time>' },
      not_used_for: { flag: '--not-used-for <time>' },
    },
    text({ grants, next }) {
      const rows = grants.map((row) => [
        row.username,
        row.client_id,
        row.client_name,
        row.scope,
        row.updated_at,
        row.last_used_at ?? 'never',
      ]);
      const head = ['user', 'client_id', 'client', 'scope', 'given', 'used'];
      return withNext(table(head, rows, 'No approvals.'), next);
    },
  });
  addAct(group.command('revoke'), grantActs.revoke, {
    flags: whose,
    text: ({ revoked }) => `Revoked ${revoked} ${revoked === 1 ? 'approval' : 'approvals'}.`,
  }).addHelpText('after', '\nExample:\n  npm run cli -- grants revoke --user ada --client my-app');
}

const whose = {
  user: {
    flag: '--user <user>',
    says: 'username, email address or id',
    read: async (key: string) =>
      (await (await import('../management/user/users.ts')).showUser(key)).id,
  },
  client: {
    flag: '--client <client_id>',
    says: 'a client',
    read: async (id: string) =>
      (await (await import('../management/client/clients.ts')).showClient(id)).id,
  },
};
