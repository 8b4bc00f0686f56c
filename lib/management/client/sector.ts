import { sentence } from '../../messages/sentence.ts';
import type { ClientSettings } from '../../oauth/client.ts';
import { hasSector, sectorIn } from '../../oauth/subject.ts';
import type { ClientRecord } from '../../store/client-list.ts';
import type { Faults } from '../refusal.ts';

/**
 * What is wrong with the sector of a client with pairwise subjects (OpenID Connect Core section
 * 8.1), by field.
 * @param client must have valid addresses
 * @param before null for a new one
 */
export function sectorFaults(client: ClientSettings, before: ClientRecord | null): Faults {
  if (client.subjectType !== 'pairwise') return {};
  if (!hasSector({ ...client, origin: before?.origin ?? 'admin' }))
    return { subjectType: sentence('refused.client.sector') };
  // Naming another sector explicitly is deliberate.
  const isSaid = client.sectorIdentifierUri !== null;
  return before?.subjectType === 'pairwise' && !isSaid ? moveFaults(client, before) : {};
}

/** With addresses in another sector, the app would no longer recognise anyone. */
function moveFaults(client: ClientSettings, before: ClientRecord): Faults {
  const { id, origin, registration } = before;
  const sectorOf = (settings: ClientSettings) =>
    sectorIn({ ...settings, id, origin, host: registration?.host ?? null });
  const [was, is] = [sectorOf(before), sectorOf(client)];
  if (was === is) return {};
  const says =
    was === id
      ? sentence('refused.client.sectorOwn', { after: is })
      : sentence('refused.client.sectorMoves', { before: was, after: is });
  return { redirectUris: says };
}
