import { config, gatehouseVersion } from '../config.ts';
import type { PageRequest } from '../http/message.ts';
import { productName } from '../messages/text.ts';
import { readBranding } from '../store/branding.ts';
import { type AddressState, addressState, type MailState, mailState } from './home.ts';
import { listKeys, listTokenKeys } from './key/keys.ts';

/** What an admin may know about the server itself. It includes no password. */
export type ServerFacts = {
  name: string;
  version: string;
  address: AddressState;
  /** Host and port of this process. */
  listens: string;
  /** The file, or the host and name of the database. */
  database: { kind: 'sqlite' | 'postgresql'; place: string };
  mail: MailState;
  /** When the newest key in use was made. */
  signingKeys: Date | null;
  tokenKeys: Date | null;
};

export async function readServerFacts(request: PageRequest): Promise<ServerFacts> {
  const { host, port, database, databaseUrl } = config();
  await readBranding();
  return {
    name: productName(),
    version: gatehouseVersion(),
    address: addressState(request),
    listens: `${host}:${port}`,
    database: { kind: database, place: databasePlace(databaseUrl) },
    mail: mailState(),
    signingKeys: newestInUse(await listKeys()),
    tokenKeys: newestInUse(await listTokenKeys()),
  };
}

/** The file, or the host and name, without user, password and options. */
function databasePlace(databaseUrl: string): string {
  if (databaseUrl.startsWith('file:')) return databaseUrl.slice('file:'.length);
  // Several hosts, or a password with unusual characters: show nothing.
  if (!URL.canParse(databaseUrl)) return '';
  const { hostname, port, pathname } = new URL(databaseUrl);
  return `${hostname || 'localhost'}${port && `:${port}`}${pathname}`;
}

function newestInUse(keys: readonly { createdAt: Date; retiredAt: Date | null }[]): Date | null {
  const times = keys
    .filter(({ retiredAt }) => !retiredAt)
    .map(({ createdAt }) => createdAt.getTime());
  return times.length > 0 ? new Date(Math.max(...times)) : null;
}
