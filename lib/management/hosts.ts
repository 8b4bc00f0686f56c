import { type Actor, eventBy } from '../store/actor.ts';
import * as store from '../store/hosts.ts';
import { deleteClient } from './clients.ts';
import { refuseAdmin } from './refusal.ts';

export type { BlockedHost, HostCount } from '../store/hosts.ts';

/** The hosts whose apps can't introduce themselves, the latest first. */
export function listBlockedHosts(): Promise<store.BlockedHost[]> {
  return store.listBlockedHosts();
}

const label = /^(?!-)[a-z0-9-]{1,63}$/;

/** A host as it is compared: lower case, with its port if it has one. @throws AdminRefusal */
export function readHost(typed: string): string {
  const text = typed
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/.*$/, '');
  const [, name = '', port = ''] = /^([^:]*|\[[^\]]*\])(:\d{1,5})?$/.exec(text) ?? [];
  const isName = name.length <= 253 && name.split('.').every((part) => label.test(part));
  const isLiteral = /^\[[0-9a-f:.]+\]$/.test(name);
  if (isName || isLiteral) return name + port;
  return refuseAdmin(
    'host',
    `“${typed.trim().slice(0, 80)}” is no host. Enter one such as apps.example.org.`,
  );
}

/** What ends with a host's apps. @throws AdminRefusal */
export function countOfHost(host: string, now: Date): Promise<store.HostCount> {
  return store.countOfHost(readHost(host), now);
}

/**
 * Blocks a host: its apps can't introduce themselves, those that did are as if removed, and what they
 * had been given ends at once. Gives what there was.
 * @throws AdminRefusal
 */
export async function blockHost(typed: string, actor: Actor, now: Date): Promise<Ended> {
  const host = readHost(typed);
  const count = await store.countOfHost(host, now);
  const event = eventBy(actor, 'host.blocked', { detail: { host, ...count } });
  if (!(await store.blockHost(host, event, now))) {
    const { length } = await store.listBlockedHosts();
    refuseAdmin(
      'host',
      length >= store.mostBlocked
        ? `At most ${store.mostBlocked} hosts can be blocked. Name the hosts that are accepted instead.`
        : `${host} is blocked already.`,
    );
  }
  return { host, ...count };
}

/** A host, and what there was of it. */
export type Ended = store.HostCount & { host: string };

/** Lets the apps of a host introduce themselves again; what had ended stays ended. @throws AdminRefusal */
export async function unblockHost(typed: string, actor: Actor, now: Date): Promise<string> {
  const host = readHost(typed);
  const event = eventBy(actor, 'host.unblocked', { detail: { host } });
  if (!(await store.unblockHost(host, event, now))) refuseAdmin('host', `${host} is not blocked.`);
  return host;
}

const batch = 50;

/** Removes all apps of a host that introduced themselves, with everything issued to them. @throws AdminRefusal */
export async function removeAppsOfHost(typed: string, actor: Actor, now: Date): Promise<Ended> {
  const host = readHost(typed);
  const count = await store.countOfHost(host, now);
  if (count.apps === 0) refuseAdmin('host', `No app of ${host} has introduced itself.`);
  for (let ids = await some(host); ids.length > 0; ids = await some(host))
    for (const id of ids) await deleteClient(id, actor, now);
  return { host, ...count };
}

const some = (host: string) => store.clientsOfHost(host, batch);
