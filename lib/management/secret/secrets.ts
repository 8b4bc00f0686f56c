import { sentence } from '../../messages/sentence.ts';
import { proofOf } from '../../oauth/client-auth-methods.ts';
import { digest, newSecret } from '../../oauth/secrets.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import * as store from '../../store/client-changes.ts';
import { type ClientRecord, refuseMissingClient, showClient } from '../client/clients.ts';
import { refuseAdmin } from '../refusal.ts';

const maxSecrets = 5;

/** @throws AdminRefusal for a client that proves its identity by other means, or not at all */
function refuseWithoutSecret(client: ClientRecord, field: string): void {
  const proof = proofOf(client);
  if (proof === 'secret') return;
  refuseAdmin(field, sentence(`refused.secret.${proof ?? 'public'}`));
}

/**
 * Gives a client a new secret. Its old ones end, or with `keepOld` remain valid.
 * @throws AdminRefusal
 */
export async function rotateSecret(
  id: string,
  { keepOld = false }: { keepOld?: boolean },
  actor: Actor,
  now: Date,
): Promise<{ client: ClientRecord; secret: string; hash: string }> {
  const client = await showClient(id);
  refuseWithoutSecret(client, 'client');
  const { secrets } = client;
  if (keepOld && secrets.length >= maxSecrets)
    refuseAdmin('keepOld', sentence('refused.secret.full', { most: maxSecrets }), 'full');
  const secret = newSecret('clientSecret');
  const event = eventBy(actor, 'client.secret-rotated', { clientId: id, detail: { keepOld } });
  const hash = digest(secret);
  if (!(await store.addSecret(id, { hash, keepOld }, event, now))) refuseMissingClient(id);
  return { client: await showClient(id), secret, hash };
}

/**
 * Replaces the secrets of a client by these, given as digests. Secrets that it already has stay as
 * they are.
 * @throws AdminRefusal
 */
export async function setSecrets(
  id: string,
  hashes: readonly string[],
  actor: Actor,
  now: Date,
): Promise<ClientRecord> {
  const client = await showClient(id);
  refuseWithoutSecret(client, 'secret');
  const { secrets } = client;
  if (hashes.length === 0 || hashes.length > maxSecrets)
    refuseAdmin('secret', sentence('refused.secret.count', { most: String(maxSecrets) }));
  const had = secrets.map(({ hash }) => hash);
  const added = hashes.filter((hash) => !had.includes(hash));
  const removed = had.filter((hash) => !hashes.includes(hash));
  if (added.length + removed.length === 0) return showClient(id);
  const detail = { added: added.length, removed: removed.length };
  const event = eventBy(actor, 'client.secret-rotated', { clientId: id, detail });
  if (!(await store.changeSecrets(id, { added, removed }, event, now)))
    refuseAdmin('secret', sentence('refused.secret.shared'), 'conflict');
  return showClient(id);
}

/**
 * Ends one of a client's secrets, named by its stored digest. The last one stays.
 * @throws AdminRefusal
 */
export async function removeSecret(
  id: string,
  hash: string,
  actor: Actor,
  now: Date,
): Promise<ClientRecord> {
  const { secrets } = await showClient(id);
  if (secrets.length <= 1) refuseAdmin('secret', sentence('refused.secret.last'));
  const event = eventBy(actor, 'client.secret-rotated', {
    clientId: id,
    detail: { removed: hash.slice(0, 8) },
  });
  const known = secrets.some((secret) => secret.hash === hash);
  if (!known || !(await store.removeSecret(id, hash, event, now)))
    refuseAdmin('secret', sentence('refused.secret.missing'), 'missing');
  return showClient(id);
}
