import type { Command } from 'commander';
import type { ClientChange, ClientRecord } from '../management/client/clients.ts';
import { pairLine } from '../management/pairs.ts';
import { refuseAdmin } from '../management/refusal.ts';
import { type ClientField, clientFieldNames, clientFields } from '../oauth/client.ts';
import { addAccessCommands, listedIn } from './access.ts';
import { type Answer, answering, cli } from './answer.ts';
import {
  addClientOptions,
  type ClientOptions,
  nameOption,
  readClientOptions,
} from './client-options.ts';
import { readLogo, withLogo } from './logo.ts';
import { addApprovalCommands } from './new-apps.ts';
import { addListOptions, type ListOptions, readList } from './options.ts';
import { readRecipeOption } from './recipe-answers.ts';
import { answerOption, followRecipe } from './recipes.ts';
import { facts, table, withNext } from './text.ts';

const clients = () => import('../management/client/clients.ts');
const contactsOf = () => import('../management/client/contacts.ts');

/** Who is meant, or undefined if the option is absent. Called before anything changes. */
async function readContacts(keys: string[] | undefined): Promise<string[] | undefined> {
  return keys && (await contactsOf()).namedContacts(keys);
}

async function giveContacts(clientId: string, ids: string[] | undefined): Promise<void> {
  if (ids) await (await contactsOf()).setContacts(clientId, ids, cli, new Date());
}

/** Commands about clients. */
export function addClientCommands(program: Command): void {
  const client = program.command('client').description('apps that use this server');
  addCreate(client);
  addUpdate(client);
  addList(client);
  const one = (name: string, description: string) =>
    client.command(name).description(description).argument('<client_id>', 'its client_id');
  one('show', 'show a client').action(
    answering(async (id: string) => about(await (await clients()).showClient(id))),
  );
  one('disable', 'disable a client and revoke its codes and tokens').action(
    answering(async (id: string) =>
      about(await (await clients()).disableClient(id, cli, new Date())),
    ),
  );
  one('enable', 'enable a client; revoked tokens stay revoked').action(
    answering(async (id: string) =>
      about(await (await clients()).enableClient(id, cli, new Date())),
    ),
  );
  one('delete', 'delete a client and everything issued to it').action(
    answering(async (id: string) => {
      const { name, shownName } = await (await clients()).deleteClient(id, cli, new Date());
      return {
        json: { client_id: id, name, deleted: true },
        text: `Deleted ${shownName} and everything issued to it.`,
      };
    }),
  );
  addApprovalCommands(client);
  addAccessCommands(client, async (id) => about(await (await clients()).showClient(id)));
  one('rotate-secret', 'give a client a new secret; the old ones stop working')
    .option('--keep-old', 'keep the old secrets until the app has the new one')
    .addHelpText(
      'after',
      '\nWithout downtime: rotate with --keep-old, give the app the new secret, rotate again without.',
    )
    .action(
      answering(async (id: string, options: { keepOld?: boolean }) => {
        const { client, secret } = await (await clients()).rotateSecret(
          id,
          options,
          cli,
          new Date(),
        );
        return about(client, secret);
      }),
    );
}

type CreateOptions = ClientOptions & { id?: string; answer?: string[] };

/** The recipe that a new client follows; a kind (`kind:web`) is only noted. @throws AdminRefusal */
async function recipeFor(options: ClientOptions, answers: string[] | undefined) {
  const recipe = options.recipe as string | undefined;
  if (recipe === undefined || recipe.startsWith('kind:')) {
    if (answers) refuseAdmin('answer', '--answer is for what a recipe asks: name it by --recipe.');
    return null;
  }
  return followRecipe(recipe, answers, options.name as string | undefined);
}

/** What was typed, without what was left out. */
const given = (change: ClientChange): ClientChange =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));

function addCreate(client: Command): void {
  const create = client
    .command('create')
    .description('create a client; its secret is shown once')
    .option(...nameOption)
    .option('--id <id>', 'its client_id (random if left out)')
    .option(...answerOption);
  addClientOptions(create)
    .addHelpText(
      'after',
      `
Examples:
  npm run cli -- client create --name "Web shop" --redirect-uri https://shop.example.org/callback
  npm run cli -- client create --recipe gitea --answer address=https://git.example.org
  npm run cli -- client create --name "Phone app" --public --redirect-uri com.example.app:/callback
  npm run cli -- client create --name "Nightly job" --grant client_credentials --scope reports`,
    )
    .action(
      answering(async ({ id, answer, ...options }: CreateOptions) => {
        const logo = await readLogo(options.logo);
        const contacts = await readContacts(options.contact);
        const followed = await recipeFor(options, answer);
        const input = { ...followed?.client, ...given(readClientOptions(options)), id };
        if (followed) input.recipe = followed.client.recipe;
        if (!input.name) refuseAdmin('name', 'The app needs a name: --name.');
        const { client, secret } = await (await clients()).createClient(input, cli, new Date());
        await giveContacts(client.id, contacts);
        const made = await about(await withLogo(client, logo), secret);
        const guide = await followed?.guide({ id: client.id, secret });
        return guide
          ? {
              json: { ...made.json, guide: guide.json },
              text: `${made.text}\n\n${guide.text}`,
              leads: true,
            }
          : made;
      }),
    );
}

