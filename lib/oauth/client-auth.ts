import type { Client } from './client.ts';
import { type AssertionFault, assertionType, clientNamedIn } from './client-assertion.ts';
import {
  authMethodsOf,
  proofOf,
  provesByAssertion,
  provingMethodNames,
} from './client-auth-methods.ts';
import { refuse } from './errors.ts';
import { type Facts, masked } from './facts.ts';
import { first, isText, type Params } from './params.ts';
import { digest, sameDigest } from './secrets.ts';

/** Presented client credentials: the claimed id, and a secret or an assertion if one was sent. */
export type ClientCredentials = {
  id: string | undefined;
  secret: string | undefined;
  usedBasic: boolean;
  /** The secret as it stands in Basic, if form-decoding changes it or is impossible. */
  asWritten?: string | undefined;
  /** It cannot be form-decoded, so that there is no secret yet. */
  isUndecodable?: boolean;
  /** An Authorization header of another scheme was left out of account. */
  hasOtherHeader?: true;
  /** A JWT with which the client proves itself (RFC 7523 section 2.2). */
  assertion?: string;
  /** What is wrong with the assertion, which is checked before the client is; null: nothing. */
  assertionFault?: AssertionFault | null;
  /** This server itself acts for the client. Never read from a request. */
  ofTrial?: true;
};

/**
 * Reads client credentials from the Authorization header or the body (RFC 6749 section 2.3.1). A
 * header of another scheme counts for nothing beside a client that is named in the body: browsers
 * add Negotiate, and interceptors of apps their access token.
 * @throws OAuthRefusal invalid_request if two ways are mixed; invalid_client if the header does not
 *   hold Basic credentials
 */
export function readClientCredentials(
  params: Params,
  authorization: string | undefined,
): ClientCredentials {
  const id = first(params, 'client_id');
  const secret = first(params, 'client_secret');
  const assertion = readClientAssertion(params);
  const isNamed = id !== undefined || assertion !== undefined;
  if (isNamed && authorization !== undefined && otherScheme.test(authorization))
    return { ...readClientCredentials(params, undefined), hasOtherHeader: true };
  if (assertion !== undefined) {
    if (secret !== undefined || authorization !== undefined)
      refuse('invalid_request', 'The client used two authentication methods.', {
        rule: 'client-auth.two-ways',
        received: `private_key_jwt and ${authorization === undefined ? 'client_secret_post' : 'client_secret_basic'}`,
        expected: ['one of the two'],
      });
    return { id: id ?? clientNamedIn(assertion), secret, usedBasic: false, assertion };
  }
  if (authorization === undefined) return { id, secret, usedBasic: false };
  const basic = parseBasic(authorization);
  if (secret !== undefined)
    refuse(
      'invalid_request',
      'The client secret was sent both in the Authorization header and in the body.',
      {
        rule: 'client-auth.two-ways',
        received: 'client_secret_basic and client_secret_post',
        expected: ['one of the two'],
      },
    );
  if (id !== undefined && id !== basic.id)
    refuse('invalid_request', 'client_id differs between the Authorization header and the body.', {
      rule: 'client-auth.two-ways',
      received: `${id} in the body`,
      expected: [`${basic.id} as in the Authorization header`],
    });
  return basic;
}

/** Nothing, or a scheme by which this server authenticates no client. */
const otherScheme = /^ *(?:(?:bearer|digest|dpop|negotiate|ntlm)\b.*)?$/is;

/** The id of the client that a request claims to be from, whatever else is wrong with it. */
export function claimedClientId(
  params: Params,
  authorization: string | undefined,
): string | undefined {
  try {
    return first(params, 'client_id') ?? readClientCredentials(params, authorization).id;
  } catch {
    return undefined;
  }
}

/** @throws OAuthRefusal invalid_request if half of the pair is missing or the type is unknown */
function readClientAssertion(params: Params): string | undefined {
  const [type, assertion] = [
    first(params, 'client_assertion_type'),
    first(params, 'client_assertion'),
  ];
  if (type === undefined && assertion === undefined) return undefined;
  if (type === assertionType && assertion !== undefined) return assertion;
  refuse(
    'invalid_request',
    'client_assertion and client_assertion_type belong together (RFC 7523 section 2.2).',
    {
      rule: 'client-assertion.type',
      received: type ?? 'client_assertion alone',
      expected: [assertionType],
    },
  );
}

/** Only a well-known scheme: in a header without one, the first word is the secret. */
function schemeOf(authorization: string): string {
  const scheme = /^(basic|bearer|digest|dpop|negotiate)\b/i.exec(authorization)?.[1];
  return scheme ? `the scheme ${scheme}` : 'no scheme that this server knows';
}

function parseBasic(authorization: string): ClientCredentials {
  const encoded = /^basic +([A-Za-z0-9+/_=-]+) *$/i.exec(authorization)?.[1];
  const [, id, secret] =
    /^([^:]*):(.*)$/s.exec(encoded ? Buffer.from(encoded, 'base64').toString('utf8') : '') ?? [];
  if (id === undefined || secret === undefined)
    refuseClient('The Authorization header does not contain Basic credentials.', true, {
      rule: 'client-auth.malformed',
      received: schemeOf(authorization),
      expected: ['Basic'],
    });
  const [decodedId, decoded] = [formDecode(id), formDecode(secret)];
  if (decodedId === null || !isText(secret)) refuseUndecodable();
  return {
    id: decodedId || undefined,
    secret: decoded || undefined,
    usedBasic: true,
    asWritten: decoded === secret ? undefined : secret,
    isUndecodable: decoded === null,
  };
}

/**
 * Both halves are form-encoded before they are joined (RFC 6749 section 2.3.1). No client_id that
 * this server gives has a character that the encoding changes. Null if the text is not encoded.
 */
