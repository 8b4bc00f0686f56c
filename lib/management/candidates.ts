import { listClients } from './clients.ts';
import { listUsers, showUser } from './users.ts';

export type Candidate = { id: string; label: string };

/** What somebody may have meant: the one thing with exactly this name, or those that come near. */
export type Meant = { one: Candidate } | { several: Candidate[] } | { none: true };

const most = 8;

/**
 * The person with this id, user name or address, else those whose names begin so. A whole address
 * that nobody has never stands for somebody whose address only begins so.
 */
export async function meantPerson(text: string): Promise<Meant> {
  const exact = await showUser(text).catch(() => null);
  if (exact) return { one: { id: exact.id, label: exact.username } };
  const { rows } = await listUsers({ search: text, limit: most });
  const found = rows.map(({ id, username }) => ({ id, label: username }));
  return found.length > 0 && text.normalize('NFKC').includes('@')
    ? { several: found }
    : among(found);
}

/** The client with this id, else those that have the text in their name. */
export async function meantClient(text: string): Promise<Meant> {
  const { rows } = await listClients({ search: text, limit: most });
  const exact = rows.find(({ id }) => id === text) ?? rows.find(({ name }) => name === text);
  return among((exact ? [exact] : rows).map(({ id, name }) => ({ id, label: name })));
}

function among(found: Candidate[]): Meant {
  const [first] = found;
  if (!first) return { none: true };
  return found.length === 1 ? { one: first } : { several: found };
}
