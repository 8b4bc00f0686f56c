import { dirname, isAbsolute, resolve } from 'node:path';
import { FilterParser } from 'ldapts';
import { parse } from 'yaml';
import { z } from 'zod';
import { ConfigError, config } from '../../config.ts';
import { isLoopbackHost } from '../../oauth/redirect-uri.ts';
import { once } from '../../once.ts';
import { readDomain } from '../../people/email.ts';
import { readDuration } from '../../settings/duration.ts';
import { NotText, readTextFile } from '../../settings/text-file.ts';
import { dnKey } from './dn.ts';

/*
 * The directories (LDAP) whose people sign in here, from the operator's file. They can't be set in
 * the dashboard: whoever adds a directory gets the passwords that people type, and makes this
 * server call addresses inside the network.
 */

export type DirectoryServer = {
  /** As the operator wrote it. */
  url: string;
  host: string;
  port: number;
  secured: 'tls' | 'start-tls' | 'none';
  /** The CA certificates its own must be issued by; null: those the machine trusts. */
  ca: string | null;
};

/** How groups of groups are followed. */
const nestings = ['member-of', 'search', 'chain', 'off'] as const;

export type Directory = {
  /** Identifies it in the database, permanently. */
  id: string;
  name: string;
  /** In the order in which they are tried. */
  servers: readonly DirectoryServer[];
  /** Milliseconds for everything one server is asked about one person. */
  timeout: number;
  /** The account that searches; null: searches are anonymous. */
  reader: { dn: string; password: string } | null;
  base: string;
  /**
   * `filter` matches people; `login` matches the one who signs in, `{login}` being what was typed.
   */
  filter: string;
  login: string;
  attributes: {
    id: string;
    username: string;
    email: string;
    name: string;
    /** The attribute that each custom user field is read from, by the field's name. */
    fields: Readonly<Record<string, string>>;
  };
  /** Lower case. Addresses at other domains are unconfirmed. */
  verifiedDomains: readonly string[];
  groups: {
    nested: (typeof nestings)[number];
    base: string;
    /** Our groups that members of a directory group are in, by its `dnKey`. */
    of: ReadonlyMap<string, readonly string[]>;
  };
  sync: { everySeconds: number; stopAbove: number };
};

const text = z.string().min(1).max(2000);
/** An attribute's name (a descriptor, RFC 4512 section 1.4), with options. */
const attribute = z.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,80}(;[A-Za-z0-9-]{1,40})*$/, {
  error: 'is the name of an attribute, such as mail',
});
const period = z.union([z.int(), z.string()]).transform((said, context) => {
  const read = readDuration(String(said));
  if ('seconds' in read) return read.seconds;
  context.addIssue({ code: 'custom', message: 'is a time, such as 1 hour' });
  return z.NEVER;
});
const domain = z.string().transform((said, context) => {
  const read = readDomain(said);
  if (read !== null) return read;
  context.addIssue({ code: 'custom', message: 'is the domain of addresses, such as example.org' });
  return z.NEVER;
});
const filterText = text.refine(isFilter, { error: 'is no filter (RFC 4515)' });

/** The default attributes and filters of each kind of directory. */
const kinds = {
  ldap: {
    id: 'entryUUID',
    username: 'uid',
    email: 'mail',
    name: 'cn',
    filter: '(objectClass=person)',
    login: '(|(uid={login})(mail={login}))',
    nested: 'member-of',
  },
  'active-directory': {
    id: 'objectGUID',
    username: 'sAMAccountName',
    email: 'mail',
    name: 'displayName',
    filter: '(&(objectCategory=person)(objectClass=user))',
    login: '(|(sAMAccountName={login})(userPrincipalName={login})(mail={login}))',
    nested: 'chain',
  },
} as const;

/** The operator has to write this out, so that no one does it unknowingly. */
const plaintext = 'passwords can be read on the way';

const directory = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, {
    error: 'takes up to 40 small letters, digits and hyphens',
  }),
  name: z.string().min(1).max(80),
  kind: z.enum(['ldap', 'active-directory']).default('ldap'),
  servers: z.array(text).min(1).max(10),
  unencrypted: z
    .literal(plaintext, { error: `takes the words “${plaintext}”, or is left out` })
    .optional(),
  ca_file: text.optional(),
  timeout: period.pipe(z.int().min(1).max(30)).default(5),
  bind_dn: text.optional(),
  bind_password_file: text.optional(),
  people: z.strictObject({
    base: text,
    filter: filterText.optional(),
    login: filterText
      .refine((said) => said.includes('{login}'), { error: 'says {login} where the name goes' })
      .optional(),
    id: z.enum(['entryUUID', 'objectGUID']).optional(),
    username: attribute.optional(),
    email: attribute.optional(),
    name: attribute.optional(),
    fields: z.record(z.string(), attribute).default({}),
    verified_domains: z.array(domain).max(100).default([]),
  }),
  groups: z
    .strictObject({
      nested: z.enum(nestings).optional(),
      base: text.optional(),
      map: z.record(z.string(), z.union([text, z.array(text).max(20)])).default({}),
    })
    .default({ map: {} }),
  sync: z
    .strictObject({
      every: period
        .pipe(
          z
            .int()
            .min(60)
            .max(7 * 86_400),
        )
        .default(3600),
      stop_above: z.int().min(1).max(100).default(10),
    })
    .default({ every: 3600, stop_above: 10 }),
});
type Said = z.output<typeof directory>;

const file = z.strictObject({ directories: z.array(directory).min(1).max(10) });

