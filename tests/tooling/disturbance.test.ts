import { describe, expect, test } from 'vitest';
import { disturbanceIn } from '#lib/tooling/disturbance.ts';
import { isOfLastRelease, nameFor, saidBy } from '#lib/tooling/migration-name.ts';
import { migrationNames, readMigration } from '#lib/tooling/migrations.ts';
import { databases } from '#lib/tooling/schema.ts';

const table = 'CREATE TABLE "logos" ("id" TEXT NOT NULL PRIMARY KEY, "user_id" TEXT';

describe('a migration that does not disturb a running older version', () => {
  test.each([
    ['nothing but a comment', "-- DROP TABLE users; it's gone\n/* ALTER TABLE */"],
    ['a table', `${table});`],
    ['a table without quotes', 'create table logos (id integer);'],
    ['a column that may be empty', 'ALTER TABLE "users" ADD COLUMN "nick" TEXT;'],
    [
      'columns with a constant, as PostgreSQL adds them',
      `ALTER TABLE "users" ADD COLUMN "a" BOOLEAN NOT NULL DEFAULT false, ADD COLUMN "b" INTEGER NOT NULL DEFAULT -1,
       ADD COLUMN "c" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;`,
    ],
    [
      'a text that looks like SQL',
      `ALTER TABLE "users" ADD COLUMN "a" TEXT DEFAULT '; DROP TABLE';`,
    ],
    ['an index', 'CREATE INDEX "i" ON "users"("name_key", "id");'],
    [
      'an index of what cannot fail, of some rows',
      `CREATE INDEX "i" ON "users"(coalesce("name_key", "username_key"), "id") WHERE "name" IS NOT NULL;`,
    ],
    ['a unique index of a new table', `${table}); CREATE UNIQUE INDEX "i" ON "logos"("user_id");`],
    [
      'a unique index of a new column that others leave empty',
      'ALTER TABLE "users" ADD COLUMN "nick" TEXT; CREATE UNIQUE INDEX "i" ON "users"("nick");',
    ],
    [
      'rows that go with those they refer to',
      `${table}, CONSTRAINT "f" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE);`,
    ],
    [
      'the same, as PostgreSQL adds it',
      `${table}); ALTER TABLE "logos" ADD CONSTRAINT "f" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL;`,
    ],
    [
      'a new column that refers to rows',
      `ALTER TABLE "sessions" ADD COLUMN "logo_id" TEXT;
       ALTER TABLE "sessions" ADD CONSTRAINT "f" FOREIGN KEY ("logo_id") REFERENCES "logos"("id") ON DELETE CASCADE;`,
    ],
    ['rows of a new table', `${table}); INSERT INTO "logos" ("id") SELECT "id" FROM "users";`],
  ])('%s', (_, sql) => {
    expect(disturbanceIn(sql)).toBeNull();
  });
});

