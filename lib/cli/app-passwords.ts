import type { Command } from 'commander';
import { appPasswordActs } from '../management/app-password/acts.ts';
import { addAct } from './act-command.ts';
import { idOfUser, whichUser } from './people-filter.ts';
import { facts, table, withNext } from './text.ts';

/** Commands about people's passwords for single apps. */
export function addAppPasswordCommands(program: Command): void {
  const group = program
    .command('app-password')
    .description('passwords of users for one app, for programs that cannot open a browser');
  addAct(group.command('create'), appPasswordActs.create, {
    places: { user: whichUser, client: ['<client_id>', 'the app'] },
    flags: {
      name: { flag: '--name <name>' },
      for: { flag: '--for <time>' },
      networks: { flag: '--network <network>' },
    },
    text: ({ secret, name, client_name, expires_at, networks }) =>
      facts([
        ['secret', secret],
        ['name', name],
        ['app', client_name],
        ['networks', networks.join(' ') || 'anywhere'],
        ['expires', expires_at ?? 'never'],
      ]),
  });
  addAct(group.command('list'), appPasswordActs.list, {
    flags: {
      user: { flag: '--user <user>', says: 'username, email address or id', read: idOfUser },
      client: { flag: '--client <client_id>' },
    },
    text({ app_passwords: passwords, next }) {
      const rows = passwords.map((row) => [
        row.id,
        row.username,
        row.client_name,
        row.name,
        row.networks.join(' ') || 'anywhere',
        row.expires_at ?? 'never',
        row.last_used_at ?? 'never',
      ]);
      const head = ['id', 'user', 'app', 'name', 'networks', 'expires', 'last used'];
      return withNext(table(head, rows, 'No app passwords.'), next);
    },
  });
  addAct(group.command('end'), appPasswordActs.end, {
    places: { id: ['<id>', 'its id, as listed'] },
    text: ({ name, username }) => `Ended ${name} of ${username}. It no longer works.`,
  });
}
