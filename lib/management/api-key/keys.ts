import { type Sentence, sentence } from '../../messages/sentence.ts';
import { digest, newId, newSecret } from '../../oauth/secrets.ts';
import { readDuration } from '../../settings/duration.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import * as store from '../../store/api-keys.ts';
import { normalKey } from '../../store/users.ts';
import { networksFault } from '../client/client-rules.ts';
import { type Faults, refuseAdmin, refuseFaults } from '../refusal.ts';
import { ofRule } from '../rule-fault.ts';
import { plainRights, rightsFault } from './rights.ts';

export type ApiKey = store.ApiKey;

/** How long a key works when nobody says otherwise. */
export const usualKeyLife = '90 days';
const day = 86_400;
const mostDays = 365;

type ApiKeyInput = {
  name: string;
  rights: readonly string[];
  /** How long it works, as people write it: "90 days". */
  for?: string;
  networks?: readonly string[];
};

/** Makes a key, whose secret is told this once. @throws AdminRefusal */
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
  const faults: Faults = {};
  if (!/^[^\p{C}\p{Zl}\p{Zp}]{1,60}$/u.test(name)) faults.name = sentence('refused.token.name');
  const ofRights = rightsFault(rights);
  if (ofRights) faults.rights = ofRights;
  const ofLife = 'fault' in life ? ofRule(life.fault) : lifeFault(life.seconds);
  if (ofLife) faults.for = sentence('refused.token.life', { fault: ofLife, example: usualKeyLife });
  const ofNetworks = networksFault(networks);
  if (ofNetworks) faults.networks = ofNetworks;
  return faults;
}

function lifeFault(seconds: number): Sentence | null {
  const fits = seconds >= 60 && seconds <= mostDays * day;
  return fits ? null : sentence('refused.apiKey.lifeRange', { days: mostDays });
}

/** All keys without their secrets, newest first; expired ones for another 30 days. */
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

/** Ends a key at once. @throws AdminRefusal */
export async function deleteApiKey(id: string, actor: Actor, now: Date): Promise<ApiKey> {
  const key = await showApiKey(id);
  const event = eventBy(actor, 'api-key.deleted', { detail: { id, name: key.name } });
  return (await store.removeApiKey(id, event, now)) ? key : refuseMissing(id);
}

const refuseMissing = (id: string): never =>
  refuseAdmin('api-key', sentence('refused.apiKey.missing', { id: id.slice(0, 80) }), 'missing');
