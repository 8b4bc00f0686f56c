import type { z } from 'zod';
import { clientFieldNames } from '../../oauth/client.ts';
import type { ClientRecord, ClientSummary } from './clients.ts';
import { type clientSummary, type clientTold, inJson } from './fields.ts';

export const toldSummary = (client: ClientSummary): z.input<typeof clientSummary> => ({
  client_id: client.id,
  name: client.name,
  shown_name: client.shownName,
  type: client.type,
  description: client.description,
  first_party: client.firstParty,
  resource_server: client.resourceServer,
  disabled: client.disabledAt !== null,
  created_at: client.createdAt,
  updated_at: client.updatedAt,
});

/** An app, as acts return it. */
export async function toldClient(client: ClientRecord): Promise<z.input<typeof clientTold>> {
  // Imported late: a command line that only prints its help opens no store.
  const [{ listContacts }, { showAccess }] = await Promise.all([
    import('./contacts.ts'),
    import('./access.ts'),
  ]);
  const contacts = await listContacts(client.id);
  const { groups, people } = await showAccess(client.id);
  const fields = clientFieldNames.map((field) => [inJson(field), client[field]]);
  return {
    client_id: client.id,
    shown_name: client.shownName,
    ...Object.fromEntries(fields),
    name: client.name,
    access: client.access,
    scopes: client.scopes && [...client.scopes],
    logo: client.logo,
    disabled: client.disabledAt !== null,
    secrets: client.secrets.map(({ createdAt, lastUsedAt }) => ({
      created_at: createdAt,
      last_used_at: lastUsedAt,
    })),
    created_at: client.createdAt,
    updated_at: client.updatedAt,
    contacts: contacts.map(({ username }) => username),
    owner: contacts.find(({ owner }) => owner)?.username ?? null,
    allowed_groups: groups.map(({ name }) => name),
    allowed_users: people.map(({ username }) => username),
  };
}
