import { type Sentence, sentence } from '../../messages/sentence.ts';
import { apiCalled } from '../../oauth/api.ts';
import {
  type ClientSettings,
  clientFieldNames,
  clientFields,
  eachClientField,
  type FieldKind,
  type KindValue,
  newClient,
} from '../../oauth/client.ts';
import { proofOf } from '../../oauth/client-auth-methods.ts';
import { saidByMetadata } from '../../oauth/client-metadata.ts';
import { wholeCredential } from '../../oauth/federated-credential.ts';
import { namesOfClient } from '../../oauth/operator-claims.ts';
import { mayAsk } from '../../oauth/scope.ts';
import { digest, newId, newSecret } from '../../oauth/secrets.ts';
import { hostOfSite, siteIn } from '../../oauth/site.ts';
import { mayExchangeFor } from '../../oauth/token-exchange.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import { listApis } from '../../store/apis.ts';
import * as store from '../../store/client-changes.ts';
import {
  type ClientFilter,
  type ClientRecord,
  type ClientSummary,
  clientList,
  countClientUse,
  findClientRecord,
} from '../../store/client-list.ts';
import { hostsTaken } from '../../store/clients.ts';
import type { Page } from '../../store/engine/page.ts';
import { listScopes } from '../../store/scopes.ts';
import { readSettings } from '../../store/settings.ts';
import { listFields } from '../../store/user-fields.ts';
import { tidyLines } from '../branding/words.ts';
import { keeping } from '../deletion/keeping.ts';
import { difference } from '../difference.ts';
import type { Editing } from '../editing.ts';
import { checkNotKept } from '../kept.ts';
import { pageOf } from '../page.ts';
import { type Faults, refuseAdmin, refuseConflict, refuseFaults } from '../refusal.ts';
import { clientFaults, looseningFields } from './client-fields.ts';
import { clientIdFault } from './client-rules.ts';
import { sectorFaults } from './sector.ts';
import { strengthFaults } from './strength.ts';

export type { ClientFilter, ClientRecord, ClientSummary };

/** Clients, newest first or by name. @throws AdminRefusal */
export function listClients(filter: ClientFilter = {}): Promise<Page<ClientSummary>> {
  return pageOf(clientList, filter);
}

/** The client with this `client_id`. @throws AdminRefusal */
export async function showClient(id: string): Promise<ClientRecord> {
  return (await findClientRecord(id)) ?? refuseMissingClient(id.slice(0, 80));
}

/** @throws AdminRefusal always */
export const refuseMissingClient = (id: string): never =>
  refuseAdmin('client', sentence('refused.client.missing', { id }), 'missing');

/** What ends with a client: approvals by this many people, and this many sign-ins. */
export function countOfClient(id: string, now: Date): Promise<{ people: number; signIns: number }> {
  return countClientUse(id, now);
}

export type ClientChange = Partial<ClientSettings> & {
  /** Confirms that the risk of plain http is understood. */
  allowInsecureRedirectUri?: boolean;
};

/** A client, and its secret if it has just got one. The secret can't be shown again. */
type ClientWithSecret = { client: ClientRecord; secret: string | null };

/** A new client as it would be stored, and its faults. Plain http can't be acknowledged here. */
export async function judgeNewClient(
  given: Partial<ClientSettings>,
): Promise<{ settings: ClientSettings; faults: Faults }> {
  const settings = tidy(merge(newClient, given));
  return { settings, faults: await faultsOf(settings, null, false) };
}

/** What is wrong with a client_id that is the audience of an API’s tokens. */
export async function apiFault(id: string): Promise<Sentence | null> {
  return apiCalled(id, await listApis()) ? sentence('refused.client.idOfApi') : null;
}

