import type { Command } from 'commander';
import type { Meant } from '../management/client/access.ts';
import { refuseAdmin } from '../management/refusal.ts';
import { type Answer, answering, cli } from './answer.ts';
import { collect } from './options.ts';

type Options = { group?: string[]; user?: string[] };
type Show = (id: string) => Promise<Answer>;

const access = () => import('../management/client/access.ts');

/** The commands that say who may use a client; each answers with what `show` says of it. */
export function addAccessCommands(client: Command, show: Show): void {
  add(client, show, 'allow', 'list groups and people who may use a client (--access listed)');
  add(client, show, 'disallow', 'list them no longer; whoever loses access is signed out of it');
}

function add(client: Command, show: Show, name: 'allow' | 'disallow', says: string): void {
  client
    .command(name)
    .description(says)
    .argument('<client_id>', 'its client_id')
    .option('--group <group>', 'a group, by name or id; can be repeated', collect)
    .option('--user <user>', 'somebody, by username, email address or id; repeatable', collect)
    .action(
      answering(async (id: string, options: Options) => {
        const meant = await readMeant(options);
        await (await access())[name](id, meant, cli, new Date());
        return show(id);
      }),
    );
}

async function readMeant({ group: groups = [], user: people = [] }: Options): Promise<Meant> {
  if (groups.length + people.length === 0)
    refuseAdmin('group', 'Name a group or somebody: --group staff, --user ann.');
  return (await access()).whoIsMeant({ groups, people });
}

/** What `client show` says of it. */
export async function listedIn(id: string): Promise<{ groups: string[]; users: string[] }> {
  const { groups, people } = await (await access()).showAccess(id);
  return {
    groups: groups.map(({ name }) => name),
    users: people.map(({ username }) => username),
  };
}
