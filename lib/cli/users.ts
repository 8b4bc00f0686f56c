import type { Command } from 'commander';
import type { UserRecord } from '../management/users.ts';
import { type Answer, answering, cli } from './answer.ts';
import { addInvitationCommands } from './invitations.ts';
import { addListOptions, type ListOptions, readList, readPassword, readSwitch } from './options.ts';
import { facts, table, withNext } from './text.ts';
import { addClaimOptions, updateByOptions } from './user-update.ts';

const users = () => import('../management/users.ts');
const who = 'user name, e-mail address or id';

/** Commands about people. */
export function addUserCommands(program: Command): void {
  const user = program.command('user').description('people who sign in');
  addCreate(user);
  addList(user);
  addInvitationCommands(user);
  const one = (name: string, description: string) =>
    user.command(name).description(description).argument('<user>', who);
  one('show', 'show a person').action(
    answering(async (key: string) => about(await (await users()).showUser(key))),
  );
  addClaimOptions(one('update', 'change what an account says of its person'))
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
  one('disable', 'end everything a person has, for good, and let them sign in no more').action(
    answering(async (key: string) =>
      about(await (await users()).disableUser(key, cli, new Date())),
    ),
  );
  one('enable', 'let a person sign in again; what had ended stays ended').action(
    answering(async (key: string) => about(await (await users()).enableUser(key, cli, new Date()))),
  );
  one('delete', 'remove a person with everything of theirs').action(
    answering(async (key: string) => {
      const { id, username } = await (await users()).deleteUser(key, cli, new Date());
      return { json: { id, username, deleted: true }, text: `${username} is deleted.` };
    }),
  );
  one('set-admin', 'make a person an admin, or with off no longer one')
    .argument('[on|off]', 'on when left out')
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
  one('reset-password', 'give a person another password; everything made with the old one ends')
    .requiredOption('--password <password>', 'the new password; - reads it from standard input')
    .option('--must-change', 'whoever signs in with it chooses another one first')
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
    .description('let a user name that somebody gave up be taken before its year is over')
    .argument('<name>', 'the user name')
    .action(
      answering(async (name: string) => {
        await (await users()).freeUsername(name, cli, new Date());
        return { json: { username: name, free: true }, text: `${name} can be taken again.` };
      }),
    );
  one(
    'remove-factors',
    'take the second factors of a person away who has lost them; the password alone signs them in again',
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
    .description('make an account')
    .requiredOption('--username <name>', 'what the person signs in with')
    .requiredOption('--email <address>', 'their e-mail address')
    .requiredOption('--password <password>', 'their password; - reads it from standard input')
    .option('--name <name>', 'their full name')
    .option('--admin', 'may manage this server')
    .option('--email-verified [on|off]', 'the e-mail address is known to be theirs')
    .option('--must-change', 'whoever signs in with the password chooses another one first')
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
    .description('list people, the latest first')
    .option('--search <text>', 'beginning of user name, e-mail address, name or last name')
    .option('--admin', 'admins only')
    .option('--disabled', 'disabled people only')
    .option(
      '--unfit-name',
      'only people whose user name breaks the rules and has to be another one',
    );
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
        ['user', 'e-mail', 'name', 'admin', 'disabled', 'created'],
        rows,
        'There is nobody.',
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
    ...(user.usernameUnfit ? [['needs another user name', true] as [string, boolean]] : []),
    ['email', user.email],
    ['email confirmed', user.emailVerified],
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
