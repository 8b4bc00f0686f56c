import { listRefusedApps, listWaitingApps } from '#lib/management/approval/new-apps.ts';
import { listApps } from '#lib/management/client/app-list.ts';
import type { ClientFilter } from '#lib/management/client/clients.ts';
import { keptOf } from '#lib/management/kept.ts';
import { appTroubles, listTroubled } from '#lib/management/overview.ts';
import { clientSorts } from '#lib/store/client-list.ts';
import { knownOption, switchOf } from '../../params.ts';
import { pageIn, sortIn } from '../ui/table/order.ts';

const usual = { by: 'created', direction: 'descending' } as const;

type Query = Readonly<Record<string, string>>;

/** A page of the apps that match the filters, and the apps that wait for an admin. */
export async function readClients(query: Query, now: Date) {
  return {
    sort: sortIn(query, clientSorts, usual),
    page: await listApps(await wantedOf(query, now), now, {
      page: pageIn(query),
      sort: sortIn(query, clientSorts, usual),
    }),
    kept: await keptOf('client'),
    waiting: await listWaitingApps(),
    refused: await listRefusedApps(),
  };
}

export async function wantedOf(query: Query, now: Date): Promise<ClientFilter> {
  const trouble = knownOption(appTroubles, query.attention);
  return {
    ids: trouble && (await listTroubled(trouble, now)),
    search: query.q?.slice(0, 200),
    type: knownOption(['confidential', 'public'], query.type),
    agent: query.type === 'agent' || undefined,
    disabled: switchOf(query.state, 'disabled', 'enabled'),
    firstParty: switchOf(query.party, 'ours', 'others'),
    origin: knownOption(['admin', 'itself', 'document', 'registration'], query.origin),
    scope: query.scope || undefined,
  };
}

export type Clients = Awaited<ReturnType<typeof readClients>>;
