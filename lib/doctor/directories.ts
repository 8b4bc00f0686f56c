import {
  type Directory,
  directories,
  unencryptedServers,
} from '../identity/directory/configured.ts';
import { examineDirectory, type ServerState } from '../identity/directory/examine.ts';
import { type DirectorySync, listSyncs } from '../store/directories.ts';
import { type Finding, fine, said, trouble, warning } from './finding.ts';

/** Each server answers, and syncs are up to date. */
export async function examineDirectories(now: Date): Promise<Finding[]> {
  const all = directories();
  if (all.length === 0) return [];
  const syncs = await listSyncs();
  const found = await Promise.all(
    all.map(async (directory) => [
      ...judgeServers(directory.name, await examineDirectory(directory)),
      ...judgeSync(
        directory,
        syncs.find((sync) => sync.directory === directory.id),
        now,
      ),
    ]),
  );
  return [...found.flat(), ...unencryptedServers(all).map(plainly)];
}

function judgeServers(name: string, servers: readonly ServerState[]): Finding[] {
  const isAway = servers.every(({ fault }) => fault !== null);
  const judge = isAway ? trouble : warning;
  return servers.map(({ url, fault }) =>
    fault === null
      ? fine('directory', `${url} (${name}) answers, and refuses a wrong password.`)
      : judge(
          'directory',
          `${url} (${name}) cannot be asked: ${said(fault)}${isAway ? ' Its people cannot sign in.' : ''}`,
          'Look at that server and the network in between, and at bind_dn, ca_file and people.base in DIRECTORIES_FILE.',
        ),
  );
}

/** A person removed from a directory may still get in until a sync has noticed. */
function judgeSync(
  { id, name, sync }: Directory,
  last: DirectorySync | undefined,
  now: Date,
): Finding[] {
  // A new server has not made its first sync yet.
  if (!last) return [];
  const why = said(last.detail.why);
  if (last.outcome === 'stopped')
    return [
      warning(
        'directory-sync',
        `The last sync of ${name} disabled no one: ${why}`,
        `Check "npm run cli -- directory sync ${id} --plan". If it is right, run it with --accept.`,
      ),
    ];
  const age = Math.round((now.getTime() - last.startedAt.getTime()) / 1000);
  const isLate = age > 3 * sync.everySeconds + 60;
  if (last.outcome === 'done' && !isLate)
    return [fine('directory-sync', `The last sync of ${name} went well.`)];
  return [
    warning(
      'directory-sync',
      isLate
        ? `The last sync of ${name} was ${Math.round(age / 60)} minutes ago.`
        : `The last sync of ${name} failed: ${why}`,
      'A running server syncs by itself. Until it does, people who left the directory may still sign in with a passkey or use an open session.',
    ),
  ];
}

const plainly = (url: string) =>
  warning(
    'directory',
    `Passwords travel to ${url} as they are.`,
    'Use ldaps://, or leave out "unencrypted" for StartTLS.',
  );
