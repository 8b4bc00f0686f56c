import pg from 'pg';
import { database, write } from '#lib/store/engine/database.ts';

/** The size of a large installation. */
export const large = {
  clients: 10_000,
  people: 100_000,
  grants: 200_000,
  authorizations: 1_000_000,
  events: 300_000,
  sessions: 50_000,
  groups: 10_000,
};

/**
 * This many people, each with an authorization, an approval and a session. Up to a million of them
 * have fields and groups.
 */
export const largeWith = (people: number): typeof large => ({
  ...large,
  people,
  grants: people,
  authorizations: people,
  sessions: people,
  events: people,
});
const mostDescribed = 1_000_000;

/**
 * Fills the database of this process like a large installation, with one statement for each table.
 */
export async function seedLarge(size: typeof large = large): Promise<void> {
  const { clients, people: everybody, grants, authorizations, events, sessions, groups } = size;
  const people = Math.min(everybody, mostDescribed);
  await into('users', userColumns, everybody);
  await fillFields(people);
  await into('clients', clientColumns, clients);
  await into('user_groups', groupColumns(), groups);
  // Everyone is in three groups and in the first one, and one person is in about a thousand.
  const three = `(i + 7 * (i / ${people})) % ${groups - 1} + 1`;
  await into('group_members', memberColumns(`i % ${people}`, three), 3 * people);
  await into('group_members', memberColumns('i', '0'), people);
  await into('group_members', memberColumns('7', `i + ${groups - 1000}`), 980);
  await into('client_addresses', addressColumns, clients);
  await into('client_secrets', secretColumns, clients);
  await into('grants', grantColumns(everybody, clients), grants);
  const of = [authorizations, grants, everybody, clients] as const;
  await into('authorizations', authorizationColumns(...of), authorizations);
  await into('sessions', sessionColumns(everybody), sessions);
  await into('audit_events', eventColumns(events, everybody, clients), events);
  // In each hour of a month 300 clients are busy, and 3,000 on each day.
  await into(
    'usage_counters',
    usageColumns("'tokens-issued'", 'i / 300', 'i % 300 + 1'),
    720 * 300,
  );
  await into(
    'usage_counters',
    usageColumns("'tokens-issued/day'", '24 * (i / 3000)', 'i % 3000 + 1', true),
    30 * 3000,
  );
  await into(
    'usage_counters',
    { ...usageColumns("'tokens-issued'", 'i', '1'), client_id: "'*'" },
    720,
  );
  await tidy();
}

/** Does what the database would do by itself in time. */
async function tidy(): Promise<void> {
  if (isSqlite()) return void (await write('ANALYZE', []));
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  await client.query('VACUUM ANALYZE');
  await client.end();
}

type Columns = Record<string, string>;

/** Gives everyone a department and a list of tags. */
async function fillFields(people: number): Promise<void> {
  for (const [name, type] of [
    ['department', 'text'],
    ['tags', 'list'],
  ] as const)
    await write(
      `INSERT INTO user_fields (name, label, type, scope, created_at) VALUES ($1, $1, $2, 'profile', ${ago('0')})`,
      [name, type],
    );
  const row = (field: string, value: string, key: string) => ({
    user_id: user('i'),
    field: `'${field}'`,
    value,
    value_key: key,
  });
  const [word, tag] = [pick(family, 'i % 11'), pick(given, 'i % 7')];
  const department = `lower(${word}) || ${text('i % 300')}`;
  await into(
    'user_field_values',
    row('department', `'"' || ${department} || '"'`, department),
    people,
  );
  const tags = `'["all","' || ${tag} || '","' || ${word} || '"]'`;
  const key = `lower('${'\n'}all${'\n'}' || ${tag} || '${'\n'}' || ${word} || ${text('i % 1000')})`;
  await into('user_field_values', row('tags', tags, key), people);
}

/** Stores rows numbered by `i`; the columns are expressions of it. */
async function into(table: string, columns: Columns, rows: number): Promise<void> {
  const numbers = `WITH RECURSIVE n(i) AS (SELECT CAST(0 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < ${rows - 1})`;
  const select = `SELECT ${Object.values(columns).join(', ')} FROM n`;
  const insert = `INSERT INTO ${table} (${Object.keys(columns).join(', ')}) ${numbers} ${select}`;
  if (rows > mostAtOnce && !isSqlite()) await withoutIndexes(table, insert);
  else await write(insert, []);
}

