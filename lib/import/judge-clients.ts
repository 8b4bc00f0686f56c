import { clientIdFault } from '../management/client/client-rules.ts';
import { apiFault, judgeNewClient } from '../management/client/clients.ts';
import { type Sentence, sentence } from '../messages/sentence.ts';
import { type ClientField, type ClientSettings, newClient } from '../oauth/client.ts';
import { findClientRecord } from '../store/client-list.ts';
import { findOwnerOfSecret } from '../store/clients.ts';
import { withoutEnded } from '../store/ended-secrets.ts';
import { listScopes } from '../store/scopes.ts';
import type { ArrivingClient } from './arrivals.ts';
import { isPlaceholder } from './placeholder.ts';

/** A client that can come, as it will be stored. */
export type ComingClient = {
  id: string;
  settings: ClientSettings;
  disabled: boolean;
  secretHash: string | null;
  notes: readonly Sentence[];
};

/** What stays out of an import, and why. */
export type LeftOut = { who: string; why: Sentence };

/** What would happen to the clients of a file. */
export type JudgedClients = {
  coming: ComingClient[];
  /** Ids of clients that exist here already. They stay as they are. */
  here: string[];
  /** Clients that can't work here. */
  behind: LeftOut[];
  collisions: LeftOut[];
  wrong: LeftOut[];
};

/** Judges what would happen to each client. Nothing is changed. */
export async function judgeClients(clients: readonly ArrivingClient[]): Promise<JudgedClients> {
  const judged: JudgedClients = { coming: [], here: [], behind: [], collisions: [], wrong: [] };
  const known = new Set((await listScopes()).map(({ name }) => name));
  const seen = { ids: new Set<string>(), secrets: new Map<string, string>() };
  for (const client of clients) await judgeOne(client, judged, known, seen);
  return judged;
}

type Seen = { ids: Set<string>; secrets: Map<string, string> };

async function judgeOne(
  client: ArrivingClient,
  judged: JudgedClients,
  known: ReadonlySet<string>,
  seen: Seen,
): Promise<void> {
  const { id, staysBehind, secretHash = null, disabled = false } = client;
  const who = id.slice(0, 80);
  if (staysBehind) return void judged.behind.push({ who, why: staysBehind });
  const unfilled = isPlaceholder(id) ? sentence('refused.import.placeholder', { text: who }) : null;
  const fault =
    unfilled ??
    clientIdFault(id) ??
    (await apiFault(id)) ??
    (seen.ids.has(id) ? sentence('refused.move.twice') : null);
  if (fault) return void judged.wrong.push({ who, why: fault });
  seen.ids.add(id);
  if (await findClientRecord(id)) return void judged.here.push(id);
  const { settings, fault: wrong, notes } = await soundSettings(client, known);
  if (wrong) return void judged.wrong.push({ who, why: wrong });
  const collision = secretHash && (await secretFault(secretHash, seen));
  if (collision) return void judged.collisions.push({ who, why: collision });
  if (secretHash) seen.secrets.set(secretHash, id);
  judged.coming.push({ id, settings, disabled, secretHash, notes: [...client.notes, ...notes] });
}

/** A secret must belong to one client only, and not have been ended here: it may have leaked. */
async function secretFault(hash: string, seen: Seen): Promise<Sentence | null> {
  const owner = seen.secrets.get(hash) ?? (await findOwnerOfSecret(hash));
  if (owner) return sentence('refused.move.sharedSecret', { id: owner });
  const [isGood] = await withoutEnded([hash]);
  return isGood ? null : sentence('refused.move.endedSecret');
}

/** Not worth losing a client for: a new client's default replaces their value. */
const soft: readonly ClientField[] = [
  ...(['description', 'homePage', 'privacyLink', 'termsLink', 'groupsClaim'] as const),
  ...(['groupNames', 'constantClaims', 'accessTokenTtl', 'refreshTokenTtl'] as const),
  'refreshTokenMaxTtl',
];

/** Scopes of other programs that need no counterpart here. */
const ofOthers = new Set([
  'roles',
  'web-origins',
  'microprofile-jwt',
  'acr',
  'basic',
  'service_account',
  'openid',
  'organization',
  'role_list',
  'saml_organization',
  'groups',
]);

async function soundSettings(
  { settings: said, fault }: ArrivingClient,
  known: ReadonlySet<string>,
): Promise<{ settings: ClientSettings; fault?: Sentence; notes: Sentence[] }> {
  const notes: Sentence[] = [];
  const scopes = said.scopes?.filter((scope) => known.has(scope)) ?? null;
  const lost = said.scopes?.filter((scope) => !known.has(scope) && !ofOthers.has(scope)) ?? [];
  if (lost.length > 0)
    notes.push(sentence('moved.scopes', { names: lost.join(', ').slice(0, 500) }));
  let given: Partial<ClientSettings> = { ...said, scopes };
  const first = await judgeNewClient(given);
  for (const field of soft) {
    const why = first.faults[field];
    if (!why) continue;
    given = { ...given, [field]: newClient[field] };
    notes.push(sentence('moved.left', { why }));
  }
  const { settings, faults } = await judgeNewClient(given);
  return { settings, fault: fault ?? Object.values(faults)[0], notes };
}
