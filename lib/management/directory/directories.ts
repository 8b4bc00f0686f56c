import { z } from 'zod';
import { logouts } from '../../identity/back-channel.ts';
import { askDirectory, DirectoryAway, DirectoryRefused } from '../../identity/directory/asking.ts';
import {
  type Directory,
  directories,
  directoryWithId,
} from '../../identity/directory/configured.ts';
import { type DirectoryPerson, findByLogin } from '../../identity/directory/entry.ts';
import { examineDirectory, type ServerState } from '../../identity/directory/examine.ts';
import { syncDirectory } from '../../identity/directory/sync.ts';
import { sentence } from '../../messages/sentence.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import { endingSessions } from '../../store/changing-people.ts';
import {
  countDirectoryPeople,
  type DirectoryLink,
  type DirectorySync,
  findDirectoryLink,
  linkEntry,
  listSyncs,
  unlinkEntry,
} from '../../store/directories.ts';
import { refuseAdmin } from '../refusal.ts';
import { userWithId } from '../user/users.ts';

/** A directory of the operator's file, as admins see it. */
type DirectoryView = {
  id: string;
  name: string;
  people: number;
  servers: ServerState[];
  everySeconds: number;
  last: LastSync | null;
};

const names = z.array(z.string()).catch([]);
const syncDetail = z.object({
  people: z.int().catch(0),
  changed: names,
  disabled: names,
  enabled: names,
  collisions: names,
  /** How many were disabled, or would be; 0 for syncs that did not record this yet. */
  leaving: z.int().catch(0),
  why: z.string().nullable().catch(null),
});

/** How the last sync went, with the names of the first 200 people. */
export type LastSync = z.output<typeof syncDetail> & Pick<DirectorySync, 'endedAt' | 'outcome'>;

/**
 * The directories of the operator's file, with what is wrong with each server, and how the last
 * sync went.
 */
export async function listDirectories(): Promise<DirectoryView[]> {
  const syncs = await listSyncs();
  return Promise.all(
    directories().map(async (directory) => {
      const sync = syncs.find((one) => one.directory === directory.id);
      return {
        id: directory.id,
        name: directory.name,
        people: await countDirectoryPeople(directory.id),
        servers: await examineDirectory(directory),
        everySeconds: directory.sync.everySeconds,
        last: sync
          ? { ...syncDetail.parse(sync.detail), endedAt: sync.endedAt, outcome: sync.outcome }
          : null,
      };
    }),
  );
}

/**
 * The directory that holds an account's password, or null. Its name is its id if the operator's
 * file no longer has it.
 */
export async function directoryOf(
  userId: string,
): Promise<(DirectoryLink & { name: string }) | null> {
  const link = await findDirectoryLink(userId);
  return link && { ...link, name: directoryWithId(link.directory)?.name ?? link.directory };
}

/** @throws AdminRefusal */
function directoryNamed(id: string): Directory {
  return (
    directoryWithId(id) ??
    refuseAdmin('id', sentence('refused.directory.missing', { id: id.slice(0, 80) }), 'missing')
  );
}

/** Syncs a directory now. @throws AdminRefusal if it does not exist */
export async function syncNow(id: string, how: { plan: boolean; accepts: number }, now: Date) {
  const { directory, ...report } = await syncDirectory(directoryNamed(id), now, how);
  return { id: directory, ...report };
}

/** An entry of a directory, as the directory has just shown it. */
type FoundEntry = { directory: Directory; person: Pick<DirectoryPerson, 'id' | 'dn'> };

/** Asks a directory for the entry with this login. @throws AdminRefusal */
export async function findEntry(id: string, login: string): Promise<FoundEntry> {
  const directory = directoryNamed(id);
  const found = await askDirectory(directory, (connection) =>
    findByLogin(connection, directory, login),
  ).catch((error: unknown) => {
    if (!(error instanceof DirectoryAway || error instanceof DirectoryRefused)) throw error;
    return refuseAdmin('id', sentence('refused.directory.away', { why: error.message }));
  });
  const [person] = found;
  if (!person || found.length > 1)
    refuseAdmin('login', sentence('refused.directory.nobody', { login: login.slice(0, 80) }));
  return { directory, person };
}

/** Links an account to the directory entry that was found. @throws AdminRefusal */
export async function linkToDirectory(
  { directory, person }: FoundEntry,
  userId: string,
  actor: Actor,
  now: Date,
): Promise<{ id: string; user: string; entry: string }> {
  const user = await userWithId(userId);
  const { id } = directory;
  const link = { directory: id, entryId: person.id, userId: user.id, dn: person.dn };
  const detail = { provider: directory.name, label: person.dn };
  const event = eventBy(actor, 'identity.linked', { userId: user.id, detail });
  if ((await linkEntry(link, endingSessions(user.id), event, now)) === 'taken')
    refuseAdmin('login', sentence('refused.directory.taken'), 'conflict');
  logouts.soon();
  return { id, user: user.id, entry: person.dn };
}

/** Unlinks an account from its directory. @throws AdminRefusal if it is in none */
export async function unlinkFromDirectory(userId: string, actor: Actor, now: Date): Promise<void> {
  const user = await userWithId(userId);
  const link = await directoryOf(user.id);
  const provider = link?.name ?? '';
  const event = eventBy(actor, 'identity.unlinked', { userId: user.id, detail: { provider } });
  if (!link || !(await unlinkEntry(user.id, endingSessions(user.id), event, now)))
    refuseAdmin('user', sentence('refused.directory.unlinked'), 'missing');
  logouts.soon();
}