/** Registers a client. @throws AdminRefusal */
export async function createClient(
  input: ClientChange & { id?: string },
  actor: Actor,
  now: Date,
): Promise<ClientWithSecret> {
  const { id = newId(now), allowInsecureRedirectUri = false, ...given } = input;
  const settings = tidy(merge(newClient, given));
  const idFault = clientIdFault(id) ?? (await apiFault(id));
  const faultsNow = () => faultsOf(settings, null, allowInsecureRedirectUri);
  const faults = await faultsNow();
  refuseFaults(idFault ? { id: idFault, ...faults } : faults);
  const secret = proofOf(settings) === 'secret' ? newSecret('clientSecret') : null;
  const event = eventBy(actor, 'client.created', { clientId: id, detail: { ...settings } });
  const secretHash = secret && digest(secret);
  if (!(await store.storeClient({ id, settings, secretHash }, event, now))) {
    refuseFaults(await faultsNow());
    refuseAdmin('id', sentence('refused.client.taken', { id }), 'conflict');
  }
  return { client: await showClient(id), secret };
}

/**
 * Changes a client. A client that will prove its identity with a secret from now on gets one; a
 * client that no longer does loses its secret; and in both cases what was issued to it so far ends.
 * With `seen` (`updatedAt` of the edited record) a concurrent change is refused. Before a change
 * that loosens, `onLoosening` is called, and may throw.
 * @throws AdminRefusal
 */
export async function updateClient(
  id: string,
  input: ClientChange,
  { actor, now, seen, onLoosening }: Editing,
): Promise<ClientWithSecret> {
  const { allowInsecureRedirectUri = false, ...change } = input;
  const client = await showClient(id);
  await checkNotKept({ kind: 'client', key: client.id }, actor);
  const before = settingsOf(client);
  const after = tidy(merge(before, change));
  refuseFaults(await faultsOf(after, client, allowInsecureRedirectUri));
  const detail = difference(before, after, clientFieldNames);
  if (Object.keys(detail).length === 0) return { client, secret: null };
  if (client.origin === 'document') refuseFaults(decidedElsewhere(detail));
  if (onLoosening && (await loosens(before, after))) onLoosening();
  const [proof, was] = [proofOf(after), proofOf(client)];
  const secret = proof === 'secret' && was !== 'secret' ? newSecret('clientSecret') : null;
  const secrets = proof === was ? 'keep' : { replaceBy: secret && digest(secret) };
  const event = eventBy(actor, 'client.updated', { clientId: id, detail });
  const along: store.Along = {
    secrets,
    narrows: 'access' in detail,
    exchangesNoMore: await exchangesNoMore(before, after),
    scopesNoMore: await scopesNoMore(before, after),
    claims: newClaims(after, before),
    seen: seen ?? client.updatedAt,
    event,
  };
  const stored = await store.changeClient(id, after, along, now);
  if (!stored) {
    refuseFaults(await faultsOf(after, client, allowInsecureRedirectUri));
    refuseConflict('client');
  }
  return { client: await showClient(id), secret };
}

async function exchangesNoMore(before: ClientSettings, after: ClientSettings): Promise<string[]> {
  const apis = before.exchangeFor.length === 0 ? [] : await listApis();
  return apis
    .map(({ identifier }) => identifier)
    .filter((each) => mayExchangeFor(before, each) && !mayExchangeFor(after, each));
}

/** The server's scopes that a client may no longer ask for. */
async function scopesNoMore(before: ClientSettings, after: ClientSettings): Promise<string[]> {
  return (await listScopes())
    .filter((scope) => mayAsk(before, scope) && !mayAsk(after, scope))
    .map(({ name }) => name);
}

/** Fields that an edit would change although the client's document decides them. */
function decidedElsewhere(changed: object): Faults {
  const said = saidByMetadata.filter((field) => field in changed);
  const fault = sentence('refused.client.document');
  return Object.fromEntries(said.map((field) => [field, fault]));
}

async function loosens(before: ClientSettings, after: ClientSettings): Promise<boolean> {
  const sensitiveScopes = (await listScopes())
    .filter((scope) => scope.sensitive)
    .map((scope) => scope.name);
  const context = { settings: await readSettings(), sensitiveScopes };
  return looseningFields(before, after, context).length > 0;
}

/** Only the settings of a client, whatever else the object holds. */
function settingsOf(client: ClientSettings): ClientSettings {
  return eachClientField((field) => client[field]);
}

/** Undefined fields keep their value. */
function merge(client: ClientSettings, change: Partial<ClientSettings>): ClientSettings {
  const said = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...client, ...Object.fromEntries(said) };
}

