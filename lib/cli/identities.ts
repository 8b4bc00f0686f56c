import type { Command } from 'commander';
import { identityActs } from '../management/identity/acts.ts';
import { addAct } from './act-command.ts';
import { whichUser } from './people-filter.ts';
import { table } from './text.ts';

/** Commands about the identities at other providers that people have linked. */
export function addIdentityCommands(program: Command): void {
  const group = program
    .command('identity')
    .description('what people have linked at other providers');
  addAct(group.command('list'), identityActs.list, {
    places: { user_id: whichUser },
    text({ identities }) {
      const rows = identities.map((row) => [
        row.id,
        row.provider_name,
        row.label ?? row.subject,
        row.created_at,
        row.last_used_at,
      ]);
      return table(['id', 'provider', 'is', 'since', 'last used'], rows, 'Nothing is linked.');
    },
  });
  addAct(group.command('unlink'), identityActs.unlink, {
    places: { user_id: whichUser, id: ['<identity>', 'its id, as listed'] },
    text: ({ provider_name }) => `Unlinked from ${provider_name}; they are signed out everywhere.`,
  });
}