/** The most rows that a server's own limits allow in one statement. */
const mostAtOnce = 20_000;

/**
 * Fills a PostgreSQL table in a fraction of the time, by creating its indexes afterwards and
 * checking no references.
 */
async function withoutIndexes(table: string, insert: string): Promise<void> {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  await client.query("SET session_replication_role = replica; SET maintenance_work_mem = '1GB'");
  const { rows: indexes } = await client.query<{ indexname: string; indexdef: string }>(
    `SELECT indexname, indexdef FROM pg_indexes WHERE tablename = $1
       AND indexname NOT IN (SELECT conname FROM pg_constraint WHERE conrelid = $1::regclass)`,
    [table],
  );
  for (const { indexname } of indexes) await client.query(`DROP INDEX "${indexname}"`);
  await client.query(insert);
  for (const { indexdef } of indexes) await client.query(indexdef);
  await client.end();
}

const isSqlite = () => database().kind === 'sqlite';
const now = Date.now();
/** The time this many seconds before now; negative numbers are in the future. */
const ago = (seconds: string) =>
  isSqlite()
    ? `${now} - (${seconds}) * 1000`
    : `to_timestamp(${now / 1000}) - (${seconds}) * interval '1 second'`;
/** The beginning of an hour, or of a day, this many hours ago. */
const hourAgo = (hours: string, unit = 3600_000) =>
  isSqlite()
    ? `${now - (now % unit)} - (${hours}) * 3600000`
    : `to_timestamp(${(now - (now % unit)) / 1000}) - (${hours}) * interval '1 hour'`;
const text = (expression: string) => `CAST(${expression} AS TEXT)`;
const number = (expression: string) => text(`1000000 + ${expression}`);
const user = (i: string) => `'u' || ${number(i)}`;
const client = (i: string) => `'client-' || ${number(i)}`;
const pick = (list: readonly string[], by: string) =>
  `CASE ${by} ${list.map((value, index) => `WHEN ${index} THEN '${value}'`).join(' ')} END`;
const given = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Radia'];
const family = [
  'Lovelace',
  'Hopper',
  'Turing',
  'Dijkstra',
  'Liskov',
  'Knuth',
  'Perlman',
  'Hamilton',
  'Allen',
  'Wing',
  'Borg',
];

const userColumns: Columns = {
  get id() {
    return user('i');
  },
  username: `'person' || ${number('i')}`,
  username_key: `'person' || ${number('i')}`,
  username_glance: `'person' || ${number('i')}`,
  email: `'p' || ${number('i')} || '@example.org'`,
  email_key: `'p' || ${number('i')} || '@example.org'`,
  email_verified: 'i % 3 = 0',
  name: `${pick(given, 'i % 7')} || ' ' || ${pick(family, 'i % 11')}`,
  name_key: `lower(${pick(given, 'i % 7')} || ' ' || ${pick(family, 'i % 11')})`,
  last_name_key: `lower(${pick(family, 'i % 11')})`,
  claims: `'{}'`,
  is_admin: 'i % 20000 = 0',
  get disabled_at() {
    return `CASE WHEN i % 1000 = 0 THEN ${ago('i')} END`;
  },
  epoch: '0',
  get created_at() {
    return ago('i * 60');
  },
  get updated_at() {
    return ago('i * 60');
  },
};

const group = (i: string) => `'group-' || ${number(i)}`;
const groupColumns = (): Columns => ({
  id: group('i'),
  name: `${pick(family, 'i % 11')} || ' ' || ${text('i')}`,
  name_key: `lower(${pick(family, 'i % 11')} || ' ' || ${text('i')})`,
  created_at: ago('i * 60'),
  updated_at: ago('i * 60'),
});
const memberColumns = (userIndex: string, groupIndex: string): Columns => ({
  group_id: group(`(${groupIndex})`),
  user_id: user(`(${userIndex})`),
  created_at: ago('i'),
});

