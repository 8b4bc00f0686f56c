import { type Command, Option } from 'commander';
import type { z } from 'zod';
import { apiActs } from '../management/api/acts.ts';
import type { ApiField } from '../management/api/fields.ts';
import { versionAt } from '../management/version.ts';
import { apiAccesses, tokenFormats } from '../oauth/api.ts';
import { addAct } from './act-command.ts';
import { finding, performHere } from './acting.ts';
import { type Answer, answering } from './answer.ts';
import { collect, readChoice, readSeconds } from './options.ts';
import { refuseCommand } from './refuse.ts';
import { type Fact, facts, table } from './text.ts';

const idOf = finding('api', async (key) => {
  return (await (await import('../management/api/apis.ts')).showApi(key)).id;
});
const which = ['<api>', 'its identifier or id', idOf] as const;

export function addApiCommands(program: Command): void {
  const api = program.command('api').description('APIs that apps get tokens for');
  addAct(api.command('list'), apiActs.list, {
    flags: { q: { flag: '--search <text>' } },
    text({ apis }) {
      const rows = apis.map(({ identifier, name, token_format, access, scopes }) => [
        identifier,
        name,
        token_format,
        access,
        scopes.length,
      ]);
      return table(['api', 'name', 'tokens', 'access', 'scopes'], rows, 'No APIs.');
    },
  });
  addAct(api.command('show'), apiActs.show, { places: { id: which }, text: textOf });
  addCreate(api);
  addUpdate(api);
  addAct(api.command('delete'), apiActs.delete, {
    places: { id: which },
    text: ({ identifier, people, sign_ins }) =>
      `Deleted ${identifier}. ${people} people had allowed it; ${sign_ins} sign-ins ended.`,
  });
}

type Options = {
  name?: string;
  description?: string;
  scope?: string[];
  scopeIn?: string[];
  tokenFormat?: string;
  accessTokenTtl?: string;
  access?: string;
  client?: string[];
  servedBy?: string[];
};

/** The options of each field that create and update share. Leaving a field out does not compile. */
const options: Record<Exclude<ApiField, 'name'> | 'clients' | 'served_by', readonly Option[]> = {
  description: [
    new Option('--description <text>', 'what it is, as people read it on the consent page'),
  ],
  scopes: [
    repeated(
      '--scope <name=text>',
      'a scope of it and what an app can do with it, such as files:read="Read your files"; may be repeated',
    ),
    repeated(
      '--scope-in <language:name=text>',
      'that text in a language, such as de:files:read="Ihre Dateien lesen"; may be repeated, and an empty text removes it',
    ),
  ],
  token_format: [
    new Option(
      '--token-format <format>',
      'opaque, jwt (RFC 9068), or plain-jwt (typ JWT) for APIs that reject at+jwt; weaker, because ID tokens use the same typ',
    ),
  ],
  access_token_ttl: [
    new Option(
      '--access-token-ttl <time>',
      'lifetime of its tokens, or default: ten minutes for a JWT, else as for the client',
    ),
  ],
  access: [
    new Option(
      '--access <who>',
      'who may ask for its tokens: listed clients, those that admins added, or any app, even one that registered itself',
    ),
  ],
  clients: [repeated('--client <id>', 'a client that may ask for its tokens; may be repeated')],
  served_by: [
    repeated(
      '--served-by <id>',
      'the client that is this API, and may introspect its tokens; may be repeated',
    ),
  ],
};

function repeated(flags: string, says: string): Option {
  return new Option(flags, says).argParser(collect);
}

function addOptions(command: Command): Command {
  for (const option of Object.values(options).flat()) command.addOption(option);
  return command;
}

function addCreate(api: Command): void {
  addOptions(
    api
      .command('create')
      .description('create an API')
      .requiredOption('--identifier <url>', 'what apps send as resource; it never changes')
      .requiredOption('--name <name>', 'what people read'),
  )
    .addHelpText(
      'after',
      `
Example:
  npm run cli -- api create --identifier https://mcp.example.org/mcp --name Files --scope 'files:read=Read your files'`,
    )
    .action(
      answering(async (options: Options & { identifier: string; name: string }) => {
        const { identifier, name, client: clients, servedBy: served_by } = options;
        const scopes = scopesAfter([], options);
        const said = { ...readFields(options), identifier, name, scopes, clients, served_by };
        return about(await performHere(apiActs.create, said));
      }),
    );
}

type Removals = { removeScope?: string[]; removeClient?: string[]; removeServedBy?: string[] };

