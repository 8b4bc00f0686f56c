import type { Command } from 'commander';
import { apiKeyActs } from '../management/api-key/acts.ts';
import { addAct } from './act-command.ts';
import { finding } from './acting.ts';
import { type Fact, facts, table } from './text.ts';

const idOfKey = finding('api-key', async (typed) => {
  return (await (await import('../management/api-key/keys.ts')).findKey(typed)).id;
});
const which = ['<key>', 'its name or id', idOfKey] as const;

export function addApiKeyCommands(program: Command): void {
  const group = program
    .command('api-key')
    .description('keys with which programs call the API of this server');
  addAct(group.command('create'), apiKeyActs.create, {
    flags: {
      name: { flag: '--name <name>' },
      rights: { flag: '--right <right>' },
      for: { flag: '--for <time>' },
      networks: { flag: '--network <network>' },
    },
    text: ({ secret, ...key }) => facts([['secret', secret], ...factsOf(key)]),
  }).addHelpText(
    'after',
    '\nExample:\n  npm run cli -- api-key create --name Terraform --right group:write --for "30 days"' +
      '\n  npm run cli -- api-key create --name Reports --right all:read' +
      '\n\nA program sends it as Authorization: Bearer to /api/v1.',
  );
  addAct(group.command('list'), apiKeyActs.list, {
    text({ api_keys: keys }) {
      const rows = keys.map((key) => [
        key.id,
        key.name,
        key.rights.join(' '),
        key.made_by,
        key.expires_at,
        key.last_used_at,
      ]);
      const head = ['id', 'name', 'rights', 'made by', 'expires', 'last used'];
      return table(head, rows, 'No API keys.');
    },
  });
  addAct(group.command('show'), apiKeyActs.show, {
    places: { id: which },
    text: (key) => facts(factsOf(key)),
  });
  addAct(group.command('delete'), apiKeyActs.delete, {
    places: { id: which },
    text: ({ name }) => `Deleted ${name}. It no longer works.`,
  });
}

type Told = Readonly<{
  id: string;
  name: string;
  rights: readonly string[];
  networks: readonly string[];
  made_by: string | null;
  created_at: Date;
  expires_at: Date;
  last_used_at: Date | null;
}>;

const factsOf = (key: Told): Fact[] => [
  ['id', key.id],
  ['name', key.name],
  ['rights', key.rights.join(' ')],
  ['networks', key.networks.join(' ') || 'anywhere'],
  ['made by', key.made_by ?? 'the operator'],
  ['created', key.created_at],
  ['expires', key.expires_at],
  ['last used', key.last_used_at],
];
