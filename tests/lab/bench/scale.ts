import pg from 'pg';
import { auditing } from '#lib/store/audit.ts';
import { closeStore, writeTogether } from '#lib/store/engine/database.ts';
import { raising, readRevision } from '#lib/store/engine/revision.ts';
import { applyMigrations } from '#lib/tooling/migrate.ts';
import { startPostgres } from '#lib/tooling/postgres.ts';
import { workOn } from '../../support/work-on.ts';

/*
 * The figures for docs/scale.md, on a PostgreSQL with fsync: how many bytes a row and its index
 * entries take, and how many configuration changes per second get through while it is read. Run
 * with: node tests/lab/bench/scale.ts [ROWS] [SECONDS]
 */
const rows = Number(process.argv[2] ?? 200_000);
const seconds = Number(process.argv[3] ?? 5);

const postgres = await startPostgres({ durable: true });
const url = await postgres.createDatabase('scale');
await applyMigrations(url);
workOn(url);
/** Without the limits of a server. */
const client = new pg.Client({ connectionString: url });
await client.connect();

/** Ids like real ones: the time in twelve digits, then twenty random ones. */
const id = (salt: string) =>
  `lpad(to_hex(1795000000000 + i), 12, '0') || substr(md5(i || '${salt}'), 1, 20)`;
const digest = (salt: string) =>
  `left(replace(encode(sha256((i || '${salt}')::bytea), 'base64'), '=', ''), 43)`;
const now = "now() - i * interval '1 second'";

/**
 * A row of each table, with values of the usual lengths. Each column is an expression of the row's
 * number `i`.
 */
const tables: Record<string, Record<string, string>> = {
  users: {
    id: id('user'),
    username: "'person.' || i",
    username_key: "'person.' || i",
    username_glance: "'person.' || i",
    email: "'person.' || i || '@example.org'",
    email_key: "'person.' || i || '@example.org'",
    name: "'Ada Lovelace ' || i",
    name_key: "'ada lovelace ' || i",
    last_name_key: "'' || i",
    email_verified: 'TRUE',
    claims: "'{}'",
    is_admin: 'FALSE',
    epoch: '0',
    password_hash: "'v1$' || substr(md5(i::text) || md5(i || 'x'), 1, 60)",
    created_at: now,
    updated_at: now,
  },
  grants: {
    id: id('grant'),
    user_id: id('user'),
    client_id: "'app'",
    scopes: "'openid profile email'",
    remembered: "'openid profile email'",
    created_at: now,
    updated_at: now,
    last_used_at: now,
  },
  authorizations: {
    id: id('authorization'),
    client_id: "'app'",
    user_id: id('user'),
    grant_id: id('grant'),
    session_hash: digest('session'),
    scope: "'openid profile email'",
    state_hash: digest('state'),
    redirect_uri: "'https://app.example.org/callback'",
    code_challenge: digest('code'),
    nonce: 'substr(md5(i::text), 1, 22)',
    auth_time: now,
    amr: "'pwd'",
    user_epoch: '0',
    client_epoch: '0',
    created_at: now,
    redeemed_at: now,
    rotation: '3',
    rotated_at: now,
    idle_until: now,
    ends_at: now,
    keep_until: now,
  },
  sessions: {
    hash: digest('session'),
    user_id: id('user'),
    user_epoch: '0',
    auth_time: now,
    created_at: now,
    last_seen_at: now,
    expires_at: now,
    user_agent: "'Firefox on Linux'",
    address: "'192.0.2.7'",
  },
  audit_events: {
    id: id('event'),
    at: now,
    type: "'sign-in.success'",
    actor: id('user'),
    user_id: id('user'),
    client_id: "'app'",
    address: "'192.0.2.7'",
    request_id: id('request'),
    detail: `'{"amr":"pwd"}'`,
  },
};

await client.query(
  `INSERT INTO clients (id, name, type, grants, created_at, updated_at) VALUES ('app', 'App', 'confidential', 'authorization_code', now(), now())`,
);
for (const [table, columns] of Object.entries(tables)) {
  await client.query(
    `INSERT INTO ${table} (${Object.keys(columns).join(', ')}) SELECT ${Object.values(columns).join(', ')} FROM generate_series(1, ${rows}) AS i`,
  );
  const sql = `SELECT pg_table_size('${table}') / ${rows} AS heap, pg_indexes_size('${table}') / ${rows} AS indexes,
    (SELECT count(*) FROM pg_indexes WHERE tablename = '${table}') AS count`;
  const [size] = (await client.query(sql)).rows;
  console.log(`${table}: ${size.heap} bytes a row, ${size.indexes} in ${size.count} indexes`);
}
await client.end();

/** Changes one setting and stores its event, as when an admin does it. */
const change = (name: string) =>
  writeTogether(
    {
      sql: `INSERT INTO settings (name, value, updated_at) VALUES (:name, 'x', now())
        ON CONFLICT (name) DO UPDATE SET updated_at = now() RETURNING name`,
      params: { name },
    },
    [auditing({ type: 'setting.changed', actor: 'cli', detail: { name } }, new Date()), raising()],
  );

for (const writers of [1, 4, 8]) {
  let [changes, over] = [0, false];
  const waits: number[] = [];
  const writing = Array.from({ length: writers }, async (_, at) => {
    for (; !over; changes += 1) await change(`setting ${at}`);
  });
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const began = performance.now();
    await readRevision();
    waits.push(performance.now() - began);
  }
  over = true;
  await Promise.all(writing);
  const sorted = waits.sort((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]?.toFixed(2);
  console.log(
    `${writers} who change the configuration: ${Math.round(changes / seconds)} changes a second; a reader meanwhile: median ${at(0.5)} ms, 99th percentile ${at(0.99)}`,
  );
}
await closeStore();
await postgres.stop();
