import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { listApps } from '#lib/management/client/app-list.ts';
import { listClients } from '#lib/management/client/clients.ts';
import { listGrants } from '#lib/management/grant/grants.ts';
import { groupsOf, listGroups } from '#lib/management/group/groups.ts';
import { listMembers } from '#lib/management/group/members.ts';
import { listActive, listAttention, listReasons, listTroubles } from '#lib/management/overview.ts';
import { searchAll } from '#lib/management/search.ts';
import { listSessions } from '#lib/management/session/sessions.ts';
import { readSignIns } from '#lib/management/sign-in-activity.ts';
import { listPeople } from '#lib/management/user/people-list.ts';
import { listUsers } from '#lib/management/user/users.ts';
import { listYourApps } from '#lib/management/your-apps.ts';
import { textIn } from '#lib/messages/text.ts';
import { auditList } from '#lib/store/audit-list.ts';
import { closeStore } from '#lib/store/engine/database.ts';
import { grantList } from '#lib/store/grant-list.ts';
import { applyMigrations } from '#lib/tooling/migrate.ts';
import { startPostgres } from '#lib/tooling/postgres.ts';
import { databases } from '#lib/tooling/schema.ts';
import { sharedEnv } from '../../support/shared-env.ts';
import { largeTablesScanned, recordQueries } from './plans.ts';
import { large, largeWith, seedLarge } from './seed-large.ts';

/*
 * How long every list of the dashboard takes with 10,000 clients, 100,000 people and 1,000,000
 * authorizations, on both databases, and whether its queries use indexes: `npm run bench:lists`.
 * With `-- --only postgresql --people 10000000` there are as many people, which takes 40 GB of
 * disk. `--filled URL` uses a database that node tests/lab/bench/fill.ts has filled.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    people: { type: 'string' },
    filled: { type: 'string' },
  },
});
const size = values.people ? largeWith(Number(values.people)) : large;
const aim = 200;
const rounds = 7;

type Page = { next: string | null };
const deep = async <T extends Page>(list: (cursor?: string) => Promise<T>) => {
  let cursor: string | undefined;
  for (let page = 0; page < 4; page += 1) cursor = (await list(cursor)).next ?? undefined;
  return list(cursor);
};

const person = 'u1000007';
const client = 'client-1000007';
const at = () => new Date();
/** A cursor to the rows after or before a place deep in a list. */
const far = (...place: unknown[]) => Buffer.from(JSON.stringify(place)).toString('base64url');
const lists: Record<string, () => Promise<unknown>> = {
  'clients, newest': () => listClients(),
  'apps with facts and total': () => listApps({}, at()),
  'apps with facts and total, searched': () => listApps({ search: 'App Turing 99' }, at()),
  'clients, by name': () => listClients({ sort: 'name' }),
  'clients, searched': () => listClients({ search: 'App Turing 99' }),
  'clients, public': () => listClients({ type: 'public' }),
  people: () => listUsers(),
  'people, fifth page': () => deep((cursor) => listUsers({ cursor })),
  'people, the last page': () => listUsers({ cursor: far('u1000050') }),
  'people, the page before the last': () => listUsers({ cursor: far(['u1000049']) }),
  'people with facts and total': () => listPeople({}, at()),
  'people with facts and total, by name, page 2000': () =>
    listPeople({}, at(), { page: 2000, sort: { by: 'name', direction: 'ascending' } }),
  'people with facts and total, searched': () => listPeople({ search: 'lovelace' }, at()),
  'people, locked': () => listPeople({ lockedAt: at() }, at()),
  'search everywhere': () => searchAll('lovelace', 'admin', textIn('en')),
  'search everywhere, one letter': () => searchAll('p', 'admin', textIn('en')),
  'people, searched': () => listUsers({ search: 'person10500' }),
  'people, searched by a common last name': () => listUsers({ search: 'lovelace' }),
  'people, one letter': () => listUsers({ search: 'p' }),
  'people, by the start of a value': () => listUsers({ search: 'department:turing29' }),
  'people, by a common value': () => listPeople({ search: 'department:t' }, at()),
  'people, by an entry of a list': () => listUsers({ search: 'tags:turing999' }),
  'people, by an entry that nobody has': () => listUsers({ search: 'tags:nothing' }),
  'your apps': () => listYourApps({ id: person, username: person }),
  'your apps, searched': () => listYourApps({ id: person, username: person }, 'Turing 99'),
  'people, admins': () => listUsers({ admin: true }),
  'people, disabled': () => listUsers({ disabled: true }),
  'people, enabled': () => listUsers({ disabled: false }),
  'sessions of a person': () => listSessions(person, at()),
  'groups with facts and total': () => listGroups(),
  'groups, searched': () => listGroups({ search: 'lovelace 9' }),
  'groups, newest': () => listGroups({ sort: 'newest' }),
  'groups without members': () => listGroups({ empty: true }),
  'groups of a person who is in a thousand': () => listGroups({ userId: person }),
  'names of the groups of that person': () => groupsOf(person),
  'members of a group of everybody': () => listMembers('group-1000000'),
  'members of that group, searched': () => listMembers('group-1000000', { search: 'person10500' }),
  'members of that group, one letter': () => listMembers('group-1000000', { search: 'p' }),
  'members of a small group, one letter': () => listMembers('group-1000007', { search: 'p' }),
  approvals: () => listGrants(),
  'approvals, total': () => grantList.count({}),
  'approvals, the last page': () => listGrants({ cursor: far('g1000050') }),
  'approvals, fifth page': () => deep((cursor) => listGrants({ cursor })),
  'approvals of a person': () => listGrants({ userId: person }),
  'approvals of a client': () => listGrants({ clientId: client }),
  'audit log': () => listAudit(),
  'audit log, total': () => auditList.count({}),
  'audit log, total of an area': () => auditList.count({ type: 'sign-in' }),
  'audit log, fifth page': () => deep((cursor) => listAudit({ cursor })),
  'audit log, an area': () => listAudit({ type: 'sign-in' }),
  'audit log, a rare area': () => listAudit({ type: 'keys' }),
  'audit log of a person': () => listAudit({ userId: person }),
  'audit log of a client': () => listAudit({ clientId: client }),
  'audit log, done by': () => listAudit({ actor: person }),
  'overview, 24 hours': () => readSignIns('24h', 'UTC', at()),
  'overview, 30 days': () => readSignIns('30d', 'UTC', at()),
  'active clients, 24 hours': () => listActive('24h', at()),
  'active clients, 30 days': () => listActive('30d', at()),
  'needs attention': () => listAttention(at(), { failing: [], waiting: [] }),
  'badges of each page': () => listTroubles(at()),
  'reasons of refusals': () => listReasons(at()),
};

