import type { Command } from 'commander';
import type { ApiRecord, NewApi, SaidScope } from '../management/apis.ts';
import { refuseAdmin } from '../management/refusal.ts';
import { apiAccesses, tokenFormats } from '../oauth/api.ts';
import { type Answer, answering, cli } from './answer.ts';
import { collect, oneOf, readSeconds } from './options.ts';
import { facts, table } from './text.ts';

const apis = () => import('../management/apis.ts');
const clients = () => import('../management/api-clients.ts');
const which = 'its identifier or id';

/** Commands about APIs that have tokens of their own. */
export function addApiCommands(program: Command): void {
  const api = program.command('api').description('APIs that apps get tokens for');
  addReading(api);
  addCreate(api);
  addUpdate(api);
  api
    .command('delete')
    .description('delete an API; what people allowed at it and its tokens end')
    .argument('<api>', which)
    .action(
      answering(async (key: string) => {
        const gone = await (await apis()).deleteApi(key, cli, new Date());
        const { id, identifier, people, signIns } = gone;
        const text = `Deleted ${identifier}. ${people} people had allowed it; ${signIns} sign-ins ended.`;
        return { json: { id, identifier, deleted: true, people, sign_ins: signIns }, text };
      }),
    );
}

function addReading(api: Command): void {
  api
    .command('list')
    .description('list APIs, by name')
    .option('--search <text>', 'part of the name or identifier')
    .action(
      answering(async ({ search }: { search?: string }) => {
        const rows = await (await apis()).listApis(search);
        const cells = rows.map(({ identifier, name, tokenFormat, access, scopes }) => [
          identifier,
          name,
          tokenFormat,
          access,
          scopes.length,
        ]);
        const head = ['api', 'name', 'tokens', 'access', 'scopes'];
        return { json: { apis: rows.map(toJson) }, text: table(head, cells, 'No APIs.') };
      }),
    );
  api
    .command('show')
    .description('show an API and its scopes')
    .argument('<api>', which)
    .action(answering(async (key: string) => about(await (await apis()).showApi(key))));
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

function addOptions(command: Command): Command {
  return command
    .option('--description <text>', 'what it is, for people whom an app asks')
    .option(
      '--scope <name=text>',
      'a scope of it and what an app can do with it, such as files:read="Read your files"; may be repeated',
      collect,
    )
    .option(
      '--scope-in <language:name=text>',
      'that text in a language, such as de:files:read="Ihre Dateien lesen"; may be repeated, and an empty text removes it',
      collect,
    )
    .option(
      '--token-format <format>',
      'opaque, jwt (RFC 9068) or plain-jwt: a JWT with typ JWT, for what takes no at+jwt; looser, as ID tokens have it too',
    )
    .option(
      '--access-token-ttl <seconds>',
      'lifetime of its tokens, or default: ten minutes for a JWT, else as for the client',
    )
    .option(
      '--access <who>',
      'who may ask for its tokens: listed clients, those that admins made, or anyone who introduces themselves too',
    )
    .option('--client <id>', 'a client that may ask for its tokens; may be repeated', collect)
    .option(
      '--served-by <id>',
      'the client that is this API, and may introspect its tokens; may be repeated',
      collect,
    );
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
        const { identifier, name, client, servedBy } = options;
        const scopes = scopesAfter([], options);
        const input: NewApi = { ...readFields(options), identifier, name, scopes };
        const made = { ...input, askedBy: client, servedBy };
        return about(await (await apis()).createApi(made, cli, new Date()));
      }),
    );
}

type Removals = { removeScope?: string[]; removeClient?: string[]; removeServedBy?: string[] };

function addUpdate(api: Command): void {
  addOptions(
    api
      .command('update')
      .description('change an API; only the options you give change')
      .argument('<api>', which)
      .option('--name <name>', 'what people read'),
  )
    .option('--remove-scope <name>', 'a scope that it no longer has; tokens with it end', collect)
    .option('--remove-client <id>', 'a client that is no longer listed', collect)
    .option('--remove-served-by <id>', 'a client that is no longer this API', collect)
    .action(
      answering(async (key: string, options: Options & Removals) => {
        const {
          name,
          client = [],
          servedBy = [],
          removeClient = [],
          removeServedBy = [],
        } = options;
        const { checkListed } = await import('../management/api-rules.ts');
        await checkListed('asks', client);
        await checkListed('serves', servedBy);
        const before = await (await apis()).showApi(key);
        const scopes = scopesAfter(before.scopes, options);
        const change = { ...readFields(options), name, scopes };
        await (await apis()).updateApi(before.id, change, cli, new Date(), before.updatedAt);
        const { addApiClients, removeApiClients } = await clients();
        await addApiClients(before.id, 'asks', client, cli, new Date());
        await addApiClients(before.id, 'serves', servedBy, cli, new Date());
        await removeApiClients(before.id, 'asks', removeClient, cli, new Date());
        await removeApiClients(before.id, 'serves', removeServedBy, cli, new Date());
        return about(await (await apis()).showApi(before.id));
      }),
    );
}

function readFields({ description, tokenFormat, accessTokenTtl, access }: Options) {
  return {
    description,
    tokenFormat: oneOf('token-format', tokenFormat, tokenFormats),
    accessTokenTtl: readSeconds('access-token-ttl', accessTokenTtl),
    access: oneOf('access', access, apiAccesses),
  };
}

/** The scopes it has, with those said anew in place of old ones or after them. @throws AdminRefusal */
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
    scopes.set(name, { ...known, translations: { ...known.translations, [tag]: text } });
  }
  for (const name of removeScope) if (!scopes.delete(name)) refuseUnknown(name);
  return [...scopes.values()];
}

/** A name and a text; the first equals sign stands between them. */
function split(option: string, given: string): [name: string, text: string] {
  const at = given.indexOf('=');
  if (at < 1)
    refuseAdmin(
      option,
      `--${option} takes a scope and what an app can do with it, such as files:read="Read your files", not "${given.slice(0, 80)}".`,
    );
  return [given.slice(0, at).trim(), given.slice(at + 1)];
}

function refuseUnknown(name: string): never {
  return refuseAdmin('scope', `This API has no scope "${name.slice(0, 80)}".`);
}

function about(api: ApiRecord): Answer {
  const scopes = api.scopes.map(({ name, description }) => [name, description]);
  const text = facts([
    ['id', api.id],
    ['identifier', api.identifier],
    ['name', api.name],
    ['description', api.description],
    ['tokens', api.tokenFormat],
    ['lifetime', api.accessTokenTtl ?? 'default'],
    ['access', api.access],
    ['clients', api.askedBy.join(', ') || null],
    ['served by', api.servedBy.join(', ') || null],
    ['created', api.createdAt],
  ]);
  return {
    json: toJson(api),
    text: `${text}\n\n${table(['scope', 'what people read'], scopes, 'No scopes of its own.')}`,
  };
}

function toJson(api: ApiRecord) {
  return {
    id: api.id,
    identifier: api.identifier,
    name: api.name,
    description: api.description,
    token_format: api.tokenFormat,
    access_token_ttl: api.accessTokenTtl,
    access: api.access,
    scopes: api.scopes.map(({ name, description, translations }) => {
      return { name, description, descriptions: translations };
    }),
    clients: api.askedBy,
    served_by: api.servedBy,
    created_at: api.createdAt,
    updated_at: api.updatedAt,
  };
}
