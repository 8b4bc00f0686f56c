import type { Role } from '../../people/roles.ts';
import { listApiKeys } from '../../store/api-keys.ts';
import { apisAt } from '../../store/apis.ts';
import { findClient } from '../../store/clients.ts';
import { readRevision } from '../../store/engine/revision.ts';
import { findUser } from '../../store/users.ts';
import { ownApiFor } from '../api/own-api.ts';

/** What somebody may do. `rights`: of a program, as by the API; null: all that their role may. */
type Standing = { role: Role; rights: readonly string[] | null };

const nothing: Standing = { role: 'none', rights: null };

/**
 * What whoever asked for something in the background may do by now: a role or rights that were taken
 * away, a key that was deleted, and an app that was disabled or taken off the API of this server end what
 * they asked for, too.
 */
export async function standingOf(madeBy: string, now: Date): Promise<Standing> {
  if (madeBy === 'cli') return { role: 'admin', rights: null };
  const [, kind, name = ''] = /^(key|client):(.*)$/s.exec(madeBy) ?? [];
  if (kind === 'key') return standingOfKey(name, now);
  if (kind === 'client') return standingOfClient(name);
  const user = await findUser(madeBy);
  return user && !user.disabled ? { role: user.role, rights: null } : nothing;
}

/** A name is that of one key, but another one may have it by now. */
async function standingOfKey(name: string, now: Date): Promise<Standing> {
  const key = (await listApiKeys()).find((each) => each.name === name && each.expiresAt > now);
  return key ?? nothing;
}

/** Its rights are those that it may ask for: its token was let go when it had asked. */
async function standingOfClient(id: string): Promise<Standing> {
  const client = await findClient(id);
  const api = client && !client.disabled && ownApiFor(client, await apisAt(await readRevision()));
  return api ? { role: 'admin', rights: api.scopes.map(({ name }) => name) } : nothing;
}
