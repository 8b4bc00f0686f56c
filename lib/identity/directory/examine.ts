import { once } from '../../once.ts';
import { tryServers } from './asking.ts';
import type { Directory } from './configured.ts';
import { findByLogin } from './entry.ts';

/** Null: it can be reached, trusted and searched, and refuses wrong passwords. */
export type ServerState = { url: string; fault: string | null };

/** Milliseconds for which one examination answers all callers. */
const fresh = 10_000;
type Look = { found: Promise<ServerState[]>; endedAt: number };
const looks = () => once('directory-looks', () => new Map<string, Look>());

/**
 * Tries each server of a directory as a sign-in would: connection, TLS, the searching account, the
 * base, and whether a wrong password is refused. Each process runs one examination per directory at
 * a time, however many callers ask.
 */
export function examineDirectory(directory: Directory): Promise<ServerState[]> {
  const held = looks().get(directory.id);
  if (held && (held.endedAt === 0 || Date.now() - held.endedAt < fresh)) return held.found;
  const look: Look = { found: tryAll(directory), endedAt: 0 };
  looks().set(directory.id, look);
  const ended = () => {
    look.endedAt = Date.now();
  };
  look.found.then(ended, ended);
  return look.found;
}

const tryAll = (directory: Directory) =>
  tryServers(directory, async (connection) => {
    await findByLogin(connection, directory, 'nobody-has-this-name');
    await connection.isPassword(`cn=nobody-has-this-name,${directory.base}`, 'nor this password');
  });
