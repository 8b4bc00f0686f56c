import { createHmac } from 'node:crypto';
import type { Client, ClientSettings } from './client.ts';
import { hostsOf, leadToPrograms } from './places.ts';

/*
 * What an app knows a person by (OpenID Connect Core section 8). A pairwise one is another in each sector,
 * so that two apps cannot find out by it that they have the same person before them.
 */

/** What decides about the `sub` of a client. */
export type Subjective = {
  subjectType?: ClientSettings['subjectType'];
  /** The key of its sector, for a client with pairwise subjects. */
  subjectKey?: string;
};

/** The `sub` by which a client knows a user (section 8.1). @throws Error for a client whose sector is not known */
export function subjectOf({ subjectType, subjectKey }: Subjective, userId: string): string {
  if (subjectType !== 'pairwise') return userId;
  if (subjectKey === undefined) throw new Error('A client with pairwise subjects has a key.');
  return createHmac('sha256', subjectKey).update(userId).digest('base64url');
}

/** Whether a `sub` that came from somewhere means this user. @param client null: one that is gone */
export const isSubject = (sub: string, client: Subjective | null, userId: string): boolean =>
  sub === (client ? subjectOf(client, userId) : userId);

type Addressed = Pick<Client, 'origin' | 'redirectUris' | 'sectorIdentifierUri'>;

/** The key of a sector, by that of the server. */
export const sectorKey = (serverKey: string, sector: string): string =>
  createHmac('sha256', serverKey).update(sector).digest('base64url');

/** The host of a client's sector_identifier_uri, or the only one of its redirect URIs; null: neither. */
function sectorHost({ redirectUris, sectorIdentifierUri }: Addressed): string | null {
  if (sectorIdentifierUri !== null) return new URL(sectorIdentifierUri).hostname;
  const [only, ...others] = hostsOf(redirectUris);
  return only === undefined || others.length > 0 ? null : only;
}

/** Whether a client registered itself for programs alone: anybody can register the same loopback address or scheme. */
const isAnybodys = ({ origin, redirectUris, sectorIdentifierUri }: Addressed): boolean =>
  origin !== 'admin' && sectorIdentifierUri === null && leadToPrograms(redirectUris);

/**
 * The sector of a client with pairwise subjects, whose addresses are sound. One that registered itself for
 * programs alone shares it with no other. That of a document is its host.
 */
export function sectorIn(client: Addressed & Pick<Client, 'id' | 'host'>): string {
  const { id, origin, host } = client;
  if (isAnybodys(client)) return (origin === 'document' && host) || id;
  // Where its redirect URIs lead to several hosts since, each client is a sector of its own.
  return sectorHost(client) ?? id;
}

/** Whether a client, whose addresses are sound, says its sector: they are of one host, or of programs alone. */
export const hasSector = (client: Addressed): boolean =>
  isAnybodys(client) || sectorHost(client) !== null;