const clientColumns: Columns = {
  id: client('i'),
  name: `'App ' || ${pick(family, 'i % 11')} || ' ' || ${text('i')}`,
  home_page: `'https://app' || ${text('i')} || '.example/'`,
  access: `CASE WHEN i % 2 = 0 THEN 'listed' ELSE 'everybody' END`,
  type: `CASE WHEN i % 5 = 0 THEN 'public' ELSE 'confidential' END`,
  grants: `'authorization_code refresh_token'`,
  require_pkce: 'i % 50 <> 0',
  get created_at() {
    return ago('i * 600');
  },
  get updated_at() {
    return ago('i * 600');
  },
};

const addressColumns: Columns = {
  client_id: client('i'),
  kind: `'redirect'`,
  uri: `'https://app' || ${text('i')} || '.example/cb'`,
  position: '0',
};

const secretColumns: Columns = {
  hash: `'s' || ${text('i')}`,
  client_id: client('i'),
  get created_at() {
    return ago('i * 6000');
  },
  get last_used_at() {
    return `CASE WHEN i % 2 = 0 THEN ${ago('i')} END`;
  },
};

const grantColumns = (people: number, clients: number): Columns => ({
  id: `'g' || ${number('i')}`,
  user_id: user(`i % ${people}`),
  client_id: client(`(i + i / ${people}) % ${clients}`),
  scopes: `'profile email'`,
  created_at: ago('i * 30'),
  updated_at: ago('i * 30'),
});

/**
 * Ids of authorizations begin with their time in hexadecimal. Then comes the row's number, where
 * real ids are random.
 */
const idAt = (seconds: string) =>
  isSqlite()
    ? `printf('%012x%020x', ${now} - (${seconds}) * 1000, i)`
    : `lpad(to_hex(CAST(${now} - (${seconds}) * 1000 AS BIGINT)), 12, '0') || lpad(to_hex(i), 20, '0')`;

/** Oldest first, as in a real installation. */
const authorizationColumns = (
  rows: number,
  grants: number,
  people: number,
  clients: number,
): Columns => ({
  id: idAt(`(${rows} - i) * 10`),
  client_id: client(`(i % ${grants} + i % ${grants} / ${people}) % ${clients}`),
  user_id: user(`i % ${grants} % ${people}`),
  grant_id: `'g' || ${number(`i % ${grants}`)}`,
  scope: `'profile email'`,
  redirect_uri: `'https://app.example/cb'`,
  auth_time: ago(`(${rows} - i) * 10`),
  amr: `'pwd'`,
  user_epoch: '0',
  client_epoch: '0',
  created_at: ago(`(${rows} - i) * 10`),
  redeemed_at: ago(`(${rows} - i) * 10`),
  rotation: 'i % 9',
  rotated_at: ago(`(${rows} - i) * 5`),
  idle_until: ago(`-2592000 + (${rows} - i) / 400`),
  ends_at: ago(`-15552000 + (${rows} - i) / 400`),
  keep_until: ago(`-15555600 + (${rows} - i) / 400`),
});

/** In seconds: 390 days of the 400 that are kept. */
const eventsKept = 390 * 86_400;
const sessionColumns = (people: number): Columns => ({
  hash: `'session' || ${text('i')}`,
  user_id: user(`i % ${people}`),
  user_epoch: '0',
  auth_time: ago('i'),
  created_at: ago('i'),
  last_seen_at: ago('i / 2'),
  expires_at: ago('-1000000'),
});

/** Spread over less than the default retention, so that none becomes due for days. */
const eventColumns = (events: number, people: number, clients: number): Columns => ({
  id: `'e' || ${text('10000000 - i')}`,
  at: ago(`i * ${eventsKept} / ${events}`),
  type: pick(
    ['sign-in.success', 'sign-in.failure', 'consent.given', 'client.updated', 'token.revoked'],
    'i % 5',
  ),
  actor: user(`i % ${people}`),
  user_id: user(`i % ${people}`),
  client_id: client(`i % ${clients}`),
  detail: `'{}'`,
});

const usageColumns = (name: string, hours: string, of: string, days = false): Columns => ({
  hour: hourAgo(hours, days ? 24 * 3600_000 : undefined),
  name,
  client_id: client(of),
  value: 'i % 97 + 1',
});
