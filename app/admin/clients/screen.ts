import { listRefusedApps, listWaitingApps } from '#lib/management/approval/new-apps.ts';
import { listApps } from '#lib/management/client/app-list.ts';
import type { ClientFilter } from '#lib/management/client/clients.ts';
import { keptOf } from '#lib/management/kept.ts';
import { oneOf, switchOf } from '../../params.ts';

type Query = Readonly<Record<string, string>>;

/** A page of the apps that were asked for, and those that wait for an admin. */
export async function readClients(query: Query, now: Date) {
  return {
    page: await listApps(wantedOf(query), now),
    kept: await keptOf('client'),
    waiting: await listWaitingApps(),
    refused: await listRefusedApps(),
  };
}

function wantedOf(query: Query): ClientFilter {
  return {
    search: query.q?.slice(0, 200),
    type: oneOf(['confidential', 'public'], query.type),
    disabled: switchOf(query.state, 'disabled', 'enabled'),
    firstParty: switchOf(query.party, 'ours', 'others'),
    origin: oneOf(['admin', 'itself', 'document', 'registration'], query.origin),
    scope: query.scope || undefined,
    sort: oneOf(['newest', 'name'], query.sort),
    cursor: query.after || undefined,
  };
}

export type Clients = Awaited<ReturnType<typeof readClients>>;
