import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { resolve } from 'node:path';
import { gatehouseVersion } from '#lib/config.ts';
import { nextVersion } from '#lib/package/version.ts';
import { type Doing, nameFor } from '#lib/tooling/migration-name.ts';
import { type DatabaseKind, databases, root } from '#lib/tooling/schema.ts';
import { tables } from '#prisma/generated/tables.ts';
import { newFolder } from '../support/database.ts';

/** A later release, in a separate folder, whose only change is a migration. */
export type Next = { folder: string; migration: string };

/**
 * @param sql what its migration does
 * @param change the other difference from this version: in a file, one text replaced by another
 */
export function makeNext(
  does: Doing,
  sql: (kind: DatabaseKind) => string,
  change?: { file: string; from: string; to: string },
): Next {
  const folder = newFolder('next');
  for (const name of ['app', 'lib', 'prisma', 'proxy.ts', 'next.config.js'])
    cpSync(resolve(root, name), resolve(folder, name), { recursive: true });
  for (const name of ['node_modules', '.next', 'public', 'docs'])
    if (existsSync(resolve(root, name))) symlinkSync(resolve(root, name), resolve(folder, name));
  const version = gatehouseVersion();
  const manifest = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'));
  manifest.version = nextVersion(version, 'minor');
  writeFileSync(resolve(folder, 'package.json'), JSON.stringify(manifest));
  const migration = nameFor('made_up', does, version, new Date());
  for (const kind of databases) {
    const place = resolve(folder, 'prisma/migrations', kind, migration);
    mkdirSync(place);
    writeFileSync(resolve(place, 'migration.sql'), sql(kind));
  }
  if (change) {
    const file = resolve(folder, change.file);
    const text = readFileSync(file, 'utf8');
    if (!text.includes(change.from)) throw new Error(`${change.file} has no ${change.from}`);
    writeFileSync(file, text.replace(change.from, change.to));
  }
  return { folder, migration };
}

/** Points a link to another folder, as when a person upgrades. */
export function turn(link: string, to: string): void {
  symlinkSync(to, `${link}-next`);
  renameSync(`${link}-next`, link);
}

/** The tables that every sign-in and token uses. */
const hot = ['users', 'clients', 'sessions', 'grants', 'authorizations', 'traces'] as const;

/**
 * The most that a release may add. Each hot table gets a column for every name that another hot
 * table has, so that a careless statement's column becomes ambiguous. It also adds an index, and a
 * table whose rows are deleted together with the rows they refer to.
 */
export function addALot(kind: DatabaseKind): string {
  const moment = kind === 'sqlite' ? 'DATETIME' : 'TIMESTAMPTZ(3)';
  const names = new Set<string>(hot.flatMap((table) => Object.keys(tables[table].columns)));
  const added = hot.flatMap((table) =>
    [...names]
      .filter((name) => !Object.hasOwn(tables[table].columns, name))
      .map((name) => `ALTER TABLE "${table}" ADD COLUMN "${name}" TEXT;`),
  );
  return [
    ...added,
    `ALTER TABLE "users" ADD COLUMN "made_up" BOOLEAN NOT NULL DEFAULT false;`,
    'CREATE INDEX "users_made_up_idx" ON "users"("made_up", "id");',
    `CREATE TABLE "made_up" ("id" TEXT NOT NULL PRIMARY KEY, "user_id" TEXT NOT NULL, "at" ${moment},
       CONSTRAINT "made_up_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE);`,
    `INSERT INTO "made_up" ("id", "user_id") SELECT "id", "id" FROM "users";`,
  ].join('\n');
}
