import type { Command } from 'commander';
import { clientActs } from '../management/client/acts.ts';
import { endSaid } from '../management/values.ts';
import { actingBy, performHere } from './acting.ts';
import { aboutClient } from './client-text.ts';
import { collect } from './options.ts';
import { refuseCommand } from './refuse.ts';

type Options = { group?: string[]; user?: string[]; endsAt?: string };

/** The commands that set who may use a client; each prints the client as `show` does. */
export function addAccessCommands(client: Command): void {
  add(client, 'allow');
  add(client, 'disallow');
}

function add(client: Command, name: 'allow' | 'disallow'): void {
  const definition = clientActs[name];
  const command = client
    .command(name)
    .description(definition.says)
    .argument('<client_id>', 'its client_id')
    .option('--group <group>', 'a group, by name or id; can be repeated', collect)
    .option('--user <user>', 'a user, by username, email address or id; repeatable', collect);
  if (name === 'allow') command.option('--ends-at <end>', `for the users: ${endSaid.description}`);
  command.action(
    actingBy(async (client_id: string, { group = [], user = [], endsAt }: Options) => {
      if (group.length + user.length === 0)
        refuseCommand('Name a group or a user: --group staff, --user ann.');
      const end = endsAt === undefined ? {} : { ends_at: endsAt };
      const said = { client_id, groups: group, people: user, ...end };
      return aboutClient(await performHere(definition, said));
    }),
  );
}
