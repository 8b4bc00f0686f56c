import type { Role } from '../../people/roles.ts';
import { listApiKeys } from '../../store/api-keys.ts';
import { findClient } from '../../store/clients.ts';
import { findUser } from '../../store/users.ts';

/**
 * What whoever asked for something in the background may do by now: a role that was taken away, a key
 * that was deleted and an app that was disabled end what they asked for, too.
 */
export async function standingOf(madeBy: string, now: Date): Promise<Role> {
  if (madeBy === 'cli') return 'admin';
  const [, kind, name = ''] = /^(key|client):(.*)$/s.exec(madeBy) ?? [];
  if (kind === 'key') return roleOfKey(name, now);
  if (kind === 'client') return roleOfClient(name);
  const user = await findUser(madeBy);
  return user && !user.disabled ? user.role : 'none';
}

async function roleOfKey(name: string, now: Date): Promise<Role> {
  const key = (await listApiKeys()).find((each) => each.name === name && each.expiresAt > now);
  return key?.role ?? 'none';
}

async function roleOfClient(id: string): Promise<Role> {
  const client = await findClient(id);
  return client && !client.disabled ? 'admin' : 'none';
}
