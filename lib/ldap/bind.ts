import { senderOf } from '../http/address.ts';
import { placeIn as networkPlace } from '../http/cidr.ts';
import { type HttpRequest, nothingKnown } from '../http/message.ts';
import { ownAddress } from '../http/network.ts';
import type { Client } from '../oauth/client.ts';
import { checkClientAuthentication } from '../oauth/client-auth.ts';
import { OAuthRefusal } from '../oauth/errors.ts';
import type { Facts } from '../oauth/facts.ts';
import { newId } from '../oauth/secrets.ts';
import { refusalOfPlace } from '../oauth/sign-in-rules.ts';
import { findClient } from '../store/clients.ts';
import { endDue } from '../store/ends.ts';
import { touchLastUse } from '../store/usage.ts';
import { placeIn } from './names.ts';
import { type BoundPerson, provePerson, stillPerson } from './person-bind.ts';

/** Who a connection speaks for, as it was proved. */
export type Bound =
  | { is: 'nobody' }
  | { is: 'app'; clientId: string; secretHash: string }
  | BoundPerson;

export const nobody: Bound = { is: 'nobody' };

/** What a bind brings, and from where. `isSafe`: nobody in between could read the password. */
type Bidder = {
  name: string;
  password: string;
  baseDn: string;
  isSafe: boolean;
  request: HttpRequest;
};

/** An operation as the parts of the server that record requests know it. */
export function requestFrom(peer: string, attempt: string, now: Date): HttpRequest {
  return {
    ...senderOf(peer, undefined),
    method: 'LDAP',
    path: 'ldap',
    query: '',
    header: () => undefined,
    repeatsAuthorization: () => false,
    body: async () => new Uint8Array(),
    peer,
    id: newId(now),
    about: { ...nothingKnown(), attempt },
  };
}

/**
 * Proves who binds (RFC 4513 section 5.1.3): an app by its secret, or a person of an app.
 * @throws OAuthRefusal, PasswordsBusy
 */
export async function prove(bidder: Bidder, now: Date): Promise<Bound> {
  const { name, baseDn, request } = bidder;
  const place = placeIn(name, baseDn);
  const app = place && 'app' in place ? place.app : null;
  const client = app === null ? null : await findClient(app);
  request.about.clientId = client?.id ?? null;
  if (!bidder.isSafe) throw withoutTls(request);
  if (place?.at === 'app') return proveApp(client, app ?? '', bidder, now);
  if (place?.at !== 'person' || !client || client.disabled) throw refusedName(bidder);
  checkServed(client);
  await endDue(now);
  return provePerson({ client, named: place, password: bidder.password, request }, now);
}

async function proveApp(
  named: Client | null,
  id: string,
  { password, request }: Bidder,
  now: Date,
): Promise<Bound> {
  const credentials = { id, secret: password, usedBasic: false };
  const { client, secretHash } = checkClientAuthentication(named, credentials);
  if (secretHash === null) throw refusedBind('A public app has no secret.', { rule: 'ldap.off' });
  request.about.behind = 'app';
  checkServed(client);
  const misplaced = refusalOfSender(client, request);
  if (misplaced) throw misplaced;
  touchLastUse('client_secrets', secretHash, now);
  return { is: 'app', clientId: client.id, secretHash };
}

function refusalOfSender(client: Client, request: HttpRequest): OAuthRefusal | null {
  const address = ownAddress(request);
  return refusalOfPlace(client, networkPlace(client.networks, address), address);
}

/** @throws OAuthRefusal if the app is not one that reads people over LDAP */
function checkServed(client: Client): void {
  if (client.ldap) return;
  throw refusedBind('The app may not use LDAP.', {
    rule: 'ldap.off',
    received: client.id,
    expected: ['an app whose setting LDAP is on'],
  });
}

const refusedBind = (reason: string, facts: Facts) =>
  new OAuthRefusal('access_denied', reason, {}, facts);

const withoutTls = ({ peer }: HttpRequest) =>
  refusedBind('The password was sent without TLS.', {
    rule: 'ldap.off',
    received: `a bind without TLS from ${peer}`,
    expected: ['StartTLS, or LDAPS', 'a network that LDAP_WITHOUT_TLS_FROM lists'],
  });

function refusedName({ name, baseDn }: Pick<Bidder, 'name' | 'baseDn'>): OAuthRefusal {
  return refusedBind('No app or person has this name.', {
    rule: 'ldap.name',
    received: name,
    expected: [`cn=CLIENT-ID,${baseDn}`, `uid=USERNAME,ou=people,cn=CLIENT-ID,${baseDn}`],
  });
}

/** The app that a connection speaks for, and the person, if it is one. */
export type Subject = { client: Client; person: { id: string; username: string } | null };

/**
 * Who a connection speaks for, as things are now; null: what was proved no longer holds. A secret
 * or password that was replaced, or an app or person that was disabled, ends it with the next
 * operation.
 */
export async function stillBound(
  bound: Bound,
  request: HttpRequest,
  now: Date,
): Promise<Subject | null> {
  if (bound.is === 'nobody') return null;
  await endDue(now);
  const client = await findClient(bound.clientId);
  if (!client || client.disabled || !client.ldap) return null;
  if (bound.is === 'app') {
    const isGood = client.secretHashes.includes(bound.secretHash);
    return isGood && !refusalOfSender(client, request) ? { client, person: null } : null;
  }
  const person = await stillPerson(bound, client, request, now);
  return person && { client, person };
}
