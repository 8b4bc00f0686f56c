import { type AppFacts, factsOfApps } from '../../store/app-facts.ts';
import { type ClientFilter, type ClientSummary, clientList } from '../../store/client-list.ts';
import { flushUsage } from '../../store/usage.ts';
import { csvLine } from '../csv.ts';

/** Apps read at a time, so memory stays small however many are exported. */
const step = 200;

type Exported = ClientSummary & { facts: AppFacts | undefined };

const columns: [string, (app: Exported) => string | null][] = [
  ['client_id', ({ id }) => id],
  ['name', ({ shownName }) => shownName],
  ['origin', ({ origin }) => origin],
  ['type', ({ type }) => type],
  ['first_party', ({ firstParty }) => String(firstParty)],
  ['people', ({ facts }) => `${facts?.people.count ?? 0}${facts?.people.more ? '+' : ''}`],
  ['refused_in_24_hours', ({ facts }) => `${facts?.refusedInDay ?? 0}`],
  ['refused_in_7_days', ({ facts }) => `${facts?.refusedInWeek ?? 0}`],
  ['last_rule', ({ facts }) => facts?.failure?.rule ?? null],
  ['created_at', ({ createdAt }) => createdAt.toISOString()],
  ['last_used_at', ({ lastUsedAt }) => lastUsedAt?.toISOString() ?? null],
  ['disabled_at', ({ disabledAt }) => disabledAt?.toISOString() ?? null],
];

/** Streams the apps that match a filter as CSV, newest first. */
export async function* exportApps(filter: ClientFilter, now: Date): AsyncGenerator<string> {
  yield csvLine(columns.map(([name]) => name));
  await flushUsage();
  for await (const rows of clientList.pages(filter, step)) {
    const ids = rows.map(({ id }) => id);
    const facts = await factsOfApps(ids, now);
    const lines = rows.map((app) => {
      const exported = { ...app, facts: facts.get(app.id) };
      return csvLine(columns.map(([, value]) => value(exported)));
    });
    yield lines.join('');
  }
}
