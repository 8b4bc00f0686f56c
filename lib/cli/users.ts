import type { Command } from 'commander';
import type { z } from 'zod';
import { userActs } from '../management/user/acts.ts';
import type { fieldsTold, userTold } from '../management/user/fields.ts';
import { roles } from '../people/roles.ts';
import { typedOf } from '../people/user-field.ts';
import { addAct } from './act-command.ts';
import { actingBy, performHere } from './acting.ts';
import type { Answer } from './answer.ts';
import { addImportCommands } from './imports.ts';
import { addInvitationCommands } from './invitations.ts';
import { addLeavingCommands } from './leaving.ts';
import { readPassword, readSwitch } from './options.ts';
import { idOfUser, peopleFlags, readRole, whichUser } from './people-filter.ts';
import { type Fact, facts, table, withNext } from './text.ts';
import { addClaimOptions, type UpdateOptions, updateByOptions } from './user-update.ts';

const [, who] = whichUser;

export function addUserCommands(program: Command): void {
  const user = program.command('user').description('people who can sign in');
  addCreate(user);
  addList(user);
  addInvitationCommands(user);
  addImportCommands(user);
  addAct(user.command('show'), userActs.show, {
    places: { id: whichUser },
    text: (told) => withFields(withGroups(textOf(told), told.groups), told.fields),
  });
  addUpdate(user);
  addAct(user.command('set-end'), userActs.setEnd, {
    places: {
      id: whichUser,
      ends_at: ['<end>', '2031-02-28 (to its end, UTC), a moment, or never'],
    },
    text: textOf,
  });
  addUnused(user);
  addAct(user.command('disable'), userActs.disable, { places: { id: whichUser }, text: textOf });
  addAct(user.command('enable'), userActs.enable, { places: { id: whichUser }, text: textOf });
  addAct(user.command('keep'), userActs.keep, { places: { id: whichUser }, text: textOf });
  addAct(user.command('delete'), userActs.delete, {
    places: { id: whichUser },
    text: ({ username }) => `Deleted ${username}.`,
  });
  addLeavingCommands(user, whichUser);
  addSetAdmin(user);
  addSetRole(user);
  addRequireSecondFactor(user);
  addResetPassword(user);
  addAct(user.command('free-name'), userActs.freeName, {
    places: { username: ['<name>', 'the username'] },
    text: ({ username }) => `${username} is available again.`,
  });
  addAct(user.command('remove-factors'), userActs.removeFactors, {
    places: { id: whichUser },
    text: textOf,
  });
}

function addUnused(user: Command): void {
  addAct(user.command('unused'), userActs.unused, {
    flags: { unused_for: { flag: '--for <time>' } },
    text: ({ users, ...plan }) =>
      `${facts([
        ['disabled after', plan.days === 0 ? 'never' : `${plan.days} days`],
        ['warned before', `${plan.notice_days} days`],
        ['accounts', plan.people],
        ['warned', plan.warned],
        ['not warned yet', plan.unused],
        ['at once at most', plan.most],
        ['waits for you', plan.held === 'share' ? 'yes: too many at once' : (plan.held ?? 'no')],
      ])}\n${table(
        ['username', 'last used', 'ends'],
        users.map((one) => [one.username, one.last_used_at, one.ends_at]),
        'No account is unused.',
      )}`,
  });
  addAct(user.command('warn-unused'), userActs.warnUnused, {
    flags: { expected: { flag: '--expected <number>' } },
    text: ({ warned }) => `Warned: ${warned}`,
  });
}

function addCreate(user: Command): void {
  addAct(user.command('create'), userActs.create, {
    flags: {
      username: { flag: '--username <name>' },
      email: { flag: '--email <address>' },
      password: {
        flag: '--password <password>',
        says: 'their password; - reads it from standard input',
        isNeeded: true,
        read: readPassword,
      },
      name: { flag: '--name <name>' },
      admin: { flag: '--admin' },
      email_verified: {},
      must_change_password: { flag: '--must-change' },
      groups: { flag: '--group <group>', says: 'a group they are in; may be repeated' },
      ends_at: { flag: '--ends-at <end>' },
    },
    text: (told) => (told.groups.length > 0 ? withGroups(textOf(told), told.groups) : textOf(told)),
  }).addHelpText(
    'after',
    `
Examples:
  npm run cli -- user create --username ada --email ada@example.org --password - --admin
  echo "$PASSWORD" | npm run --silent cli -- user create --username bob --email bob@example.org --password - --json`,
  );
}