function formDecode(text: string): string | null {
  try {
    const decoded = /[%+]/.test(text) ? decodeURIComponent(text.replaceAll('+', ' ')) : text;
    return isText(decoded) ? decoded : null;
  } catch {
    return null;
  }
}

function refuseUndecodable(): never {
  refuseClient('The Basic credentials are not form-encoded text.', true, {
    rule: 'client-auth.malformed',
    expected: ['client_id and client_secret, form-encoded, in Basic'],
  });
}

/**
 * Whether the secret in Basic is the client's only as it is written, because the client didn't
 * encode it. Both secrets are compared whatever the first comparison says.
 */
export function isRightAsWritten(client: Client | null, credentials: ClientCredentials): boolean {
  const { secret = '', asWritten } = credentials;
  if (asWritten === undefined) return false;
  const [isDecoded, isWritten] = [holds(client, secret), holds(client, asWritten)];
  return isWritten && !isDecoded;
}

function holds(client: Client | null, secret: string): boolean {
  const sent = digest(secret);
  const equal = (client?.secretHashes ?? ['']).map((stored) => sameDigest(stored, sent));
  return equal.includes(true);
}

/**
 * Authenticates a client (RFC 6749 section 3.2.1). An unknown client and a wrong secret get the
 * same response after the same comparison. `secretHash` is the digest that matched; null if the
 * client did not use a secret (public clients, assertions, trials).
 * @throws OAuthRefusal invalid_client
 */
export function checkClientAuthentication(
  client: Client | null,
  credentials: ClientCredentials,
): { client: Client; secretHash: string | null } {
  if (client && credentials.ofTrial)
    return { client: enabled(client, credentials), secretHash: null };
  if (credentials.assertion !== undefined)
    return { client: checkAssertion(client, credentials), secretHash: null };
  if (client?.type === 'public') {
    if (credentials.secret !== undefined)
      refuseClient('A public client sent a secret.', credentials.usedBasic, {
        rule: 'client-auth.public-with-secret',
        received: sentBy(credentials),
        expected: ['client_id alone'],
      });
    return { client: enabled(client, credentials), secretHash: null };
  }
  return checkSecret(client, credentials);
}

/** @throws OAuthRefusal invalid_client */
function checkSecret(
  client: Client | null,
  credentials: ClientCredentials,
): { client: Client; secretHash: string } {
  if (credentials.isUndecodable) refuseUndecodable();
  if (credentials.secret === undefined)
    refuseClient('The client sent no credentials.', credentials.usedBasic, {
      rule: credentials.id === undefined ? 'client.missing' : 'client-auth.missing',
      received: sentBy(credentials),
      expected: client ? authMethodsOf(client) : provingMethodNames,
    });
  const sent = digest(credentials.secret);
  const matched = (client?.secretHashes ?? ['']).filter((stored) => sameDigest(stored, sent))[0];
  if (!client)
    refuseClient('There is no client with this client_id.', credentials.usedBasic, {
      rule: 'client.unknown',
      received: credentials.id,
    });
  if (proofOf(client) !== 'secret') refuseOtherMethod(client, credentials);
  if (matched === undefined)
    refuseClient('The client secret is wrong.', credentials.usedBasic, {
      rule: 'client-auth.wrong-secret',
      received: sentBy(credentials),
      expected: [
        holds(client, credentials.secret.trim())
          ? 'the same without the white space around it'
          : 'a secret of this client',
      ],
    });
  return { client: enabled(client, credentials), secretHash: matched };
}

/** @throws OAuthRefusal invalid_client */
function checkAssertion(client: Client | null, credentials: ClientCredentials): Client {
  if (!client)
    refuseClient('There is no client with this client_id.', false, {
      rule: 'client.unknown',
      received: credentials.id,
    });
  if (!provesByAssertion(client)) refuseOtherMethod(client, credentials);
  const { assertionFault: fault } = credentials;
  if (fault === undefined) throw new Error('An assertion is judged before its client is.');
  if (fault) refuseClient(fault.reason, false, fault.facts);
  return enabled(client, credentials);
}

function refuseOtherMethod(client: Client, credentials: ClientCredentials): never {
  refuseClient(
    'The client is registered for another authentication method.',
    credentials.usedBasic,
    {
      rule: 'client-auth.other-method',
      received: sentBy(credentials),
      expected: authMethodsOf(client),
    },
  );
}

/**
 * Whether the credentials hold something that only the client has: a secret or a valid assertion.
 * `checkClientAuthentication` may still refuse them.
 */
export function isProofOf(client: Client | null, credentials: ClientCredentials): boolean {
  const { secret, assertionFault } = credentials;
  if (client === null) return false;
  if (assertionFault === null) return true;
  if (secret === undefined) return false;
  return holds(client, secret);
}

function enabled(client: Client, credentials: ClientCredentials): Client {
  return client.disabled
    ? refuseClient('This client is disabled.', credentials.usedBasic, { rule: 'client.disabled' })
    : client;
}

/** How a client authenticated, without revealing the credential. */
function sentBy({ id, secret, usedBasic, assertion }: ClientCredentials): string {
  if (assertion !== undefined) return 'private_key_jwt';
  if (secret === undefined) return id === undefined ? 'nothing' : 'client_id alone';
  return `${usedBasic ? 'client_secret_basic' : 'client_secret_post'}, ${masked('a secret', secret)}`;
}

/** RFC 6749 section 5.2: 401, with a challenge when the client tried HTTP authentication. */
export function refuseClient(reason: string, usedBasic: boolean, facts: Facts): never {
  refuse(
    'invalid_client',
    reason,
    facts,
    usedBasic
      ? { headers: { 'www-authenticate': 'Basic realm="Gatehouse", charset="UTF-8"' } }
      : {},
  );
}
