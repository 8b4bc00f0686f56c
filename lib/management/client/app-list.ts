import { type AppFacts, factsOfApps } from '../../store/app-facts.ts';
import {
  type ClientFilter,
  type ClientSort,
  type ClientSummary,
  clientList,
} from '../../store/client-list.ts';
import type { Numbered } from '../../store/engine/listing.ts';
import { idsOf } from '../../store/engine/parameters.ts';
import { flushUsage } from '../../store/usage.ts';
import { type NumberedPage, numberedPage } from '../page.ts';

export type ListedApp = ClientSummary & { facts: AppFacts };

const first: Numbered<ClientSort> = { page: 1, sort: { by: 'created', direction: 'descending' } };

/** Clients with the facts that a decision about them needs, and how many there are. */
export async function listApps(
  filter: ClientFilter,
  now: Date,
  wanted = first,
): Promise<NumberedPage<ListedApp>> {
  await flushUsage();
  const listed = await numberedPage(clientList, filter, wanted);
  const facts = await factsOfApps(idsOf(listed.rows), now);
  const rows = listed.rows.map((client) => ({ ...client, facts: facts.get(client.id) ?? nothing }));
  return { ...listed, rows };
}

/** For a client that was deleted meanwhile. */
const nothing: AppFacts = {
  people: { count: 0, more: false },
  refusedInDay: 0,
  refusedInWeek: 0,
  failure: null,
};
