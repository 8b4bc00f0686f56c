import { backchannelCallFault } from '../http/outgoing.ts';
import type { Client, ClientSettings } from '../oauth/client.ts';
import { proofOf } from '../oauth/client-auth-methods.ts';
import { type ClientMetadata, clientOfMetadata } from '../oauth/client-metadata.ts';
import { type MetadataFault, metadataFault } from '../oauth/client-metadata-fault.ts';
import { PageRefusal, refuse, refusePage } from '../oauth/errors.ts';
import { addressesOf, hostOf, hostsOf, ofOnePlace, placesFault } from '../oauth/places.ts';
import { registeredMetadata, usualAuthMethod } from '../oauth/registration.ts';
import { digest } from '../oauth/secrets.ts';
import { weakMetadataFault } from '../oauth/strong-metadata.ts';
import type { Settings } from '../settings/table.ts';
import { blockedAmong } from '../store/blocked-hosts.ts';
import { findClient } from '../store/clients.ts';
import { unusedIdLife, wasRemoved } from '../store/registered-clients.ts';
import {
  longestRegisteredId,
  newRegisteredId,
  type Registered,
  readRegisteredId,
} from './registered-id.ts';
import { portFault, withoutPort } from './usual-port.ts';

/** What a client receives when it registers itself. */
export type Registration = {
  id: string;
  /** Null for a public client. */
  secret: string | null;
  registeredAt: Date;
  /** The part of its metadata that takes effect. */
  metadata: ClientMetadata;
};

/**
 * Registers a client (RFC 7591 section 3.2). Nothing is stored, because its id contains everything.
 * @throws OAuthRefusal invalid_redirect_uri, invalid_client_metadata
 */
export async function registerClient(
  said: ClientMetadata,
  { byToken, settings }: { byToken: boolean; settings: Settings },
  now: Date,
): Promise<Registration> {
  refuseFault(metadataFault(said));
  const given = byToken ? said : atOnePlace(said);
  const client = clientOfMetadata(given, usualAuthMethod);
  if (settings.requireStrongClients) refuseFault(weakMetadataFault(client, given));
  const addresses = addressesOf(client);
  if (!byToken) checkOnePlace(addresses);
  checkCallable(client);
  if (!byToken) checkPort(client);
  const blocked = await blockedAmong(hostsOf(addresses));
  if (blocked !== null)
    refuse('invalid_redirect_uri', `The host ${blocked} is blocked on this server.`, {
      rule: 'registration.metadata',
      received: blocked,
    });
  const metadata = registeredMetadata(client, given);
  const id = newRegisteredId(metadata, byToken, now) ?? refuseLong(metadata);
  const registered = readRegisteredId(id);
  if (!registered) throw new Error('An id that was just made cannot be read.');
  const secret = proofOf(client) === 'secret' ? registered.secret : null;
  return { id, secret, registeredAt: now, metadata };
}

/** Leaves out the addresses that nobody can vouch for; the app is told the rest (section 3.2.1). */
function atOnePlace(metadata: ClientMetadata): ClientMetadata {
  const { redirect_uris: uris, post_logout_redirect_uris: byes } = metadata;
  if (!Array.isArray(uris)) return metadata;
  const kept = ofOnePlace(uris);
  return {
    ...metadata,
    redirect_uris: kept,
    ...(kept.length < uris.length &&
      Array.isArray(byes) && {
        post_logout_redirect_uris: byes.filter((uri) => placesFault([...kept, uri]) === null),
      }),
  };
}

function refuseFault(fault: MetadataFault | null): void {
  if (!fault) return;
  const { code, reason, received, expected } = fault;
  refuse(code, reason, { rule: 'registration.metadata', received, expected });
}

/**
 * The current registration of a client that registered itself, including what an admin has changed.
 * Null if there is no such client, or if it may not be used (any longer).
 */
export async function registrationOf(
  id: string,
  settings: Settings,
  now: Date,
): Promise<Pick<Registration, 'id' | 'registeredAt' | 'metadata'> | null> {
  const registered = readRegisteredId(id);
  const client = registered && (await livingClient(id, settings, now));
  if (!client || client.disabled) return null;
  const { registeredAt, metadata } = registered;
  return { id, registeredAt, metadata: registeredMetadata(client, metadata) };
}

