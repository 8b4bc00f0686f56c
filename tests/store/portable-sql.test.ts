import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

/*
 * Some databases speak PostgreSQL's protocol and spread their rows over many machines. YugabyteDB
 * comes closest to PostgreSQL. So we send nothing that its documentation says it lacks ("Enhanced
 * PostgreSQL Compatibility Mode", "Explicit locking"; its issue 24843), nor a few things that
 * poolers and clusters do not keep or that would have to be installed.
 */
const lacking: Record<string, RegExp> = {
  'advisory locks: only with a flag, and all in one table': /\bpg_(try_)?advisory_/i,
  'table locks': /\bLOCK TABLE\b|\bIN (\w+ ){1,3}MODE\b/i,
  'LISTEN and NOTIFY': /\b(UN)?LISTEN\s+\w|\bNOTIFY\s+\w|\bpg_notify\b/,
  'constraints that are looked at later, or exclude ranges':
    /\b(INITIALLY )?DEFERR(ABLE|ED)\b|\bSET CONSTRAINTS\b|\bEXCLUDE USING\b|\bCONSTRAINT TRIGGER\b/,
  'inheritance, unlogged and temporary tables':
    /\bINHERITS\b|\bUNLOGGED\b|\bTEMP(ORARY)? TABLE\b|\bPG_TEMP\b/i,
  'indexes other than of plain values by B-tree':
    /\bUSING (gin|gist|brin|spgist|hash)\b|\bINDEX\b.*\bWITH \(/i,
  'columns of the system, and numbers of transactions':
    /\b(ctid|xmin|xmax|cmin|cmax|tableoid)\b|\b(pg_)?(txid|xact)_(current|snapshot|status)|\bpg_(current_)?snapshot/i,
  'columns that are computed and stored, types of one’s own, citext, XML':
    /\bGENERATED ALWAYS AS \(|\b(CREATE|ALTER) TYPE\b|\bCITEXT\b|\bXML(PARSE|ELEMENT|TABLE|AGG)\b/i,
  'two-phase commit, and samples of tables': /\bPREPARE TRANSACTION\b|\bTABLESAMPLE\b/i,
  'triggers, functions and extensions of one’s own':
    /\bCREATE (OR REPLACE )?(FUNCTION|PROCEDURE|TRIGGER|EXTENSION|RULE)\b/i,
};

/** The exceptions that are sent anyway: where, and why. */
const exceptions: Record<string, string> = {
  'lib/tooling/connection.ts: advisory locks':
    'migrations: one server at a time makes the tables, and Prisma’s own engine takes the same lock',
  'lib/tooling/table-locks.ts: table locks':
    'migrations beside servers that work; where there are no such locks they go on without',
  'lib/backup/move.ts: table locks': 'a database that is moved from stands still',
};

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(resolve(root, file), 'utf8');
/** All files that send SQL. */
const files = globSync(['lib/{store,backup,tooling}/**/*.ts', 'lib/config-file/*.ts'], {
  cwd: root,
});

/**
 * A source file without its comments. Every statement is written out in one, as a whole or in
 * parts.
 */
const codeOf = (file: string) => read(file).replace(/^\s*\/?\*.*$|(?<=^|\s)\/\/.*$/gm, '');

/** The features in these texts that other databases lack, by the beginning of their name. */
const lackingIn = (texts: readonly string[]) =>
  Object.entries(lacking)
    .filter(([, pattern]) => texts.some((text) => pattern.test(text)))
    .map(([name]) => name.split(/[:,]/, 1)[0]);

test('no SQL statement needs what YugabyteDB lacks, except those listed with a reason', () => {
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) =>
    lackingIn([codeOf(file)]).map((what) => `${file}: ${what}`),
  );
  expect(found.sort()).toEqual(Object.keys(exceptions).sort());
});

test('no PostgreSQL migration needs what YugabyteDB lacks', () => {
  const migrations = globSync('prisma/migrations/postgresql/*/migration.sql', { cwd: root });
  expect(migrations.length).toBeGreaterThan(50);
  const statements = (file: string) => read(file).replace(/--.*$/gm, '').split(';');
  const found = migrations.flatMap((file) =>
    lackingIn(statements(file)).map((what) => `${file}: ${what}`),
  );
  expect(found).toEqual([]);
});

test('each pattern for what YugabyteDB lacks matches its example', () => {
  const statements = [
    'SELECT pg_advisory_xact_lock(1)',
    'LOCK TABLE users IN SHARE MODE',
    'LISTEN changes',
    'ALTER TABLE a ADD CONSTRAINT b UNIQUE (c) DEFERRABLE INITIALLY DEFERRED',
    'CREATE TEMP TABLE some (id TEXT)',
    'CREATE INDEX a ON b USING gin (c)',
    'SELECT ctid FROM users',
    'CREATE TYPE mood AS ENUM ()',
    'SELECT 1 FROM users TABLESAMPLE SYSTEM (1)',
    'CREATE EXTENSION pg_trgm',
  ];
  expect(statements.map((statement) => lackingIn([statement]).length)).toEqual(
    statements.map(() => 1),
  );
});
