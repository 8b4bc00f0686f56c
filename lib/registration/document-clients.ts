import { backchannelCallFault } from '../http/outgoing.ts';
import type { Client, ClientSettings } from '../oauth/client.ts';
import { provesByAssertion } from '../oauth/client-auth-methods.ts';
import {
  type DocumentFault,
  documentHost,
  documentIdFault,
  hostAdmitted,
} from '../oauth/client-document.ts';
import { refusePage, refusePageUntil } from '../oauth/errors.ts';
import { addressesOf, documentPlacesFault } from '../oauth/places.ts';
import { weakMetadataFault } from '../oauth/strong-metadata.ts';
import { isHostBlocked } from '../store/blocked-hosts.ts';
import { findClient } from '../store/clients.ts';
import {
  changeRegistration,
  confirmRegistration,
  findRegistration,
  readAgainAt,
} from '../store/registrations.ts';
import { log } from '../telemetry/log.ts';
import { type Asker, type ClientDocument, heldDocument, lookAt } from './documents.ts';
import type { Seeking } from './seeking.ts';
import { checkNotBlocked } from './self-registration.ts';
import { portFault, withoutPort } from './usual-port.ts';

/**
 * The client described by the document at this address. It is not stored.
 * @throws PageRefusal if its host is not admitted, or the document can't be read or used
 */
export async function unstoredAt(
  id: string,
  { settings: { clientDocumentHosts: hosts, requireStrongClients }, ...asker }: Seeking,
  now: Date,
): Promise<Client> {
  if (hosts.length === 0) refuseHost(id, hosts);
  const fault = documentIdFault(id);
  if (fault)
    refuseDocument(id, { kind: 'invalid', reason: `Its address is not in order. ${fault}` });
  const host = documentHost(id);
  const admitted = hostAdmitted(hosts, host);
  if (admitted === null) refuseHost(id, hosts);
  if (admitted === 'any') checkPort(id);
  if (await isHostBlocked(host))
    refusePage('client_unknown', unknown, null, {
      facts: {
        rule: 'client.host-blocked',
        received: host,
      },
    });
  const { settings, hash: documentHash, ...facts } = await currentDocument(id, asker, now);
  await checkAddresses(id, settings, hosts);
  const weak = requireStrongClients && weakMetadataFault(settings, {});
  if (weak) refuseDocument(id, { kind: 'invalid', ...weak });
  return {
    ...settings,
    id,
    host,
    origin: 'document',
    secretHashes: [],
    disabled: false,
    epoch: 0,
    unstored: { ...facts, documentHash, listed: admitted === 'listed' },
  };
}

/** @throws PageRefusal */
function checkPort(id: string, address = id): void {
  const fault = portFault(address);
  if (fault)
    refuseDocument(id, {
      kind: 'invalid',
      reason: `${address === id ? 'Its address' : 'jwks_uri'} ${fault}`,
      ...(address !== id && { received: address }),
      expected: [withoutPort(address)],
    });
}

const unknown = 'There is no client with this client_id.';

/**
 * No client may name a blocked host. One whose own host is not listed may use one place only.
 * @throws PageRefusal
 */
async function checkAddresses(
  id: string,
  said: ClientSettings,
  hosts: readonly string[],
): Promise<void> {
  await checkNotBlocked(said);
  const { backchannelLogoutUri: called } = said;
  const callFault = called === null ? null : backchannelCallFault(called);
  if (callFault && called !== null)
    refuseDocument(id, {
      kind: 'invalid',
      reason: `backchannel_logout_uri: ${callFault}`,
      received: called,
    });
  if (hostAdmitted(hosts, documentHost(id)) === 'listed') return;
  if (said.jwksUri !== null) checkPort(id, said.jwksUri);
  const fault = documentPlacesFault(id, said);
  if (fault)
    refuseDocument(id, { kind: 'invalid', reason: fault, received: addressesOf(said).join(' ') });
}

/** The reason names no hosts, so strangers don't learn which ones would be accepted. */
function refuseHost(id: string, hosts: readonly string[]): never {
  refusePage('client_unknown', unknown, null, {
    facts: {
      rule: 'client.document-host',
      received: id,
      expected: hosts,
    },
  });
}