async function livingClient(id: string, settings: Settings, now: Date): Promise<Client | null> {
  try {
    return (await findClient(id)) ?? (await selfRegistered(id, settings, now));
  } catch (error) {
    if (error instanceof PageRefusal) return null;
    throw error;
  }
}

/** Otherwise people would know, and approve, the client by one place while it leads to another. */
function checkOnePlace(uris: readonly string[]): void {
  const fault = placesFault(uris);
  if (fault)
    refuse('invalid_redirect_uri', fault, {
      rule: 'registration.metadata',
      received: JSON.stringify(uris).slice(0, 500),
      expected: ['addresses of one host, or of one scheme'],
    });
}

function checkCallable({ backchannelLogoutUri: uri }: ClientSettings): void {
  const fault = uri === null ? null : backchannelCallFault(uri);
  if (fault)
    refuse('invalid_client_metadata', `backchannel_logout_uri: ${fault}`, {
      rule: 'registration.metadata',
      received: uri ?? undefined,
      expected: ['a public address'],
    });
}

function checkPort({ jwksUri }: ClientSettings): void {
  const fault = jwksUri === null ? null : portFault(jwksUri);
  if (fault && jwksUri !== null)
    refuse('invalid_client_metadata', `jwks_uri ${fault}`, {
      rule: 'registration.metadata',
      received: jwksUri,
      expected: [withoutPort(jwksUri)],
    });
}

function refuseLong(metadata: ClientMetadata): never {
  refuse(
    'invalid_client_metadata',
    `The metadata is too long: the client_id, which holds all of it, would be longer than ${longestRegisteredId} characters. Register fewer or shorter addresses.`,
    {
      rule: 'registration.metadata',
      received: `${JSON.stringify(metadata).length} characters`,
      expected: [`a client_id of at most ${longestRegisteredId} characters`],
    },
  );
}

/**
 * The client that registered itself under this id and is not stored yet; null if this server did
 * not issue the id.
 * @throws PageRefusal when it has to register again, or may not register itself (any longer)
 */
export async function selfRegistered(
  id: string,
  { clientRegistration }: Settings,
  now: Date,
): Promise<Client | null> {
  const registered = readRegisteredId(id);
  if (!registered) return null;
  const client = clientOf(id, registered);
  await checkNotBlocked(client);
  const died = registered.registeredAt.getTime() + unusedIdLife <= now.getTime();
  if (died || (await wasRemoved(id)))
    refusePage('client_gone', 'The client has to register again.', null, {
      facts: {
        rule: 'client.gone',
        received: died
          ? 'an id that nobody used in its first 30 days'
          : 'the id of a removed client',
        expected: ['a new registration'],
      },
    });
  if (clientRegistration === 'off')
    refuseRegistration(
      'Clients can no longer register themselves here.',
      'a client that registered',
    );
  if (clientRegistration === 'token' && !registered.byToken)
    refuseRegistration('Clients register here with a token only.', 'one that registered without');
  return client;
}

function clientOf(id: string, { metadata, byToken, secret }: Registered): Client {
  const settings = clientOfMetadata(metadata, usualAuthMethod);
  const host = hostOf(addressesOf(settings));
  return {
    ...settings,
    id,
    origin: 'registration',
    host,
    disabled: false,
    epoch: 0,
    secretHashes: proofOf(settings) === 'secret' ? [digest(secret)] : [],
    unstored: { listed: byToken, documentHash: null, etag: null, fetchedAt: null, staleAt: null },
  };
}

/**
 * No one can sign in to a client that registered itself and names a blocked host.
 * @throws PageRefusal
 */
export async function checkNotBlocked(client: ClientSettings): Promise<void> {
  const host = await blockedAmong(hostsOf(addressesOf(client)));
  if (host !== null)
    refusePage('client_not_accepted', `The host ${host} is blocked here.`, null, {
      facts: {
        rule: 'client.host-blocked',
        received: host,
      },
    });
}

function refuseRegistration(reason: string, received: string): never {
  refusePage('client_not_accepted', reason, null, {
    facts: {
      rule: 'client.not-accepted',
      received,
    },
  });
}
