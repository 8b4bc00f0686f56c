import { type Sentence, sentence } from '../../messages/sentence.ts';
import type { ClientField, ClientSettings } from '../../oauth/client.ts';
import type { ProtocolSettings } from '../../oauth/settings.ts';
import {
  isToBeStrong,
  strongAlgs,
  type Weakness,
  weaknessesOf,
} from '../../oauth/strong-client.ts';
import { eachEnabledClient } from '../../store/client-list.ts';
import type { Faults } from '../refusal.ts';

type Fault = {
  /** The field at which it is shown. */
  field: ClientField;
  says: Sentence;
  /** An edit that changes none is not refused for a weakness that was there before. */
  of: readonly ClientField[];
};

const proof = ['strong', 'type', 'jwks', 'jwksUri', 'federatedCredentials'] as const;

const faultsOfWeaknesses: Readonly<Record<Weakness, Fault>> = {
  public: { field: 'type', says: sentence('refused.client.weakPublic'), of: proof },
  secret: { field: 'jwks', says: sentence('refused.client.weakSecret'), of: proof },
  keys: {
    field: 'jwks',
    says: sentence('refused.client.weakKeys', { algs: strongAlgs.join(', ') }),
    of: proof,
  },
  'redirect-uri': {
    field: 'redirectUris',
    says: sentence('refused.client.weakAddress'),
    of: ['strong', 'redirectUris', 'grants'],
  },
};

/**
 * What would keep a client that has to be strong from working, by field. It is refused when the
 * client is made or changed, not only when it is used. A client that was weak before the server
 * demanded strength can still be renamed.
 * @param before null for a new one
 */
export function strengthFaults(
  client: ClientSettings,
  before: ClientSettings | null,
  settings: Pick<ProtocolSettings, 'requireStrongClients'>,
): Faults {
  if (!isToBeStrong(client, settings)) return {};
  const changed = (field: ClientField) =>
    before === null || JSON.stringify(client[field]) !== JSON.stringify(before[field]);
  const found = weaknessesOf(client)
    .map((weakness) => faultsOfWeaknesses[weakness])
    .filter(({ of }) => of.some(changed));
  return Object.fromEntries(found.map(({ field, says }) => [field, says]));
}

/** Apps that are refused whenever they are used: their number, and the first names. */
type TooWeak = { count: number; names: string[] };

/** The maximum number of names. */
const mostNamed = 5;

/** The apps that could not work because they have to be strong, by these settings or their own. */
export async function findTooWeak(
  settings: Pick<ProtocolSettings, 'requireStrongClients'>,
): Promise<TooWeak> {
  const found: TooWeak = { count: 0, names: [] };
  for await (const client of eachEnabledClient()) {
    if (!isToBeStrong(client, settings) || weaknessesOf(client).length === 0) continue;
    found.count += 1;
    if (found.names.length < mostNamed) found.names.push(client.shownName);
  }
  return found;
}
