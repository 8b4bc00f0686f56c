import { type AppFacts, factsOfApps } from '../../store/app-facts.ts';
import { type ClientFilter, type ClientSummary, countClients } from '../../store/client-list.ts';
import { flushUsage } from '../../store/usage.ts';
import type { Listed } from '../page.ts';
import { listClients } from './clients.ts';

export type ListedApp = ClientSummary & { facts: AppFacts };

/** Clients with what a decision about them needs, and how many there are. @throws AdminRefusal */
export async function listApps(filter: ClientFilter, now: Date): Promise<Listed<ListedApp>> {
  await flushUsage();
  const [page, total] = await Promise.all([listClients(filter), countClients(filter)]);
  const facts = await factsOfApps(
    page.rows.map(({ id }) => id),
    now,
  );
  const rows = page.rows.map((client) => ({ ...client, facts: facts.get(client.id) ?? nothing }));
  return { ...page, rows, total };
}

/** Of a client that was deleted meanwhile. */
const nothing: AppFacts = {
  people: { count: 0, more: false },
  refusedInDay: 0,
  refusedInWeek: 0,
  failure: null,
};
