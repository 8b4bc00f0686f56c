import type { Command } from 'commander';
import { clientActs } from '../management/client/acts.ts';
import { actingBy, performHere } from './acting.ts';
import { aboutClient } from './client-text.ts';
import { collect } from './options.ts';
import { refuseCommand } from './refuse.ts';

type Options = { group?: string[]; user?: string[] };

/** The commands that set who may use a client; each prints the client as `show` does. */
export function addAccessCommands(client: Command): void {
  add(client, 'allow');
  add(client, 'disallow');
}

function add(client: Command, name: 'allow' | 'disallow'): void {
  const definition = clientActs[name];
  client
    .command(name)
    .description(definition.says)
    .argument('<client_id>', 'its client_id')
    .option('--group <group>', 'a group, by name or id; can be repeated', collect)
    .option('--user <user>', 'a user, by username, email address or id; repeatable', collect)
    .action(
      actingBy(async (client_id: string, { group: groups = [], user: people = [] }: Options) => {
        if (groups.length + people.length === 0)
          refuseCommand('Name a group or a user: --group staff, --user ann.');
        return aboutClient(await performHere(definition, { client_id, groups, people }));
      }),
    );
}
