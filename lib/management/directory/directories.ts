import { logouts } from '../../identity/back-channel.ts';
import { askDirectory, DirectoryAway, tryServers } from '../../identity/directory/asking.ts';
import {
  type Directory,
  directories,
  directoryWithId,
} from '../../identity/directory/configured.ts';
import { findByLogin } from '../../identity/directory/entry.ts';
import { syncDirectory } from '../../identity/directory/sync.ts';
import { sentence } from '../../messages/sentence.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import {
  countDirectoryPeople,
  findDirectoryLink,
  linkEntry,
  listSyncs,
  unlinkEntry,
} from '../../store/directories.ts';
import { endingSessions } from '../../store/user-changes.ts';
import { refuseAdmin } from '../refusal.ts';
import { userWithId } from '../user/users.ts';

/** The directories of the operator's file, with what stands in the way of each server, and how the last sync went. */
export async function listDirectories() {
  const syncs = await listSyncs();
  return Promise.all(
    directories().map(async (directory) => {
      const last = syncs.find((sync) => sync.directory === directory.id);
      return {
        id: directory.id,
        name: directory.name,
        people: await countDirectoryPeople(directory.id),
        servers: await tryServers(directory, examine(directory)),
        synced_at: last?.endedAt ?? null,
        outcome: last?.outcome ?? null,
        why: typeof last?.detail.why === 'string' ? last.detail.why : null,
      };
    }),
  );
}

/** Whether a server lets people be looked for, and refuses a wrong password. */
const examine =
  (directory: Directory): Parameters<typeof tryServers>[1] =>
  async (asked) => {
    await findByLogin(asked, directory, 'nobody-has-this-name');
    await asked.isPassword(`cn=nobody-has-this-name,${directory.base}`, 'nor this password');
  };

/** @throws AdminRefusal */
function directoryNamed(id: string): Directory {
  return (
    directoryWithId(id) ??
    refuseAdmin('id', sentence('refused.directory.missing', { id: id.slice(0, 80) }), 'missing')
  );
}

/** Syncs a directory now. @throws AdminRefusal if there is none */
export async function syncNow(id: string, how: { plan: boolean; accepts: number }, now: Date) {
  const { directory, ...report } = await syncDirectory(directoryNamed(id), now, how);
  return { id: directory, ...report };
}

/** Links an account to whom a login means in a directory. @throws AdminRefusal */
export async function linkPerson(
  id: string,
  userId: string,
  login: string,
  actor: Actor,
  now: Date,
): Promise<{ id: string; user: string; entry: string }> {
  const directory = directoryNamed(id);
  const user = await userWithId(userId);
  const found = await askDirectory(directory, (asked) =>
    findByLogin(asked, directory, login),
  ).catch((error: unknown) => {
    if (!(error instanceof DirectoryAway)) throw error;
    return refuseAdmin('id', sentence('refused.directory.away', { why: error.message }));
  });
  const [person] = found;
  if (!person || found.length > 1)
    refuseAdmin('login', sentence('refused.directory.nobody', { login: login.slice(0, 80) }));
  const link = { directory: id, entryId: person.id, userId: user.id, dn: person.dn };
  const detail = { provider: directory.name, label: person.dn };
  const event = eventBy(actor, 'identity.linked', { userId: user.id, detail });
  if ((await linkEntry(link, endingSessions(user.id), event, now)) === 'taken')
    refuseAdmin('login', sentence('refused.directory.taken'), 'conflict');
  logouts.soon();
  return { id, user: user.id, entry: person.dn };
}

/** Takes an account out of its directory. @throws AdminRefusal if it is in none */
export async function unlinkPerson(userId: string, actor: Actor, now: Date): Promise<void> {
  const user = await userWithId(userId);
  const link = await findDirectoryLink(user.id);
  const provider = link ? (directoryWithId(link.directory)?.name ?? link.directory) : '';
  const event = eventBy(actor, 'identity.unlinked', { userId: user.id, detail: { provider } });
  if (!link || !(await unlinkEntry(user.id, endingSessions(user.id), event, now)))
    refuseAdmin('user', sentence('refused.directory.unlinked'), 'missing');
  logouts.soon();
}