describe('a migration that disturbs a running older version', () => {
  test.each([
    ['DROP TABLE "logos";', /^does "DROP TABLE logos"/],
    ['ALTER TABLE "users" DROP COLUMN "name";', /^does "DROP COLUMN name" to "users"$/],
    ['ALTER TABLE "users" RENAME COLUMN "name" TO "n";', /RENAME COLUMN name TO n/],
    ['ALTER TABLE "users" RENAME TO "people";', /RENAME TO people/],
    ['ALTER TABLE "users" ALTER COLUMN "name" SET NOT NULL;', /ALTER COLUMN name SET NOT NULL/],
    ['ALTER TABLE "users" ALTER COLUMN "name" DROP NOT NULL;', /DROP NOT NULL/],
    ['ALTER TABLE "users" ADD COLUMN "nick" TEXT NOT NULL;', /"nick".*has to be filled/],
    ['ALTER TABLE "users" ADD COLUMN "nick" TEXT NOT NULL DEFAULT NULL;', /has to be filled/],
    ['ALTER TABLE "users" ADD COLUMN "nick" TEXT UNIQUE;', /a demand on/],
    ['ALTER TABLE "users" ADD COLUMN "nick" TEXT CHECK ("nick" <> \'\');', /a demand on/],
    ['ALTER TABLE "users" ADD COLUMN "nick" TEXT DEFAULT (random());', /worked out/],
    ['ALTER TABLE "users" ADD COLUMN "nick" TEXT DEFAULT random();', /worked out/],
    ['ALTER TABLE "users" ADD "nick" TEXT;', /does "ADD nick TEXT" to "users"/],
    [
      'ALTER TABLE "users" ADD COLUMN "a" TEXT, DROP COLUMN "name";',
      /^does "DROP COLUMN name" to "users"$/,
    ],
    ['CREATE UNIQUE INDEX "i" ON "users"("name");', /no two rows/],
    [
      `ALTER TABLE "users" ADD COLUMN "nick" TEXT DEFAULT ''; CREATE UNIQUE INDEX "i" ON "users"("nick");`,
      /no two rows/,
    ],
    [
      'ALTER TABLE "users" ADD COLUMN "nick" TEXT; CREATE UNIQUE INDEX "i" ON "users"("nick") NULLS NOT DISTINCT;',
      /no two rows/,
    ],
    ['CREATE INDEX "i" ON "users"(("epoch" / 0));', /may fail/],
    ['CREATE INDEX "i" ON "users"(("name"::integer));', /may fail/],
    ['CREATE INDEX "i" ON "users"(to_date("name"));', /may fail/],
    [
      `${table}, CONSTRAINT "f" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE RESTRICT);`,
      /keeps rows of "users" from being deleted/,
    ],
    [`${table} REFERENCES "users" ("id"));`, /keeps rows of "users"/],
    [
      'ALTER TABLE "sessions" ADD CONSTRAINT "f" FOREIGN KEY ("user_id") REFERENCES "logos"("id") ON DELETE CASCADE;',
      /demands of "sessions"/,
    ],
    ['ALTER TABLE "users" ADD CONSTRAINT "c" CHECK (epoch > 0);', /demands of "users"/],
    [`INSERT INTO "scopes" ("name") VALUES ('photos');`, /writes into "scopes"/],
    ['UPDATE "users" SET "name" = \'x\';', /^does "UPDATE users SET/],
    ['DELETE FROM "users";', /DELETE FROM users/],
    ['CREATE TABLE "logos" AS SELECT * FROM "users";', /makes a table in a way/],
    ['CREATE TRIGGER "t" AFTER INSERT ON "users" BEGIN SELECT 1; END;', /CREATE TRIGGER/],
    ['DO $$ BEGIN DROP TABLE users; END $$;', /^does "DO/],
    ['PRAGMA foreign_keys=OFF;', /PRAGMA/],
  ])('%s', (sql, says) => {
    expect(disturbanceIn(sql)).toMatch(says);
  });
});

/**
 * From this date on, a migration's name says what it does. Every version that reads names already
 * contains all older migrations.
 */
const named = '20261127';
/** The last migration in the databases below tests/upgrade/fixtures. */
const released = '20261122062500';

/** What the name of a migration with these statements should say; null if it says so. */
function nameFault(name: string, statements: readonly string[]): string | null {
  const does = statements.some(disturbanceIn) ? 'contract' : 'expand';
  return saidBy(name)?.does === does ? null : `${name} is to say …_${does}_after_…`;
}

const [logo, noLogo] = [`${table});`, 'DROP TABLE "logos";'];
test.each([
  ['expand_after_0_2', logo, null],
  ['contract_after_0_2', noLogo, null],
  ['contract_after_0_2', logo, /_expand_after_…$/],
  ['expand_after_0_2', noLogo, /_contract_after_…$/],
  ['with', logo, /_expand_after_…$/],
])('the name …_%s_… of a migration that does %s is checked', (says, sql, fault) => {
  const found = nameFault(`20261201120005_${says}_logos`, ['', sql]);
  if (fault) expect(found).toMatch(fault);
  else expect(found).toBeNull();
});

test('each migration does what its name says, on both databases', () => {
  const names = migrationNames('sqlite').filter((each) => each >= named);
  const sqlOf = (name: string) => databases.map((kind) => readMigration(kind, name));
  expect(names.flatMap((name) => nameFault(name, sqlOf(name)) ?? [])).toEqual([]);
});

test('of the migrations since the last fixtures, only the known ones remove something without saying so', () => {
  const takes = databases.flatMap((kind) =>
    migrationNames(kind)
      .filter((name) => name > released && disturbanceIn(readMigration(kind, name)))
      .map((name) => `${kind}: ${name}`),
  );
  const unnamed = ['20261123042352_devices_make_room', '20261126121800_one_name_of_each_look'];
  expect(takes.filter((name) => !name.includes('_contract_'))).toEqual(
    databases.flatMap((kind) => unnamed.map((name) => `${kind}: ${name}`)),
  );
});

test('the name of a migration says whether it expands or contracts, and after which release', () => {
  const name = nameFor('add_client_logo', 'expand', '0.2.7', new Date('2026-12-01T12:00:05Z'));
  expect(name).toBe('20261201120005_expand_after_0_2_add_client_logo');
  expect(saidBy(name)).toEqual({ does: 'expand', after: '0.2' });
  expect(saidBy('20261201120005_expand_the_table')).toBeNull();
  expect(saidBy('20261126062000_identity_assertions')).toBeNull();
});

test.each([
  ['0.2', '0.2.5', true],
  ['0.1', '0.2.0', true],
  ['0.1', '0.3.0', false],
  ['0.9', '1.0.0', true],
  ['0.9', '1.1.0', false],
  ['0.9', '2.0.0', false],
  ['0.3', '0.2.0', false],
] as const)(
  'a migration written after %s is of the last release before %s: %s',
  (after, version, is) => {
    expect(isOfLastRelease(after, version)).toBe(is);
  },
);