const trimmed = (values: readonly string[]) => values.map((value) => value.trim()).filter(Boolean);

/** Trims what was typed. An empty optional text becomes null. */
const tidying: { [Kind in FieldKind]?: (value: KindValue<Kind>) => KindValue<Kind> } = {
  text: (text) => text.trim(),
  textOrNone: (text) => text?.trim() || null,
  words: (words) => [...new Set(trimmed(words))],
  wordsOrServer: (words) => words && [...new Set(trimmed(words))],
  addresses: trimmed,
  federations: (credentials) => credentials.map(wholeCredential),
  pairs: (pairs) =>
    Object.fromEntries(
      Object.entries(pairs).map(([name, value]) => [name.trim(), value.trim()] as const),
    ),
};

function tidy(client: ClientSettings): ClientSettings {
  const tidied = eachClientField((field) => {
    const change = tidying[clientFields[field].kind] as ((value: unknown) => unknown) | undefined;
    return change ? change(client[field]) : client[field];
  });
  return {
    ...tidied,
    guardedSites: tidied.guardedSites.map((text) => siteIn(text) ?? text),
    pageLines: tidyLines(tidied.pageLines),
  };
}

/** Http addresses, claim names and weaknesses that it had before are accepted. */
async function faultsOf(
  client: ClientSettings,
  before: ClientRecord | null,
  allowInsecureRedirectUri: boolean,
): Promise<Faults> {
  const knownScopes = (await listScopes()).map((scope) => scope.name);
  const knownUris = before ? [...before.redirectUris, ...before.postLogoutRedirectUris] : [];
  const claims = newClaims(client, before);
  const fields = (await listFields()).filter(({ name }) => claims.includes(name));
  const apis = await listApis();
  const hosts = client.guardedSites.flatMap((site) => siteIn(site) ?? []).map(hostOfSite);
  const taken = await hostsTaken(hosts, before?.id ?? null);
  const known = { knownScopes, apis, knownUris, fields, hostsTaken: taken };
  const faults = {
    ...strengthFaults(client, before, await readSettings()),
    ...clientFaults(client, { ...known, allowInsecureRedirectUri }),
  };
  // Invalid addresses have no host.
  const areSound = !('redirectUris' in faults || 'sectorIdentifierUri' in faults);
  return areSound ? { ...faults, ...sectorFaults(client, before) } : faults;
}

/** The names of claims that a client starts to use with a change. */
function newClaims(after: ClientSettings, before: ClientSettings | null): string[] {
  const known = before ? namesOfClient(before) : [];
  return namesOfClient(after).filter((name) => !known.includes(name));
}

/** Shuts a client out. Its codes and tokens end immediately and for good. @throws AdminRefusal */
export async function disableClient(id: string, actor: Actor, now: Date): Promise<ClientRecord> {
  await showClient(id);
  await store.disableClient(id, eventBy(actor, 'client.disabled', { clientId: id }), now);
  return showClient(id);
}

/** Lets a client in again. What was revoked stays revoked. @throws AdminRefusal */
export async function enableClient(id: string, actor: Actor, now: Date): Promise<ClientRecord> {
  await showClient(id);
  await store.enableClient(id, eventBy(actor, 'client.enabled', { clientId: id }), now);
  return showClient(id);
}

/**
 * Removes a client with everything issued to it, and returns its last record. With `seen`
 * (`updatedAt` of the record), a client that was changed since is not removed.
 * @throws AdminRefusal
 */
export async function deleteClient(
  id: string,
  actor: Actor,
  now: Date,
  seen?: Date,
): Promise<ClientRecord> {
  const client = await showClient(id);
  await checkNotKept({ kind: 'client', key: client.id }, actor);
  const detail = { name: client.shownName, ...(await countClientUse(id, now)) };
  const event = eventBy(actor, 'client.deleted', { clientId: id, detail });
  const kept = await keeping('client', { id, name: client.shownName }, actor, now);
  if (!(await store.deleteClient(id, { event, seen, keeping: kept }, now)) && seen) {
    await showClient(id);
    refuseConflict('client');
  }
  return client;
}
