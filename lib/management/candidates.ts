import { listClients } from './client/clients.ts';
import { listUsers, showUser } from './user/users.ts';

export type Candidate = { id: string; label: string };

/** What a search found: one match, several candidates, or nothing. */
export type Match = { one: Candidate } | { several: Candidate[] } | { none: true };

const most = 8;

/**
 * The user with this id, username or email address, else users whose names start with the text. A
 * complete address that belongs to no one never matches a user whose address merely starts with it.
 */
export async function matchUser(text: string): Promise<Match> {
  const exact = await showUser(text).catch(() => null);
  if (exact) return { one: { id: exact.id, label: exact.username } };
  const { rows } = await listUsers({ search: text, limit: most });
  const found = rows.map(({ id, username }) => ({ id, label: username }));
  return found.length > 0 && text.normalize('NFKC').includes('@')
    ? { several: found }
    : among(found);
}

/**
 * The client with this id or name, else clients whose name contains the text. Labels are the names
 * that are shown.
 */
export async function matchClient(text: string): Promise<Match> {
  const { rows } = await listClients({ search: text, limit: most });
  const exact = rows.find(({ id }) => id === text) ?? rows.find(({ name }) => name === text);
  return among((exact ? [exact] : rows).map(({ id, shownName }) => ({ id, label: shownName })));
}

function among(found: Candidate[]): Match {
  const [first] = found;
  if (!first) return { none: true };
  return found.length === 1 ? { one: first } : { several: found };
}
