import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { connect } from 'node:tls';
import { config } from '../../config.ts';

export const megabyte = 1024 * 1024;
/** In bytes. A server that cannot write stops issuing tokens. */
export const littleSpace = 500 * megabyte;
/** Days before its end by which a certificate should have been renewed. */
export const renewed = 14;
/** Milliseconds to wait for an answer. */
const patience = 10_000;

/** A folder that this server writes to, its purpose, and the bytes that are free there. */
export type Space = { what: 'data' | 'backups'; folder: string; free: number };

/**
 * The free space for the data, and for the backups if they are on another file system.
 * @throws if a folder cannot be looked at
 */
export async function freeSpaces(): Promise<Space[]> {
  const data = await spaceIn('data', folderOfData());
  const folder = config().backups?.folder;
  // The first backup creates the folder.
  const own = folder === undefined ? null : await stat(folder).catch(() => null);
  if (folder === undefined || own === null || own.dev === (await stat(data.folder)).dev)
    return [data];
  return [data, await spaceIn('backups', folder)];
}

/** Where the folder is not there yet, that above it: with PostgreSQL there may be nothing to keep. */
async function spaceIn(what: Space['what'], folder: string): Promise<Space> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return { what, folder, free: bavail * bsize };
  } catch (error) {
    const above = dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === folder) throw error;
    return spaceIn(what, above);
  }
}

/** The folder of the SQLite file, else the data folder. */
export function folderOfData(): string {
  const { database, databaseUrl, dataDir } = config();
  return database === 'sqlite' ? dirname(databaseUrl.slice('file:'.length)) : dataDir;
}

/**
 * When the certificate of the public address ends, whoever signed it; null without https.
 * @throws if there is no answer
 */
export async function certificateEnd(): Promise<Date | null> {
  const { protocol, hostname: host, port } = new URL(config().issuer);
  if (protocol !== 'https:') return null;
  return new Promise((found, failed) => {
    const socket = connect(
      {
        host,
        port: Number(port || 443),
        servername: host,
        rejectUnauthorized: false,
        timeout: patience,
      },
      () => {
        found(new Date(socket.getPeerCertificate().valid_to));
        socket.destroy();
      },
    );
    socket.once('error', failed);
    socket.once('timeout', () => socket.destroy(new Error('No answer.')));
  });
}
