import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { connect } from 'node:tls';
import { config } from '../../config.ts';

export const megabyte = 1024 * 1024;
/** Bytes: a server that cannot write stops issuing tokens. */
export const littleSpace = 500 * megabyte;
/** Days before its end when a certificate should have been renewed. */
export const renewed = 14;
/** Milliseconds. */
const patience = 10_000;

/** Where the data of this server lies, and the bytes that are free there. @throws where it cannot be looked at */
export async function freeSpace(): Promise<{ folder: string; free: number }> {
  const { bavail, bsize } = await statfs(folderOfData());
  return { folder: folderOfData(), free: bavail * bsize };
}

/** The folder of the SQLite file, else the data folder. */
export function folderOfData(): string {
  const { database, databaseUrl, dataDir } = config();
  return database === 'sqlite' ? dirname(databaseUrl.slice('file:'.length)) : dataDir;
}

/** The end of the certificate of the public address, whoever signed it; null without https. @throws where nothing answers */
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