async function currentDocument(id: string, asker: Asker, now: Date): Promise<ClientDocument> {
  const held = heldDocument(id, null);
  if (held && held.staleAt > now) return held;
  const look = await lookAt(id, held && knownOf(held), asker, now);
  // While the server is busy with other fetches, the stale copy is better than an error.
  if ('fault' in look && look.fault.kind === 'busy' && held) return held;
  if ('fault' in look) return refuseDocument(id, look.fault);
  if ('document' in look) return look.document;
  // Another request sent the ETag, and the version it belongs to was dropped from memory meanwhile.
  return held
    ? { ...held, ...look.unchanged }
    : refuseDocument(id, { kind: 'busy', reason: 'The document was read again meanwhile.' });
}

const knownOf = ({ etag, settings }: ClientDocument) => ({
  etag,
  hasKeys: provesByAssertion(settings),
});

function refuseDocument(
  id: string,
  { kind, reason, refusedUntil, ...facts }: DocumentFault,
): never {
  if (refusedUntil)
    refusePageUntil(refusedUntil, 'too_many_documents', reason, {
      facts: {
        rule: 'client.too-many-documents',
        received: id,
      },
    });
  if (kind === 'busy')
    refusePage('server_busy', reason, 'temporarily_unavailable', {
      facts: {
        rule: 'client.document-unreachable',
        received: id,
      },
    });
  const problem = kind === 'invalid' ? 'client_document_invalid' : 'client_document_unreachable';
  refusePage(problem, `The metadata document at the client_id can't be used. ${reason}`, null, {
    facts: {
      rule: kind === 'invalid' ? 'client.document-invalid' : 'client.document-unreachable',
      received: facts.received === undefined ? id : `${id}: ${facts.received}`,
      ...(facts.expected && { expected: facts.expected }),
    },
  });
}

/**
 * A stored client, updated to what its document says now. The stored version is used until it is
 * stale, and for as long as its host does not answer.
 * @param mostUnread milliseconds since the last reading after which the stored version is no longer
 * used when this server has no place free to read again. A caller who could cause that shortage
 * themselves gets a limit.
 * @throws PageRefusal if the document was removed, says something unusable, or can't be read now
 */
export async function refreshed(
  client: Client,
  { settings: { clientDocumentHosts: hosts }, ...asker }: Pick<Seeking, 'settings'> & Asker,
  now: Date,
  mostUnread = Number.POSITIVE_INFINITY,
): Promise<Client> {
  const { id } = client;
  const row = await findRegistration(id);
  if (!row || client.disabled || (row.staleAt && row.staleAt > now)) return client;
  const held = heldDocument(id, row.fetchedAt);
  const believe = async (document: ClientDocument) => {
    await checkAddresses(id, document.settings, hosts);
    return adopt(client, row.documentHash, document, now);
  };
  if (held && held.staleAt > now) return believe(held);
  const known = held ? knownOf(held) : { etag: row.etag, hasKeys: provesByAssertion(client) };
  const look = await lookAt(id, known, asker, now);
  if ('fault' in look) {
    if (look.fault.kind === 'invalid') refuseDocument(id, look.fault);
    if (look.fault.kind === 'busy') {
      // The host was not asked, so the next request may ask it.
      if (Number(row.fetchedAt) + mostUnread > now.getTime()) return client;
      refuseDocument(id, look.fault);
    }
    log().info({ clientId: id, reason: look.fault.received }, 'metadata document not read again');
    await readAgainAt(id, new Date(now.getTime() + afterOutage));
    return client;
  }
  if ('document' in look) return believe(look.document);
  if (held) return believe({ ...held, ...look.unchanged });
  await confirmRegistration(id, look.unchanged);
  return client;
}

/** Milliseconds before a sign-in waits again for a host that doesn't answer. */
const afterOutage = 60_000;

/** The stored client, changed to what its document says. */
async function adopt(
  client: Client,
  knownHash: string | null,
  { settings, hash, ...facts }: ClientDocument,
  now: Date,
): Promise<Client> {
  if (hash === knownHash) {
    await confirmRegistration(client.id, facts);
    return client;
  }
  await changeRegistration(client, settings, { ...facts, documentHash: hash }, now);
  return (await findClient(client.id)) ?? client;
}
