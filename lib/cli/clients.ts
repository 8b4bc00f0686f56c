import { type Command, Option } from 'commander';
import type { z } from 'zod';
import { clientActs } from '../management/client/acts.ts';
import { type ClientKind, clientKinds, startOf } from '../management/client/client-kinds.ts';
import type { ClientChange } from '../management/client/clients.ts';
import { inJsonNames } from '../management/client/fields.ts';
import { secretActs } from '../management/secret/acts.ts';
import { originOfKind } from '../recipes/origin.ts';
import { addAccessCommands } from './access.ts';
import { addAct } from './act-command.ts';
import { actingBy, performHere } from './acting.ts';
import {
  addClientOptions,
  type ClientOptions,
  nameOption,
  readClientOptions,
} from './client-options.ts';
import { aboutClient } from './client-text.ts';
import { readLogo } from './logo.ts';
import { addApprovalCommands } from './new-apps.ts';
import { readRecipeOption } from './recipe-answers.ts';
import { answerOption, followRecipe } from './recipes.ts';
import { refuseCommand } from './refuse.ts';
import { table, withNext } from './text.ts';

const which = ['<client_id>', 'its client_id'] as const;
export function addClientCommands(program: Command): void {
  const client = program.command('client').description('apps that use this server');
  addCreate(client);
  addUpdate(client);
  addList(client);
  addOne(client, 'show');
  addOne(client, 'disable');
  addOne(client, 'enable');
  addAct(client.command('delete'), clientActs.delete, {
    places: { client_id: which },
    text: ({ shown_name }) => `Deleted ${shown_name} and everything issued to it.`,
  });
  addAct(client.command('check-sites'), clientActs.checkSites, {
    places: { client_id: which },
    text: ({ sites }) => sites.map(siteText).join('\n\n') || 'It has no guarded sites.',
  });
  addApprovalCommands(client);
  addAccessCommands(client);
  addRotate(client);
}

type CheckedSite = z.output<typeof clientActs.checkSites.tells>['sites'][number];

const siteText = ({ site, findings }: CheckedSite) =>
  `${site}\n${table(
    ['check', '', 'received', 'expected'],
    findings.map(({ check, fine, received, expected }) => [
      check,
      fine ? 'ok' : 'WRONG',
      received,
      expected,
    ]),
    'Nothing was checked.',
  )}`;

function addOne(client: Command, name: 'show' | 'disable' | 'enable'): void {
  const definition = clientActs[name];
  client
    .command(name)
    .description(definition.says)
    .argument(...which)
    .action(
      actingBy(async (client_id: string) =>
        aboutClient(await performHere(definition, { client_id })),
      ),
    );
}

/** Runs two acts: one makes the new secret, the other reads the client afterwards. */
function addRotate(client: Command): void {
  client
    .command('rotate-secret')
    .description(secretActs.create.says)
    .argument(...which)
    .option('--keep-old', 'keep the old secrets until the app has the new one')
    .addHelpText(
      'after',
      '\nWithout downtime: rotate with --keep-old, give the app the new secret, rotate again without.',
    )
    .action(
      actingBy(async (client_id: string, { keepOld }: { keepOld?: boolean }) => {
        const made = await performHere(secretActs.create, { client_id, keep_old: keepOld });
        const told = await performHere(clientActs.show, { client_id });
        return aboutClient(told, made.client_secret);
      }),
    );
}

type CreateOptions = ClientOptions & { id?: string; answer?: string[]; kind?: ClientKind };

/**
 * The recipe that a new client follows; null for a kind (`kind:web`), which is only stored.
 * @throws CommandRefused
 */
async function recipeFor(options: ClientOptions, answers: string[] | undefined) {
  const recipe = options.recipe as string | undefined;
  if (recipe === undefined || recipe.startsWith('kind:')) {
    if (answers) refuseCommand('--answer is for what a recipe asks: name it by --recipe.');
    return null;
  }
  return followRecipe(recipe, answers, options.name as string | undefined);
}

type Followed = Awaited<ReturnType<typeof recipeFor>>;

/**
 * What a new client starts with: its recipe, or its kind. One with guarded sites is of that kind.
 * @throws CommandRefused
 */
function startFor(followed: Followed, { kind, guardedSite }: CreateOptions): ClientChange {
  if (followed && kind) refuseCommand('A recipe says the kind: leave --kind or --recipe out.');
  if (followed) return followed.client;
  const known = kind ?? (guardedSite ? 'guarded' : undefined);
  return known ? { ...startOf(known), recipe: originOfKind(known) } : {};
}

/** The options that were given, without those left out. */
const given = (change: ClientChange): ClientChange =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));

function addCreate(client: Command): void {
  const create = client
    .command('create')
    .description('create a client; its secret is shown once')
    .option(...nameOption)
    .option('--id <id>', 'its client_id (random if left out)')
    .addOption(
      new Option('--kind <kind>', 'what it is; the rest follows from it').choices(clientKinds),
    )
    .option(...answerOption);
  addClientOptions(create)
    .addHelpText(
      'after',
      `
Examples:
  npm run cli -- client create --name "Web shop" --redirect-uri https://shop.example.org/callback
  npm run cli -- client create --recipe gitea --answer address=https://git.example.org
  npm run cli -- client create --name "Phone app" --public --redirect-uri com.example.app:/callback
  npm run cli -- client create --name "Nightly job" --grant client_credentials --scope reports
  npm run cli -- client create --name Notes --kind guarded --guarded-site https://notes.example.org
  npm run cli -- client create --name "The NAS" --kind ldap`,
    )
    .action(
      actingBy(async ({ id: client_id, answer, ...options }: CreateOptions) => {
        const logo = await readLogo(options.logo);
        const followed = await recipeFor(options, answer);
        const start = startFor(followed, options);
        const input: ClientChange = { ...start, ...given(readClientOptions(options)) };
        if (followed) input.recipe = followed.client.recipe;
        const { name } = input;
        if (!name) return refuseCommand('The app needs a name: --name.');
        const { contact: contacts, owner } = options;
        const said = { ...inJsonNames(input), name, client_id, contacts, owner, logo };
        const told = await performHere(clientActs.create, said);
        const made = aboutClient(told, told.client_secret);
        const guide = await followed?.guide({ id: told.client_id, secret: told.client_secret });
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
    .argument(...which)
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
      actingBy(async (client_id: string, options: ClientOptions) => {
        const recipe = options.recipe as string | undefined;
        if (recipe && !recipe.startsWith('kind:')) await readRecipeOption(recipe);
        const logo = await readLogo(options.logo);
        const change = inJsonNames(readClientOptions(options));
        const { contact: contacts, owner } = options;
        const said = { ...change, client_id, contacts, owner, logo };
        const told = await performHere(clientActs.update, said);
        return aboutClient(told, told.client_secret);
      }),
    );
}

function addList(client: Command): void {
  addAct(client.command('list'), clientActs.list, {
    flags: {
      q: { flag: '--search <text>' },
      type: { flag: '--public', says: 'public clients only', read: () => 'public' },
      disabled: { flag: '--disabled' },
      sort: { flag: '--by-name', says: 'sort by name', read: () => 'name' },
      first_party: { flag: '--first-party' },
      agent: { flag: '--agents', says: 'agents only' },
    },
    text({ clients, next }) {
      const rows = clients.map((row) => [
        row.client_id,
        row.shown_name,
        row.type,
        row.first_party,
        row.disabled,
        row.created_at,
      ]);
      const head = ['client_id', 'name', 'type', 'first party', 'disabled', 'created'];
      return withNext(table(head, rows, 'No clients.'), next);
    },
  });
}