let failed = false;
for (const kind of databases) if ((values.only ?? kind) === kind) await measure(kind);
process.exitCode = failed ? 1 : 0;

async function measure(kind: (typeof databases)[number]): Promise<void> {
  const folder = mkdtempSync(`${tmpdir()}/gatehouse-lists-`);
  const postgres = kind === 'postgresql' && !values.filled ? await startPostgres() : null;
  try {
    forgetProcess();
    const databaseUrl =
      values.filled ??
      (postgres ? await postgres.createDatabase('lists') : `file:${folder}/lists.db`);
    Object.assign(process.env, sharedEnv, { DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' });
    await applyMigrations(databaseUrl);
    const began = performance.now();
    if (!values.filled) await seedLarge(size);
    console.log(
      `\n${kind}: ${JSON.stringify(size)}, made in ${((performance.now() - began) / 1000).toFixed(1)} s\n`,
    );
    for (const [name, list] of Object.entries(lists))
      await measureList(name, list).catch((error: Error) => {
        failed = true;
        console.log(`${name.padEnd(42)} ${error.message}`);
      });
    await closeStore();
  } finally {
    await postgres?.stop();
    rmSync(folder, { recursive: true });
  }
}

async function measureList(name: string, list: () => Promise<unknown>): Promise<void> {
  const scanned = await largeTablesScanned(await recordQueries(list));
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    await list();
    times.push(performance.now() - began);
  }
  const median = times.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
  const complaint = [
    median > aim && 'TOO SLOW',
    scanned.length > 0 && `READS ALL OF ${scanned.join(', ')}`,
  ].filter(Boolean);
  failed ||= complaint.length > 0;
  console.log(
    `${name.padEnd(42)}${median.toFixed(1).padStart(8)} ms  ${complaint.join(', ') || 'by index'}`,
  );
}

/** Forgets what this process holds, because it belongs to the previous database. */
function forgetProcess(): void {
  for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
    if (symbol.description?.startsWith('gatehouse.')) Reflect.deleteProperty(globalThis, symbol);
  }
}
