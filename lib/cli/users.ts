import type { Command } from 'commander';
import { refuseAdmin } from '../management/refusal.ts';
import type { UserRecord } from '../management/user/users.ts';
import { type Role, roles } from '../people/roles.ts';
import { typedOf } from '../people/user-field.ts';
import { type Answer, answering, cli } from './answer.ts';
import { addInvitationCommands } from './invitations.ts';
import {
  addListOptions,
  collect,
  type ListOptions,
  readList,
  readPassword,
  readSwitch,
} from './options.ts';
import { facts, table, withNext } from './text.ts';
import { addClaimOptions, type UpdateOptions, updateByOptions } from './user-update.ts';

const users = () => import('../management/user/users.ts');
const who = 'username, email address or id';

/** Commands about people. */
export function addUserCommands(program: Command): void {
  const user = program.command('user').description('people who can sign in');
  addCreate(user);
  addList(user);
  addInvitationCommands(user);
  const one = (name: string, description: string) =>
    user.command(name).description(description).argument('<user>', who);
  one('show', 'show a user, their groups and fields').action(
    answering(async (key: string) => {
      const user = await (await users()).showUser(key);
      return withFields(user, await aboutWithGroups(user));
    }),
  );
  addClaimOptions(one('update', "change a user's details"))
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
      answering(async (key: string, options: UpdateOptions) =>
        withFields(await updateByOptions(key, options)),
      ),
    );
  one(
    'disable',
    'disable a user: end their sessions, revoke their tokens and block sign-in',
  ).action(
    answering(async (key: string) =>
      about(await (await users()).disableUser(key, cli, new Date())),
    ),
  );
  one('enable', 'enable a user; ended sessions and revoked tokens stay that way').action(
    answering(async (key: string) => about(await (await users()).enableUser(key, cli, new Date()))),
  );
  one('delete', 'delete a user and everything that belongs to them').action(
    answering(async (key: string) => {
      const { id, username } = await (await users()).deleteUser(key, cli, new Date());
      return { json: { id, username, deleted: true }, text: `Deleted ${username}.` };
    }),
  );
  one('set-admin', 'make a user an admin; off removes the role')
    .argument('[on|off]', 'default: on')
    .action(
      answering(async (key: string, value: string | undefined) =>
        about(
          await (await users()).setAdmin(
            key,
            readSwitch('set-admin', value) ?? true,
            cli,
            new Date(),
          ),
        ),
      ),
    );
  one('set-role', 'give a user a role in the dashboard instead of the one they have')
    .argument('<role>', `${roles.join(', ')}`)
    .action(
      answering(async (key: string, role: string) =>
        about(await (await users()).setRole(key, readRole(role), cli, new Date())),
      ),
    );
  one('reset-password', "set a user's password; ends their sessions and revokes their tokens")
    .requiredOption('--password <password>', 'the new password; - reads it from standard input')
    .option('--must-change', 'they must choose another password when they sign in')
    .addHelpText(
      'after',
      '\nExample:\n  npm run cli -- user reset-password ada --password - < password.txt',
    )
    .action(
      answering(async (key: string, options: { password: string; mustChange?: boolean }) =>
        about(
          await (await users()).resetPassword(
            key,
            await readPassword(options.password),
            cli,
            new Date(),
            options.mustChange,
          ),
        ),
      ),
    );
  user
    .command('free-name')
    .description('release a reserved username before its year is over')
    .argument('<name>', 'the username')
    .action(
      answering(async (name: string) => {
        await (await import('../management/user/user-faults.ts')).freeUsername(
          name,
          cli,
          new Date(),
        );
        return { json: { username: name, free: true }, text: `${name} is available again.` };
      }),
    );
  one(
    'remove-factors',
    "remove a user's two-step methods, so that they sign in with just their password",
  ).action(
    answering(async (key: string) =>
      about(await (await users()).removeFactors(key, cli, new Date())),
    ),
  );
}

type CreateOptions = {
  username: string;
  email: string;
  password: string;
  name?: string;
  admin?: boolean;
  emailVerified?: string | true;
  mustChange?: boolean;
  group?: string[];
};