function addUpdate(client: Command): void {
  const update = client
    .command('update')
    .description('change a client; only the options you give change')
    .argument('<client_id>', 'its client_id')
    .option(...nameOption);
  addClientOptions(update)
    .option('--confidential', 'it can keep a secret, and gets one')
    .addHelpText(
      'after',
      `
Repeated options replace the whole list. An empty value ("") takes something away.

Examples:
  npm run cli -- client update my-app --require-pkce on --access-token-ttl default
  npm run cli -- client update my-app --redirect-uri https://a.example/cb --redirect-uri https://b.example/cb
  npm run cli -- client update my-app --backchannel-logout-uri "" --scope ""`,
    )
    .action(
      answering(async (id: string, options: ClientOptions) => {
        const recipe = options.recipe as string | undefined;
        if (recipe && !recipe.startsWith('kind:')) readRecipeOption(recipe);
        const logo = await readLogo(options.logo);
        const contacts = await readContacts(options.contact);
        const changed = await (await clients()).updateClient(
          id,
          readClientOptions(options),
          cli,
          new Date(),
        );
        await giveContacts(id, contacts);
        return about(await withLogo(changed.client, logo), changed.secret);
      }),
    );
}

type ClientListOptions = ListOptions & {
  search?: string;
  public?: boolean;
  disabled?: boolean;
  sort?: string;
};

function addList(client: Command): void {
  const list = client
    .command('list')
    .description('list clients, newest first')
    .option('--search <text>', 'part of name, description or client_id')
    .option('--public', 'public clients only')
    .option('--disabled', 'disabled clients only')
    .option('--by-name', 'sort by name');
  addListOptions(list).action(
    answering(async (options: ClientListOptions & { byName?: boolean }) => {
      const { search, disabled, byName } = options;
      const type = options.public ? ('public' as const) : undefined;
      const sort = byName ? ('name' as const) : ('newest' as const);
      const page = await (await clients()).listClients({
        ...readList(options),
        search,
        type,
        disabled,
        sort,
      });
      const rows = page.rows.map((row) => [
        row.id,
        row.shownName,
        row.type,
        row.firstParty,
        row.disabledAt !== null,
        row.createdAt,
      ]);
      const text = table(
        ['client_id', 'name', 'type', 'first party', 'disabled', 'created'],
        rows,
        'No clients.',
      );
      const json = page.rows.map((row) => ({
        client_id: row.id,
        name: row.name,
        type: row.type,
        description: row.description,
        first_party: row.firstParty,
        resource_server: row.resourceServer,
        disabled: row.disabledAt !== null,
        created_at: row.createdAt,
        updated_at: row.updatedAt,
      }));
      return { json: { clients: json, next: page.next }, text: withNext(text, page.next) };
    }),
  );
}

async function about(client: ClientRecord, secret: string | null = null): Promise<Answer> {
  const { listContacts } = await contactsOf();
  const contacts = (await listContacts(client.id)).map(({ username }) => username);
  const { groups, users } = await listedIn(client.id);
  const people = { contacts, allowed_groups: groups, allowed_users: users };
  const note = groups.length + users.length > 0 && client.access === 'everybody';
  const json = {
    ...toJson(client, secret),
    ...people,
    ...(note && { note: listIsIdle(client.id) }),
  };
  const shown = Object.entries(json).filter(
    ([name, value]) =>
      value !== null &&
      name !== 'secrets' &&
      !(name in people && Array.isArray(value) && value.length === 0),
  );
  const lines = shown.map(([name, value]): [string, string] => [
    name,
    Array.isArray(value) ? value.join(name === 'allowed_groups' ? ', ' : ' ') : say(value),
  ]);
  const keep = secret === null ? '' : '\n\nCopy the client_secret now. It will not be shown again.';
  return { json, text: facts(lines) + keep };
}

const listIsIdle = (id: string) =>
  `Everybody may use this client: the list restricts nothing until "client update ${id} --access listed".`;

function say(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'object' || value === null) return String(value);
  return (Object.entries(value) as [string, string][]).map(pairLine).join(', ');
}

function toJson(client: ClientRecord, secret: string | null): Record<string, unknown> {
  const { name, type, description, home_page, ...others } = fieldsOf(client);
  return {
    client_id: client.id,
    ...(secret === null ? {} : { client_secret: secret }),
    name,
    type,
    description,
    home_page,
    logo: client.logo,
    ...others,
    disabled: client.disabledAt !== null,
    secrets: client.secrets.map(({ createdAt, lastUsedAt }) => ({
      created_at: createdAt,
      last_used_at: lastUsedAt,
    })),
    created_at: client.createdAt.toISOString(),
    updated_at: client.updatedAt.toISOString(),
  };
}

/** What an admin has decided, under the names that this command shows. */
function fieldsOf(client: ClientRecord): Record<string, unknown> {
  const entries = clientFieldNames.map((field) => {
    const value = client[field];
    return [
      shownNames[field] ?? field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      clientFields[field].kind === 'wordsOrServer' && Array.isArray(value)
        ? value.join(' ')
        : value,
    ];
  });
  return Object.fromEntries(entries);
}

const shownNames: Partial<Record<ClientField, string>> = { scopes: 'scope', sendIss: 'iss' };
