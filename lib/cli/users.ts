import type { Command } from 'commander';
import type { UserRecord } from '../management/users.ts';
import { type Answer, answering, cli } from './answer.ts';
import { addInvitationCommands } from './invitations.ts';
import { addListOptions, type ListOptions, readList, readPassword, readSwitch } from './options.ts';
import { facts, table, withNext } from './text.ts';
import { addClaimOptions, updateByOptions } from './user-update.ts';

const users = () => import('../management/users.ts');
const who = 'username, email address or id';

/** Commands about people. */
export function addUserCommands(program: Command): void {
  const user = program.command('user').description('people who can sign in');
  addCreate(user);
  addList(user);
  addInvitationCommands(user);
  const one = (name: string, description: string) =>
    user.command(name).description(description).argument('<user>', who);
  one('show', 'show a user').action(
    answering(async (key: string) => about(await (await users()).showUser(key))),
  );
  addClaimOptions(one('update', "change a user's details"))
    .addHelpText(
      'after',
      `
An empty text takes a claim away.

Examples:
  npm run cli -- user update ada --email ada@example.com --email-verified
  npm run cli -- user update ada --given-name Ada --family-name Lovelace --locale en --phone-number ""`,
    )
    .action(
      answering(async (key: string, options: Record<string, string | true | undefined>) =>
        about(await updateByOptions(key, options)),
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
        await (await users()).freeUsername(name, cli, new Date());
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
    .addHelpText(
      'after',
      `
Examples:
  npm run cli -- user create --username ada --email ada@example.org --password - --admin
  echo "$PASSWORD" | npm run --silent cli -- user create --username bob --email bob@example.org --password - --json`,
    )
    .action(
      answering(async (options: CreateOptions) => {
        const { mustChange: mustChangePassword, ...person } = options;
        const emailVerified = readSwitch('email-verified', options.emailVerified);
        const password = await readPassword(options.password);
        const input = { ...person, password, emailVerified, mustChangePassword };
        return about(await (await users()).createUser(input, cli, new Date()));
      }),
    );
}

type UserListOptions = ListOptions & {
  search?: string;
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
    .option('--disabled', 'disabled users only')
    .option('--unfit-name', 'only users whose username breaks the rules and must change');
  addListOptions(list).action(
    answering(async ({ search, admin, disabled, unfitName: unfit, ...list }: UserListOptions) => {
      const filter = { ...readList(list), search, admin, disabled, unfit };
      const page = await (await users()).listUsers(filter);
      const rows = page.rows.map((row) => [
        row.username,
        row.email,
        row.name,
        row.admin,
        row.disabledAt !== null,
        row.createdAt,
      ]);
      const text = table(
        ['user', 'email', 'name', 'admin', 'disabled', 'created'],
        rows,
        'No users.',
      );
      return {
        json: { users: page.rows.map(toJson), next: page.next },
        text: withNext(text, page.next),
      };
    }),
  );
}

function about(user: UserRecord): Answer {
  const text = facts([
    ['id', user.id],
    ['username', user.username],
    ...(user.usernameUnfit ? [['needs a new username', true] as [string, boolean]] : []),
    ['email', user.email],
    ['email verified', user.emailVerified],
    ['name', user.name],
    ['admin', user.admin],
    ['must change password', user.mustChangePassword],
    ['disabled', user.disabledAt ?? false],
    ...claimFacts(user),
    ['created', user.createdAt],
  ]);
  return { json: toJson(user), text };
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
    disabled: user.disabledAt !== null,
    created_at: user.createdAt,
    updated_at: user.updatedAt,
  };
}
