import type { Command } from 'commander';
import type { Group, ListedGroup } from '../management/group/groups.ts';
import type { Changed, Member } from '../management/group/members.ts';
import { type Answer, answering, cli } from './answer.ts';
import { addListOptions, type ListOptions, readList } from './options.ts';
import { facts, table, withNext } from './text.ts';

const groups = () => import('../management/group/groups.ts');
const members = () => import('../management/group/members.ts');
const which = 'its name or id';

/** Commands about groups and who is in them. */
export function addGroupCommands(program: Command): void {
  const group = program.command('group').description('people who belong together');
  addList(group);
  addShow(group);
  addChanges(group);
  addMembership(group);
  group
    .command('delete')
    .description('delete a group; its members lose the apps that nothing else allows them')
    .argument('<group>', which)
    .action(
      answering(async (key: string) => {
        const gone = await (await groups()).deleteGroup(key, cli, new Date());
        const { id, name, members, apps } = gone;
        const text = `Deleted ${name}, which had ${members} members and was named by ${apps} apps.`;
        return { json: { id, name, deleted: true, members, apps }, text };
      }),
    );
}

function addList(group: Command): void {
  const list = group
    .command('list')
    .description('list groups, by name')
    .option('--search <text>', 'start of the name')
    .option('--empty', 'only groups without members')
    .option('--user <user>', 'only groups of this person: username, email address or id');
  type Options = ListOptions & { search?: string; empty?: boolean; user?: string };
  addListOptions(list).action(
    answering(async ({ search, empty, user, ...list }: Options) => {
      const userId = user === undefined ? undefined : await idOf(user);
      const page = await (await groups()).listGroups({ ...readList(list), search, empty, userId });
      const rows = page.rows.map(({ name, facts, description }) => [
        name,
        facts.members.count,
        facts.apps,
        description,
      ]);
      const text = table(['group', 'members', 'apps', 'description'], rows, 'No groups.');
      return {
        json: { groups: page.rows.map(listedJson), next: page.next },
        text: withNext(text, page.next),
      };
    }),
  );
}

async function idOf(user: string): Promise<string> {
  return (await (await import('../management/users.ts')).showUser(user)).id;
}

function addShow(group: Command): void {
  const show = group
    .command('show')
    .description('show a group and its members')
    .argument('<group>', which)
    .option('--search <text>', 'only members whose username, email address or name starts so');
  addListOptions(show).action(
    answering(async (key: string, { search, ...list }: ListOptions & { search?: string }) => {
      const found = await (await groups()).showGroup(key);
      const filter = { ...readList(list), search };
      const { rows, total, next } = await (await members()).listMembers(found.id, filter);
      const people = table(['user', 'email', 'name', 'since'], rows.map(cellsOf), 'No members.');
      const { apps } = await (await groups()).countOfGroup(found.id);
      const text = `${facts([...factsOf(found), ['apps', apps], ['members', total.count]])}\n\n${people}`;
      const json = { ...toJson(found), apps, member_count: total.count };
      return { json: { ...json, members: rows.map(memberJson), next }, text: withNext(text, next) };
    }),
  );
}

type Options = { name?: string; description?: string };

function addChanges(group: Command): void {
  const description = [
    '--description <text>',
    'what it is for; apps and members do not see it',
  ] as const;
  group
    .command('create')
    .description('create a group')
    .argument('<name>', 'what apps are told')
    .option(...description)
    .addHelpText('after', '\nExample:\n  npm run cli -- group create editors')
    .action(
      answering(async (name: string, options: Options) =>
        about(await (await groups()).createGroup({ name, ...options }, cli, new Date())),
      ),
    );
  group
    .command('update')
    .description('rename or describe a group; only the options you give change')
    .argument('<group>', which)
    .option('--name <name>', 'what apps are told from now on')
    .option(...description)
    .action(
      answering(async (key: string, options: Options) =>
        about(await (await groups()).updateGroup(key, options, cli, new Date())),
      ),
    );
}

function addMembership(group: Command): void {
  const command = (name: string, description: string) =>
    group
      .command(name)
      .description(description)
      .argument('<group>', which)
      .argument('<user...>', 'username, email address or id; several at once');
  command('add', 'add people to a group').action(
    answering(async (key: string, people: string[]) => {
      const changed = await (await members()).addMembers(key, people, cli, new Date());
      return aboutChange(key, changed, 'added', 'already');
    }),
  );
  command('remove', 'remove people from a group').action(
    answering(async (key: string, people: string[]) => {
      const changed = await (await members()).removeMembers(key, people, cli, new Date());
      return aboutChange(key, changed, 'removed', 'not_in_it');
    }),
  );
}

async function aboutChange(
  key: string,
  { done, already }: Changed,
  did: 'added' | 'removed',
  otherwise: 'already' | 'not_in_it',
): Promise<Answer> {
  const { id, name } = await (await groups()).showGroup(key);
  const rest = did === 'added' ? 'were in it already' : 'were not in it';
  const said = already.length > 0 ? `; ${already.length} ${rest}` : '';
  const text = `${name}: ${done.length} ${did}${said}.`;
  return { json: { id, name, [did]: done, [otherwise]: already }, text };
}

function about(group: Group): Answer {
  return { json: toJson(group), text: facts(factsOf(group)) };
}

const factsOf = ({ id, name, description, createdAt }: Group): [string, string | Date | null][] => [
  ['id', id],
  ['name', name],
  ['description', description],
  ['created', createdAt],
];

function toJson({ id, name, description, createdAt, updatedAt }: Group) {
  return { id, name, description, created_at: createdAt, updated_at: updatedAt };
}

function listedJson({ facts: { members, apps }, ...group }: ListedGroup) {
  return { ...toJson(group), member_count: members.count, apps };
}

const cellsOf = ({ username, email, name, since }: Member) => [username, email, name, since];

function memberJson({ id, username, email, name, disabledAt, since }: Member) {
  return { id, username, email, name, disabled: disabledAt !== null, since };
}
