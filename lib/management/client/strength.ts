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
  /** Where it is said. */
  field: ClientField;
  says: Sentence;
  /** What it hangs on: a change of nothing of it is not stopped by what was so before. */
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
 * What keeps a client that is to be strong from working, by field: it is refused when it is made or
 * changed, and not only when it is used. One that was weak before the server demanded strength may still
 * be renamed.
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

/** Apps that are refused whenever they are used: how many, and the names of the first. */
type TooWeak = { count: number; names: string[] };

/** So many are named. */
const mostNamed = 5;

/** The apps that are to be strong, by these settings or by what is said of each, and could not work. */
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
