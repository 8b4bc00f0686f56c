import { type Sentence, sentence } from '../../messages/sentence.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import { isHostBlocked } from '../../store/blocked-hosts.ts';
import * as store from '../../store/hosts.ts';
import { deleteClient } from '../client/clients.ts';
import { AdminRefusal, refuseAdmin } from '../refusal.ts';

export type { BlockedHost } from '../../store/hosts.ts';

/** The hosts whose apps can't register themselves, latest first. */
export function listBlockedHosts(): Promise<store.BlockedHost[]> {
  return store.listBlockedHosts();
}

const scheme = /^(?!https?:)[a-z][a-z0-9+.-]{0,200}:$/;

/**
 * Reads a typed host into the form that is compared: as in addresses and without a port, or the
 * scheme of apps on a device with its colon.
 * @throws AdminRefusal
 */
export function readHost(typed: string): string {
  const text = typed
    .trim()
    .toLowerCase()
    // Accepts the words that the dashboard uses for registered apps (`lib/oauth/places.ts`).
    .replace(/^an app on your device \(scheme ([^ )]+)\)$/, '$1:')
    .replace(/, .*$/, '')
    .replace(/^https?:\/\//, '')
    .replace(/\/.*$/, '');
  if (scheme.test(text)) return text;
  return hostnameIn(text) ?? refuseHost(typed);
}

/**
 * Like `readHost`, for a host to be changed: refuses text that `readHost` would cut off, because it
 * may be what was meant.
 * @throws AdminRefusal
 */
function wholeHost(typed: string): string {
  const rest = typed.trim().replace(/^https?:\/\//i, '');
  return /\/.|, /.test(rest) ? refuseHost(typed) : readHost(typed);
}

function refuseHost(typed: string): never {
  refuseAdmin('host', sentence('refused.host.form', { host: typed.trim().slice(0, 80) }));
}

/** A host in the normal form that addresses of apps have; null if it can't be a host. */
function hostnameIn(text: string): string | null {
  const address = `https://${text}`;
  if (/[@?#\\\s*]/.test(text) || !URL.canParse(address)) return null;
  const host = new URL(address).hostname.replace(/\.$/, '');
  const isWhole = host.split('.').every((label) => /^(?!-).{1,63}$/.test(label));
  return host.length <= 253 && (isWhole || host.startsWith('[')) ? host : null;
}

/** What is known about a typed host, or what is wrong with it. */
export async function lookUpHost(
  typed: string,
  now: Date,
): Promise<(Ended & { isBlocked: boolean }) | { fault: Sentence }> {
  try {
    const host = readHost(typed);
    const count = await store.countOfHost(host, now);
    const isBlocked = await isHostBlocked(host);
    return { host, ...count, isBlocked };
  } catch (error) {
    if (error instanceof AdminRefusal) return { fault: error.said };
    throw error;
  }
}

/**
 * Blocks a host. Its apps can't register themselves, apps that already did stop working, and what
 * they had been given ends immediately. Returns what they had.
 * @throws AdminRefusal
 */
export async function blockHost(typed: string, actor: Actor, now: Date): Promise<Ended> {
  const host = wholeHost(typed);
  const count = await store.countOfHost(host, now);
  const event = eventBy(actor, 'host.blocked', { detail: { host, ...count } });
  if (!(await store.blockHost(host, event, now))) {
    const { length } = await store.listBlockedHosts();
    const most = store.mostBlocked;
    if (length < most) refuseAdmin('host', sentence('refused.host.blocked', { host }), 'conflict');
    refuseAdmin('host', sentence('refused.host.full', { most: String(most) }), 'full');
  }
  return { host, ...count };
}

/** A host, and what its apps had. */
type Ended = store.HostCount & { host: string };

/**
 * Lets the apps of a host register themselves again. What was revoked stays revoked.
 * @throws AdminRefusal
 */
export async function unblockHost(typed: string, actor: Actor, now: Date): Promise<string> {
  const host = wholeHost(typed);
  const event = eventBy(actor, 'host.unblocked', { detail: { host } });
  if (!(await store.unblockHost(host, event, now)))
    refuseAdmin('host', sentence('refused.host.notBlocked', { host }), 'missing');
  return host;
}

const batch = 50;

/**
 * Removes all apps of a host that registered themselves, with everything issued to them.
 * @throws AdminRefusal
 */
export async function removeAppsOfHost(typed: string, actor: Actor, now: Date): Promise<Ended> {
  const host = wholeHost(typed);
  const count = await store.countOfHost(host, now);
  if (count.apps === 0) refuseAdmin('host', sentence('refused.host.noApps', { host }), 'missing');
  for (let ids = await some(host); ids.length > 0; ids = await some(host))
    for (const id of ids) await deleteClient(id, actor, now);
  return { host, ...count };
}

const some = (host: string) => store.clientsOfHost(host, batch);
