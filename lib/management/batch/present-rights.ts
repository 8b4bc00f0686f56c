import type { Role } from '../../people/roles.ts';
import { listApiKeys } from '../../store/api-keys.ts';
import { apisAt } from '../../store/apis.ts';
import { findClient } from '../../store/clients.ts';
import { readRevision } from '../../store/engine/revision.ts';
import { findUser } from '../../store/users.ts';
import { ownApiFor } from '../api/own-api.ts';

/** `rights`: those of a program at the API; null: all that the role may do. */
type PresentRights = { role: Role; rights: readonly string[] | null };

const nothing: PresentRights = { role: 'none', rights: null };

/**
 * What the user or program that started background work may do now. The work ends if their role or
 * rights were taken away, their key was deleted, or their app was disabled or taken off this
 * server's API.
 */
export async function presentRightsOf(madeBy: string, now: Date): Promise<PresentRights> {
  if (madeBy === 'cli') return { role: 'admin', rights: null };
  const [, kind, name = ''] = /^(key|client):(.*)$/s.exec(madeBy) ?? [];
  if (kind === 'key') return rightsOfKey(name, now);
  if (kind === 'client') return rightsOfClient(name);
  const user = await findUser(madeBy);
  return user && !user.disabled ? { role: user.role, rights: null } : nothing;
}

/** Names of keys are unique, but by now the name may belong to another key. */
async function rightsOfKey(name: string, now: Date): Promise<PresentRights> {
  const key = (await listApiKeys()).find((each) => each.name === name && each.expiresAt > now);
  return key ?? nothing;
}

/** Its rights are all that it may ask for now: the token that started the batch was not kept. */
async function rightsOfClient(id: string): Promise<PresentRights> {
  const client = await findClient(id);
  const api = client && !client.disabled && ownApiFor(client, await apisAt(await readRevision()));
  return api ? { role: 'admin', rights: api.scopes.map(({ name }) => name) } : nothing;
}
