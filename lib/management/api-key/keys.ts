import { sentence } from '../../messages/sentence.ts';
import { digest, newId, newSecret } from '../../oauth/secrets.ts';
import { readDuration } from '../../settings/duration.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import * as store from '../../store/api-keys.ts';
import { normalKey } from '../../store/users.ts';
import { networksFault } from '../client/client-rules.ts';
import { type Faults, faultsIn, refuseAdmin, refuseFaults } from '../refusal.ts';
import { secretLifeFault, secretNameFault } from '../secret-terms.ts';
import { plainRights, rightsFault } from './rights.ts';

export type ApiKey = store.ApiKey;

/** How long a key works if nothing else is chosen. */
export const usualKeyDays = 90;
const usualKeyLife = `${usualKeyDays} days`;

type ApiKeyInput = {
  name: string;
  rights: readonly string[];
  /** How long it works, in words: "90 days". */
  for?: string;
  networks?: readonly string[];
};

/** Makes a key. Its secret is returned only this once. @throws AdminRefusal */
export async function createApiKey(
  { name, rights, for: life = usualKeyLife, networks = [] }: ApiKeyInput,
  actor: Actor,
  now: Date,
): Promise<ApiKey & { secret: string }> {
  const lasts = readDuration(life);
  const named = name.trim();
  refuseFaults(faultsOf(named, rights, lasts, networks));
  const seconds = 'seconds' in lasts ? lasts.seconds : 0;
  const key = {
    id: newId(now),
    name: named,
    nameKey: normalKey(named),
    rights: plainRights(rights),
    makerId: actor.id === 'cli' ? null : actor.id,
    networks,
    createdAt: now,
    expiresAt: new Date(now.getTime() + seconds * 1000),
  };
  const secret = newSecret('apiKey');
  const { id, expiresAt } = key;
  const detail = { id, name: named, rights: key.rights, networks, expiresAt };
  const event = eventBy(actor, 'api-key.created', { detail });
  const outcome = await store.storeApiKey(key, digest(secret), event);
  if (outcome === 'taken')
    refuseAdmin('name', sentence('refused.apiKey.taken', { name: named }), 'conflict');
  if (outcome === 'full')
    refuseAdmin(null, sentence('refused.apiKey.full', { most: String(store.mostApiKeys) }), 'full');
  return { ...(await showApiKey(id)), secret };
}

function faultsOf(
  name: string,
  rights: readonly string[],
  life: ReturnType<typeof readDuration>,
  networks: readonly string[],
): Faults {
  return faultsIn({
    name: secretNameFault(name),
    rights: rightsFault(rights),
    for: secretLifeFault(life, 'refused.apiKey.lifeRange'),
    networks: networksFault(networks) ?? null,
  });
}

/** All keys without their secrets, newest first. Expired keys are listed for another 30 days. */
export function listApiKeys(): Promise<ApiKey[]> {
  return store.listApiKeys();
}

/** The key with this id. @throws AdminRefusal */
export async function showApiKey(id: string): Promise<ApiKey> {
  return (await store.findApiKey(id)) ?? refuseMissing(id);
}

/** The key with this id or name. @throws AdminRefusal */
export async function findKey(typed: string): Promise<ApiKey> {
  const name = normalKey(typed);
  const found = (await listApiKeys()).find(
    (key) => key.id === typed || normalKey(key.name) === name,
  );
  return found ?? refuseMissing(typed);
}

/** Ends a key immediately. @throws AdminRefusal */
export async function deleteApiKey(id: string, actor: Actor, now: Date): Promise<ApiKey> {
  const key = await showApiKey(id);
  const event = eventBy(actor, 'api-key.deleted', { detail: { id, name: key.name } });
  return (await store.removeApiKey(id, event, now)) ? key : refuseMissing(id);
}

const refuseMissing = (id: string): never =>
  refuseAdmin('api-key', sentence('refused.apiKey.missing', { id: id.slice(0, 80) }), 'missing');
