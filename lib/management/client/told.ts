import { z } from 'zod';
import { told } from '../told.ts';
import type { ClientRecord, ClientSummary } from './clients.ts';
import { clientSummary, clientTold, secretTimes } from './fields.ts';

export const toldSummary = (client: ClientSummary): z.input<typeof clientSummary> =>
  told(clientSummary, { ...client, clientId: client.id, disabled: client.disabledAt !== null });

export async function toldClient(client: ClientRecord): Promise<z.input<typeof clientTold>> {
  // Imported late: a command line that only prints its help opens no store.
  const [{ listContacts }, { showAccess }] = await Promise.all([
    import('./contacts.ts'),
    import('./access.ts'),
  ]);
  const contacts = await listContacts(client.id);
  const { groups, people } = await showAccess(client.id);
  return told(clientTold, {
    ...client,
    clientId: client.id,
    disabled: client.disabledAt !== null,
    secrets: client.secrets.map((secret) => told(z.object(secretTimes), secret)),
    contacts: contacts.map(({ username }) => username),
    owner: contacts.find(({ owner }) => owner)?.username ?? null,
    allowedGroups: groups.map(({ name }) => name),
    allowedUsers: people.map(({ username }) => username),
    allowedUserEnds: Object.fromEntries(
      people.flatMap(({ username, endsAt }) => (endsAt ? [[username, endsAt]] : [])),
    ),
  });
}