/** Whether this is a filter once `{login}` is filled in. No condition may have it and a `*`. */
function isFilter(said: string): boolean {
  try {
    FilterParser.parseString(said.replaceAll('{login}', 'x'));
    return (
      said.startsWith('(') &&
      !said.split(/[()]/).some((part) => part.includes('{login}') && part.includes('*'))
    );
  } catch {
    return false;
  }
}

/** The directories of this server, read once; none without a file. @throws ConfigError */
export function directories(): readonly Directory[] {
  return once('directories', () => {
    const path = config().directoriesFile;
    return path === null ? [] : readDirectories(readText(path, 'DIRECTORIES_FILE'), dirname(path));
  });
}

/** The directory with this id, or null. */
export const directoryWithId = (id: string): Directory | null =>
  directories().find((each) => each.id === id) ?? null;

/** Relative paths in the text start from `folder`. @throws ConfigError */
export function readDirectories(yaml: string, folder: string): Directory[] {
  const parsed = file.safeParse(parsedYaml(yaml));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new ConfigError(`DIRECTORIES_FILE: ${issue?.path.join('.')} ${issue?.message}.`);
  }
  const all = parsed.data.directories;
  const twice = all.find(({ id }, index) => all.findIndex((other) => other.id === id) !== index);
  if (twice) throw new ConfigError(`DIRECTORIES_FILE: the id ${twice.id} is used twice.`);
  return all.map((said) => directoryOf(said, (path) => pathIn(folder, path)));
}

function parsedYaml(yaml: string): unknown {
  try {
    return parse(yaml, { maxAliasCount: 20 });
  } catch (error) {
    const [why = ''] = (error as Error).message.split('\n');
    throw new ConfigError(`DIRECTORIES_FILE is no YAML: ${why}`);
  }
}

const pathIn = (folder: string, path: string) =>
  isAbsolute(path) ? path : resolve(/* turbopackIgnore: true */ folder, path);

function directoryOf(said: Said, pathOf: (path: string) => string): Directory {
  const { id, name, people, groups, sync } = said;
  const kind = kinds[said.kind];
  const refuse = (why: string): never => {
    throw new ConfigError(`DIRECTORIES_FILE: ${id}: ${why}`);
  };
  const ca = said.ca_file ? readText(pathOf(said.ca_file), `${id}: ca_file`) : null;
  return {
    id,
    name,
    servers: said.servers.map((url) => serverOf(url, ca, said.unencrypted !== undefined, refuse)),
    timeout: said.timeout * 1000,
    reader: readerOf(said, pathOf, refuse),
    base: people.base,
    filter: people.filter ?? kind.filter,
    login: people.login ?? kind.login,
    attributes: {
      id: people.id ?? kind.id,
      username: people.username ?? kind.username,
      email: people.email ?? kind.email,
      name: people.name ?? kind.name,
      fields: people.fields,
    },
    verifiedDomains: people.verified_domains,
    groups: {
      nested: groups.nested ?? kind.nested,
      base: groups.base ?? people.base,
      of: groupsOf(groups.map),
    },
    sync: { everySeconds: sync.every, stopAbove: sync.stop_above },
  };
}

function groupsOf(map: Said['groups']['map']): Directory['groups']['of'] {
  const of = new Map<string, string[]>();
  for (const [dn, names] of Object.entries(map))
    of.set(dnKey(dn), [...(of.get(dnKey(dn)) ?? []), ...[names].flat()]);
  return of;
}

function serverOf(
  url: string,
  ca: string | null,
  unencrypted: boolean,
  refuse: (why: string) => never,
): DirectoryServer {
  const read = /^(ldaps?):\/\/(\[[0-9a-f:.]+\]|[A-Za-z0-9._-]+)(?::(\d{1,5}))?\/?$/i.exec(url);
  if (!read)
    return refuse(`servers are ldaps://HOST or ldap://HOST; "${url.slice(0, 80)}" is not.`);
  const [, scheme = '', written = '', port] = read;
  const host = written.replace(/^\[|\]$/g, '');
  const isTls = scheme.toLowerCase() === 'ldaps';
  const isPlain = !isTls && unencrypted;
  return {
    url,
    host,
    port: port === undefined ? (isTls ? 636 : 389) : Number(port),
    secured: isTls ? 'tls' : isPlain ? 'none' : 'start-tls',
    ca,
  };
}

function readerOf(
  { bind_dn: dn, bind_password_file: path }: Said,
  pathOf: (path: string) => string,
  refuse: (why: string) => never,
): Directory['reader'] {
  if (dn === undefined && path === undefined) return null;
  if (dn === undefined || path === undefined)
    return refuse('bind_dn and bind_password_file go together.');
  const password = readText(pathOf(path), 'bind_password_file').replace(/\r?\n$/, '');
  // A bind without a password succeeds for anyone (RFC 4513 section 5.1.2).
  if (!isSomePassword(password)) return refuse('the file with its password is empty.');
  return { dn, password };
}

/** Empty, or starting with NUL, may be an anonymous bind, which succeeds for anyone. */
export const isSomePassword = (password: string) => password !== '' && !password.includes('\0');

function readText(path: string, what: string): string {
  try {
    return readTextFile(path);
  } catch (error) {
    if (error instanceof NotText) throw new ConfigError(`${what}: ${error.message}`);
    throw new ConfigError(
      `${what}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`,
    );
  }
}

/** Those that receive passwords unencrypted, except those on this machine. */
export const unencryptedServers = (all: readonly Directory[]): string[] =>
  all.flatMap(({ servers }) =>
    servers
      .filter(({ secured, host }) => secured === 'none' && !isLoopbackHost(host))
      .map(({ url }) => url),
  );