function addList(user: Command): void {
  addAct(user.command('list'), userActs.list, {
    flags: peopleFlags,
    text({ users, next }) {
      const rows = users.map(({ username, email, name, role, disabled, created_at }) => [
        username,
        email,
        name,
        role === 'none' ? '' : role,
        disabled,
        created_at,
      ]);
      const head = ['user', 'email', 'name', 'role', 'disabled', 'created'];
      return withNext(table(head, rows, 'No users.'), next);
    },
  });
}

function addUpdate(user: Command): void {
  const update = user.command('update').description(userActs.update.says).argument('<user>', who);
  addClaimOptions(update)
    .addHelpText(
      'after',
      `
An empty text takes a claim or a value away. For each entry of a list, give --field once.

Examples:
  npm run cli -- user update ada --email ada@example.com --email-verified
  npm run cli -- user update ada --given-name Ada --family-name Lovelace --locale en --phone-number ""
  npm run cli -- user update ada --field department=Research --field tags=red --field tags=blue`,
    )
    .action(
      actingBy(async (key: string, options: UpdateOptions) => {
        const told = await updateByOptions(() => idOfUser(key), options);
        return { json: told, text: withFields(textOf(told), told.fields) };
      }),
    );
}

function addSetAdmin(user: Command): void {
  user
    .command('set-admin')
    .description(userActs.setAdmin.says)
    .argument('<user>', who)
    .argument('[on|off]', 'default: on')
    .action(
      actingBy(async (key: string, value: string | undefined) => {
        const admin = readSwitch('set-admin', value) ?? true;
        return about(await performHere(userActs.setAdmin, { id: await idOfUser(key), admin }));
      }),
    );
}

function addRequireSecondFactor(user: Command): void {
  user
    .command('require-second-factor')
    .description(userActs.requireSecondFactor.says)
    .argument('<user>', who)
    .argument('[on|off]', 'default: on')
    .action(
      actingBy(async (key: string, value: string | undefined) => {
        const required = readSwitch('require-second-factor', value) ?? true;
        const said = { id: await idOfUser(key), required };
        return about(await performHere(userActs.requireSecondFactor, said));
      }),
    );
}

function addSetRole(user: Command): void {
  user
    .command('set-role')
    .description(userActs.setRole.says)
    .argument('<user>', who)
    .argument('<role>', `${roles.join(', ')}`)
    .action(
      actingBy(async (key: string, typed: string) => {
        const role = readRole(typed);
        return about(await performHere(userActs.setRole, { id: await idOfUser(key), role }));
      }),
    );
}

function addResetPassword(user: Command): void {
  addAct(user.command('reset-password'), userActs.resetPassword, {
    places: { id: whichUser },
    flags: {
      password: {
        flag: '--password <password>',
        says: 'the new password; - reads it from standard input',
        isNeeded: true,
        read: readPassword,
      },
      must_change_password: { flag: '--must-change' },
    },
    text: textOf,
  }).addHelpText(
    'after',
    '\nExample:\n  npm run cli -- user reset-password ada --password - < password.txt',
  );
}

type Told = z.output<typeof userTold>;

const about = (told: Told): Answer => ({ json: told, text: textOf(told) });

function textOf(user: Told): string {
  const unfit: Fact[] = user.username_unfit ? [['needs a new username', true]] : [];
  return facts([
    ['id', user.id],
    ['username', user.username],
    ...unfit,
    ['email', user.email],
    ['email verified', user.email_verified],
    ['name', user.name],
    ['role', user.role],
    ['must change password', user.must_change_password],
    ['two steps required', user.require_second_factor],
    ['disabled', user.disabled_at ?? false],
    ...claimFacts(user),
    ['created', user.created_at],
  ]);
}

function claimFacts({ claims: { address, ...claims } }: Told): Fact[] {
  const all = { ...claims, ...(typeof address === 'object' ? address : {}) };
  return Object.entries(all).map(([claim, value]) => [claim, String(value)]);
}

const withGroups = (text: string, groups: readonly string[]) =>
  `${text}\n${facts([['groups', groups.join(', ')]])}`;

function withFields(text: string, fields: z.output<typeof fieldsTold>): string {
  const more = Object.entries(fields).map(
    ([name, value]): Fact => [name, typeof value === 'object' ? value.join(', ') : typedOf(value)],
  );
  return more.length > 0 ? `${text}\n\n${facts(more)}` : text;
}
