import type { Command } from 'commander';
import { groupActs } from '../management/group/acts.ts';
import { addAct } from './act-command.ts';
import { actingBy, performHere } from './acting.ts';
import { addListOptions, type ListOptions, readList } from './options.ts';
import { idOfGroup, idOfUser } from './people-filter.ts';
import { type Fact, facts, factsOf, table, withNext } from './text.ts';

const which = ['<group>', 'its name or id', idOfGroup] as const;
const users = ['<user...>', 'username, email address or id; several at once'] as const;

export function addGroupCommands(program: Command): void {
  const group = program.command('group').description('people who belong together');
  addList(group);
  addShow(group);
  addAct(group.command('create'), groupActs.create, {
    places: { name: ['<name>', 'the name that apps get'] },
  }).addHelpText('after', '\nExample:\n  npm run cli -- group create editors');
  addAct(group.command('update'), groupActs.update, {
    places: { id: which },
    flags: { name: { flag: '--name <name>', says: 'the name that apps get from now on' } },
  });
  addAct(group.command('add'), groupActs.addMembers, {
    places: { id: which, people: users },
    text: ({ name, added, already }) =>
      `${name}: ${added.length} added${counted(already, 'were in it already')}.`,
  });
  addAct(group.command('remove'), groupActs.removeMembers, {
    places: { id: which, people: users },
    text: ({ name, removed, not_in_it }) =>
      `${name}: ${removed.length} removed${counted(not_in_it, 'were not in it')}.`,
  });
  addAct(group.command('delete'), groupActs.delete, {
    places: { id: which },
    text: ({ name, members, apps }) =>
      `Deleted ${name}, which had ${members} members and was named by ${apps} apps.`,
  });
}

const counted = (ids: readonly string[], were: string) =>
  ids.length > 0 ? `; ${ids.length} ${were}` : '';

function addList(group: Command): void {
  addAct(group.command('list'), groupActs.list, {
    flags: {
      q: { flag: '--search <text>' },
      empty: { flag: '--empty' },
      user: {
        flag: '--user <user>',
        says: 'only groups of this person: username, email address or id',
        read: idOfUser,
      },
      sort: { flag: '--sort <order>' },
    },
    text({ groups, next }) {
      const rows = groups.map((one) => [one.name, one.member_count, one.apps, one.description]);
      return withNext(table(['group', 'members', 'apps', 'description'], rows, 'No groups.'), next);
    },
  });
}

/** Runs two acts: one reads the group, the other its members. */
function addShow(group: Command): void {
  const show = group
    .command('show')
    .description('show a group and its members')
    .argument('<group>', which[1])
    .option('--search <text>', 'only members whose username, email address or name starts so');
  addListOptions(show).action(
    actingBy(async (key: string, { search: q, ...list }: ListOptions & { search?: string }) => {
      const id = await idOfGroup(key);
      const found = await performHere(groupActs.show, { id });
      const people = await performHere(groupActs.listMembers, { id, q, ...readList(list) });
      const rows = people.members.map((one) => [one.username, one.email, one.name, one.since]);
      const { member_count: _, ...told } = found;
      const about: Fact[] = [...factsOf(told), ['members', people.member_count]];
      const text = `${facts(about)}\n\n${table(['user', 'email', 'name', 'since'], rows, 'No members.')}`;
      return { json: { ...found, ...people }, text: withNext(text, people.next) };
    }),
  );
}
