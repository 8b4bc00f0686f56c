import { createHmac } from 'node:crypto';
import type { Client, ClientSettings } from './client.ts';
import { hostsOf, leadToPrograms } from './places.ts';

/*
 * How an app knows a person (OpenID Connect Core section 8). Pairwise subjects differ from sector
 * to sector, so that two apps cannot use them to find out that they have the same user.
 */

/** The fields that determine a client's `sub` values. */
export type Subjective = {
  subjectType?: ClientSettings['subjectType'];
  /** The key of its sector, if its subjects are pairwise. */
  subjectKey?: string;
};

/**
 * The `sub` by which a client knows a user (section 8.1).
 * @throws Error for a client whose sector is not known
 */
export function subjectOf({ subjectType, subjectKey }: Subjective, userId: string): string {
  if (subjectType !== 'pairwise') return userId;
  if (subjectKey === undefined) throw new Error('A client with pairwise subjects has a key.');
  return createHmac('sha256', subjectKey).update(userId).digest('base64url');
}

/** Whether a received `sub` means this user. @param client null: it no longer exists */
export const isSubject = (sub: string, client: Subjective | null, userId: string): boolean =>
  sub === (client ? subjectOf(client, userId) : userId);

type Addressed = Pick<Client, 'origin' | 'redirectUris' | 'sectorIdentifierUri'>;

/** The key of a sector, derived from the server's key. */
export const sectorKey = (serverKey: string, sector: string): string =>
  createHmac('sha256', serverKey).update(sector).digest('base64url');

/** The host of a client's sector_identifier_uri, or the only host of its redirect URIs, or null. */
function sectorHost({ redirectUris, sectorIdentifierUri }: Addressed): string | null {
  if (sectorIdentifierUri !== null) return new URL(sectorIdentifierUri).hostname;
  const [only, ...others] = hostsOf(redirectUris);
  return only === undefined || others.length > 0 ? null : only;
}

/** Programs only: anyone can register the same loopback address or scheme. */
const isAnybodys = ({ origin, redirectUris, sectorIdentifierUri }: Addressed): boolean =>
  origin !== 'admin' && sectorIdentifierUri === null && leadToPrograms(redirectUris);

/**
 * The sector of a client with pairwise subjects and sound addresses. A self-registered client whose
 * addresses only lead to programs is a sector of its own or, if it has a document, belongs to the
 * sector of the document's host.
 */
export function sectorIn(client: Addressed & Pick<Client, 'id' | 'host'>): string {
  const { id, origin, host } = client;
  if (isAnybodys(client)) return (origin === 'document' && host) || id;
  // If its redirect URIs lead to several hosts by now, the client is a sector of its own.
  return sectorHost(client) ?? id;
}

/** Redirect URIs on one host, or only to programs. */
export const hasSector = (client: Addressed): boolean =>
  isAnybodys(client) || sectorHost(client) !== null;