function addCreate(user: Command): void {
  user
    .command('create')
    .description('create a user')
    .requiredOption('--username <name>', 'what they sign in with')
    .requiredOption('--email <address>', 'their email address')
    .requiredOption('--password <password>', 'their password; - reads it from standard input')
    .option('--name <name>', 'their full name')
    .option('--admin', 'can manage this server')
    .option('--email-verified [on|off]', 'the email address is known to be theirs')
    .option('--must-change', 'they must choose another password when they sign in')
    .option('--group <group>', 'a group they are in; may be repeated', collect)
    .addHelpText(
      'after',
      `
Examples:
  npm run cli -- user create --username ada --email ada@example.org --password - --admin
  echo "$PASSWORD" | npm run --silent cli -- user create --username bob --email bob@example.org --password - --json`,
    )
    .action(
      answering(async (options: CreateOptions) => {
        const { mustChange: mustChangePassword, group: groups, ...person } = options;
        const emailVerified = readSwitch('email-verified', options.emailVerified);
        const password = await readPassword(options.password);
        const input = { ...person, password, emailVerified, mustChangePassword, groups };
        const user = await (await users()).createUser(input, cli, new Date());
        return groups ? aboutWithGroups(user) : about(user);
      }),
    );
}

function readRole(text: string): Role {
  const role = roles.find((each) => each === text);
  return (
    role ?? refuseAdmin('role', `A role is one of ${roles.join(', ')}, not "${text.slice(0, 80)}".`)
  );
}

type UserListOptions = ListOptions & {
  search?: string;
  role?: string;
  admin?: boolean;
  disabled?: boolean;
  unfitName?: boolean;
};

function addList(user: Command): void {
  const list = user
    .command('list')
    .description('list users, newest first')
    .option('--search <text>', 'start of the username, email address, name or last name')
    .option('--admin', 'admins only')
    .option('--role <role>', `those with this role only: ${roles.join(', ')}`)
    .option('--disabled', 'disabled users only')
    .option('--unfit-name', 'only users whose username breaks the rules and must change');
  addListOptions(list).action(
    answering(
      async ({ search, admin, role, disabled, unfitName: unfit, ...list }: UserListOptions) => {
        const held = role === undefined ? undefined : readRole(role);
        const filter = { ...readList(list), search, admin, role: held, disabled, unfit };
        const page = await (await users()).listUsers(filter);
        const rows = page.rows.map((row) => [
          row.username,
          row.email,
          row.name,
          row.role === 'none' ? '' : row.role,
          row.disabledAt !== null,
          row.createdAt,
        ]);
        const text = table(
          ['user', 'email', 'name', 'role', 'disabled', 'created'],
          rows,
          'No users.',
        );
        return {
          json: { users: page.rows.map(toJson), next: page.next },
          text: withNext(text, page.next),
        };
      },
    ),
  );
}

async function aboutWithGroups(user: UserRecord): Promise<Answer> {
  const { json, text } = about(user);
  const groups = (await (await import('../management/group/groups.ts')).groupsOf(user.id)).map(
    ({ name }) => name,
  );
  return { json: { ...json, groups }, text: `${text}\n${facts([['groups', groups.join(', ')]])}` };
}

function about(user: UserRecord): Answer {
  const text = facts([
    ['id', user.id],
    ['username', user.username],
    ...(user.usernameUnfit ? [['needs a new username', true] as [string, boolean]] : []),
    ['email', user.email],
    ['email verified', user.emailVerified],
    ['name', user.name],
    ['role', user.role],
    ['must change password', user.mustChangePassword],
    ['disabled', user.disabledAt ?? false],
    ...claimFacts(user),
    ['created', user.createdAt],
  ]);
  return { json: toJson(user), text };
}

/** With the values of fields of one's own. */
async function withFields(user: UserRecord, answer = about(user)): Promise<Answer> {
  const { ownFieldsOf } = await import('../management/user/field-values.ts');
  const own = (await ownFieldsOf(user.id)).filter(({ value }) => value !== undefined);
  const { json, text } = answer;
  const more = own.map(({ name, value }): [string, string] => [
    name,
    typeof value === 'object' ? value.join(', ') : typedOf(value),
  ]);
  return {
    json: { ...json, fields: Object.fromEntries(own.map(({ name, value }) => [name, value])) },
    text: more.length > 0 ? `${text}\n\n${facts(more)}` : text,
  };
}

function claimFacts({ claims: { address = {}, ...claims } }: UserRecord): [string, string][] {
  const all = { ...claims, ...address };
  return Object.entries(all).map(([claim, value]) => [claim, String(value)]);
}

function toJson(user: UserRecord): Record<string, unknown> {
  return {
    id: user.id,
    username: user.username,
    username_unfit: user.usernameUnfit,
    email: user.email,
    email_verified: user.emailVerified,
    name: user.name,
    claims: user.claims,
    must_change_password: user.mustChangePassword,
    admin: user.admin,
    role: user.role,
    disabled: user.disabledAt !== null,
    created_at: user.createdAt,
    updated_at: user.updatedAt,
  };
}
