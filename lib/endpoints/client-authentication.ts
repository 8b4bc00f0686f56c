import type { HttpRequest } from '../http/message.ts';
import type { Client } from '../oauth/client.ts';
import {
  type ClientCredentials,
  checkClientAuthentication,
  isProofOf,
  isRightAsWritten,
  readClientCredentials,
} from '../oauth/client-auth.ts';
import { provesByAssertion } from '../oauth/client-auth-methods.ts';
import type { Facts } from '../oauth/facts.ts';
import { atIssuer, elsewhere, isOfOtherRealm } from '../oauth/old-issuer.ts';
import type { Params } from '../oauth/params.ts';
import { digest } from '../oauth/secrets.ts';
import { clientAt, findOwnerOfSecret } from '../store/clients.ts';
import { readSettings } from '../store/settings.ts';
import type { SingleUse } from '../store/spent-values.ts';
import { touchLastUse } from '../store/usage.ts';
import { judgeAssertion, judgeUnspent } from './client-assertion.ts';

/** A request of a program: its parameters, and the rest of it. */
export type Sent = { params: Params; http: HttpRequest };

/** Finds a client by its id; null if there is none. */
type Finding = (id: string) => Promise<Client | null>;

/**
 * The presented client credentials, and the client with that id as of a revision. An assertion has
 * been judged, and spent if it was valid. Nothing is authenticated yet.
 */
export async function readClient(
  { params, http: request }: Sent,
  revision: number,
  now: Date,
  find: Finding = (id) => clientAt(revision, id),
): Promise<{ credentials: ClientCredentials; named: Client | null }> {
  const credentials: ClientCredentials = request.trialOf
    ? { id: request.trialOf, secret: undefined, usedBasic: false, ofTrial: true }
    : readClientCredentials(params, request.header('authorization'));
  const found = credentials.id === undefined ? null : await find(credentials.id);
  const named = atIssuer(found, request.oldIssuer);
  request.about.clientId = found && !found.unstored ? found.id : null;
  if (credentials.assertion !== undefined && named && provesByAssertion(named))
    credentials.assertionFault = await judgeAssertion(credentials.assertion, named, request, now);
  if (credentials.hasOtherHeader)
    request.about.notes.push({ rule: 'parameter.ignored', received: 'Authorization' });
  if (isRightAsWritten(named, credentials)) await takeAsWritten(credentials, request);
  if (isProofOf(named, credentials)) request.about.behind = 'app';
  else if (found && !named) request.about.notes.push(elsewhere(request.oldIssuer));
  else request.about.notes.push(...(await noteOtherOwner(credentials)));
  return { credentials, named };
}

/**
 * Whether a token belongs to another realm than the one at whose addresses the request arrived. It
 * is noted, and the token does not exist there.
 */
export function isElsewhere(
  { client }: { client: Pick<Client, 'oldIssuer'> },
  { oldIssuer, about }: HttpRequest,
): boolean {
  if (!isOfOtherRealm(client, oldIssuer)) return false;
  about.notes.push(elsewhere(oldIssuer));
  return true;
}

/**
 * Notes that the secret in Basic was not form-encoded (RFC 6749 section 2.3.1), and in profile
 * `interface` takes it as it is. In others its sender learns nothing, only the admin does.
 */
async function takeAsWritten(credentials: ClientCredentials, request: HttpRequest): Promise<void> {
  const { asWritten } = credentials;
  const expected = ['client_id and client_secret, each form-encoded'];
  request.about.notes.push({ rule: 'client-auth.not-encoded', expected });
  if ((await readSettings()).profile !== 'interface') return;
  Object.assign(credentials, { secret: asWritten, isUndecodable: false });
}

/** Notes a secret that belongs to another client. Only admins learn of this mix-up. */
async function noteOtherOwner({ secret }: ClientCredentials): Promise<Facts[]> {
  const owner = secret === undefined ? null : await findOwnerOfSecret(digest(secret));
  return owner === null ? [] : [{ rule: 'client-auth.secret-of-other', received: owner }];
}

/**
 * As `readClient`, for a request that one statement answers if it is valid: an assertion has been
 * judged, and `assertion` is what that statement has to spend. Null for a request that is to be
 * read first.
 */
export async function readUnspent(
  { params, http }: Sent,
  revision: number,
  now: Date,
): Promise<Unspent | null> {
  const credentials = readClientCredentials(params, http.header('authorization'));
  const { id, assertion } = credentials;
  if (credentials.hasOtherHeader) return null;
  const named = id === undefined ? null : atIssuer(await clientAt(revision, id), http.oldIssuer);
  if (assertion === undefined) return { credentials, named, assertion: null };
  if (!named || !provesByAssertion(named)) return null;
  const { fault, use } = await judgeUnspent(assertion, named, http, now);
  credentials.assertionFault = fault;
  return fault ? null : { credentials, named, assertion: use };
}

type Unspent = {
  credentials: ClientCredentials;
  named: Client | null;
  assertion: SingleUse | null;
};

/**
 * Authenticates the client of a request (RFC 6749 section 2.3).
 * @throws OAuthRefusal invalid_client
 */
export async function authenticateClient(
  sent: Sent,
  revision: number,
  now: Date,
  find?: Finding,
): Promise<Client> {
  const { credentials, named } = await readClient(sent, revision, now, find);
  const { client, secretHash } = checkClientAuthentication(named, credentials);
  if (secretHash !== null) touchLastUse('client_secrets', secretHash, now);
  return client;
}
