import type { HttpRequest } from '../http/message.ts';
import type { Client } from '../oauth/client.ts';
import {
  type ClientCredentials,
  checkClientAuthentication,
  isProofOf,
  readClientCredentials,
} from '../oauth/client-auth.ts';
import { provesByAssertion } from '../oauth/client-auth-methods.ts';
import { refuse } from '../oauth/errors.ts';
import type { Facts } from '../oauth/facts.ts';
import { atIssuer, elsewhere } from '../oauth/old-issuer.ts';
import { isRepeated, type Params } from '../oauth/params.ts';
import { repeatable } from '../oauth/resource.ts';
import { digest } from '../oauth/secrets.ts';
import { clientAt, findOwnerOfSecret } from '../store/clients.ts';
import { touchLastUse } from '../store/usage.ts';
import { judgeAssertion } from './client-assertion.ts';

/** Finds a client by its id; null if there is none. */
type Finding = (id: string) => Promise<Client | null>;

/**
 * The presented client credentials, and the client with that id as of a revision. An assertion has
 * been judged, and spent if it was valid. Nothing is authenticated yet.
 */
export async function readClient(
  params: Params,
  request: HttpRequest,
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
  if (isProofOf(named, credentials)) request.about.behind = 'app';
  else if (found && !named) request.about.notes.push(elsewhere(request.oldIssuer));
  else request.about.notes.push(...(await noteOtherOwner(credentials)));
  return { credentials, named };
}

/** Notes a secret that belongs to another client. Only admins learn of this mix-up. */
async function noteOtherOwner({ secret }: ClientCredentials): Promise<Facts[]> {
  const owner = secret === undefined ? null : await findOwnerOfSecret(digest(secret));
  return owner === null ? [] : [{ rule: 'client-auth.secret-of-other', received: owner }];
}

/** The client whose id was sent; null if it doesn't exist, or not at the address that was asked. */
export async function clientNamed(
  { id }: ClientCredentials,
  { oldIssuer }: HttpRequest,
  revision: number,
): Promise<Client | null> {
  return id === undefined ? null : atIssuer(await clientAt(revision, id), oldIssuer);
}

/**
 * Authenticates the client of a request (RFC 6749 section 2.3).
 * @throws OAuthRefusal invalid_client
 */
export async function authenticateClient(
  params: Params,
  request: HttpRequest,
  revision: number,
  now: Date,
  find?: Finding,
): Promise<Client> {
  const { credentials, named } = await readClient(params, request, revision, now, find);
  const { client, secretHash } = checkClientAuthentication(named, credentials);
  if (secretHash !== null) touchLastUse('client_secrets', secretHash, now);
  return client;
}

/** Tokens and secrets in a URL end up in logs. @throws OAuthRefusal invalid_request */
export function checkNothingInQuery(request: HttpRequest): void {
  if (request.query !== '')
    refuse('invalid_request', 'Send parameters in the body of the request, not in its URL.', {
      rule: 'parameter.in-query',
    });
}

/**
 * RFC 6749 section 3.2: no parameter may be sent more than once, except `resource` (RFC 8707
 * section 2).
 * @throws OAuthRefusal invalid_request
 */
export function checkNotRepeated(params: Params): void {
  const repeated = [...params.keys()].find(
    (name) => isRepeated(params, name) && name !== repeatable,
  );
  if (repeated !== undefined)
    refuse('invalid_request', `${repeated.slice(0, 40)} was sent more than once.`, {
      rule: 'parameter.repeated',
      received: repeated,
    });
}