function addUpdate(api: Command): void {
  addOptions(
    api
      .command('update')
      .description('change an API; only the options you give change')
      .argument('<api>', which[1])
      .option('--name <name>', 'what people read'),
  )
    .option('--remove-scope <name>', 'a scope to remove; tokens with it end', collect)
    .option('--remove-client <id>', 'a client to take off the list', collect)
    .option('--remove-served-by <id>', 'a client that should no longer be this API', collect)
    .action(
      answering(async (key: string, options: Options & Removals) => {
        const { name, client = [], servedBy = [] } = options;
        const { checkListed } = await import('../management/api/api-rules.ts');
        await checkListed('asks', client);
        await checkListed('serves', servedBy);
        const id = await idOf(key);
        const before = await performHere(apiActs.show, { id });
        const scopes = scopesAfter(before.scopes, options);
        const change = { id, ...readFields(options), name, scopes };
        await performHere(apiActs.update, change, versionAt(before));
        return about(await changeLists(id, options));
      }),
    );
}

/** Adds and removes clients in the lists of an API. Returns the API as it is afterwards. */
async function changeLists(id: string, options: Options & Removals): Promise<Told> {
  for (const [act, kind, clients = []] of [
    [apiActs.addClients, 'asks', options.client],
    [apiActs.addClients, 'serves', options.servedBy],
    [apiActs.removeClients, 'asks', options.removeClient],
    [apiActs.removeClients, 'serves', options.removeServedBy],
  ] as const)
    await performHere(act, { id, kind, clients });
  return performHere(apiActs.show, { id });
}

function readFields({ description, tokenFormat, accessTokenTtl, access }: Options) {
  return {
    description,
    token_format: readChoice('token-format', tokenFormat, tokenFormats),
    access_token_ttl: readSeconds('access-token-ttl', accessTokenTtl),
    access: readChoice('access', access, apiAccesses),
  } satisfies Record<Exclude<ApiField, 'name' | 'scopes'>, unknown>;
}

/**
 * The API's scopes with the given changes: a scope named again replaces the old one, new ones are
 * appended.
 * @throws CommandRefused
 */
function scopesAfter(
  before: readonly SaidScope[],
  { scope = [], scopeIn = [], removeScope = [] }: Options & Removals,
): SaidScope[] {
  const scopes = new Map(before.map((each) => [each.name, each]));
  for (const given of scope) {
    const [name, description] = split('scope', given);
    scopes.set(name, { ...scopes.get(name), name, description });
  }
  for (const given of scopeIn) {
    const [, tag = '', rest = ''] = /^([A-Za-z-]+):(.*)$/s.exec(given) ?? [];
    const [name, text] = split('scope-in', rest);
    const known = scopes.get(name) ?? refuseUnknown(name);
    scopes.set(name, { ...known, descriptions: { ...known.descriptions, [tag]: text } });
  }
  for (const name of removeScope) if (!scopes.delete(name)) refuseUnknown(name);
  return [...scopes.values()];
}

/** Splits at the first equals sign into a name and a text. */
function split(option: string, given: string): [name: string, text: string] {
  const at = given.indexOf('=');
  if (at < 1)
    refuseCommand(
      `--${option} takes a scope and what an app can do with it, such as files:read="Read your files", not "${given.slice(0, 80)}".`,
    );
  return [given.slice(0, at).trim(), given.slice(at + 1)];
}

function refuseUnknown(name: string): never {
  return refuseCommand(`This API has no scope "${name.slice(0, 80)}".`);
}

type Told = z.output<typeof apiActs.show.tells>;
type SaidScope = { name: string; description: string; descriptions?: Record<string, string> };

const about = (api: Told): Answer => ({ json: api, text: textOf(api) });

/** One line for each fact except the time of the last change, with the scopes as a table below. */
function textOf(api: Told): string {
  const lines: Record<Exclude<keyof Told, 'scopes' | 'updated_at'>, Fact> = {
    id: ['id', api.id],
    identifier: ['identifier', api.identifier],
    name: ['name', api.name],
    description: ['description', api.description],
    token_format: ['tokens', api.token_format],
    access_token_ttl: ['lifetime', api.access_token_ttl ?? 'default'],
    access: ['access', api.access],
    clients: ['clients', api.clients.join(', ') || null],
    served_by: ['served by', api.served_by.join(', ') || null],
    created_at: ['created', api.created_at],
  };
  const scopes = api.scopes.map(({ name, description }) => [name, description]);
  return `${facts(Object.values(lines))}\n\n${table(['scope', 'what people read'], scopes, 'No scopes of its own.')}`;
}
