import { linkNames } from './app-links.ts';
import { clientFields } from './client.ts';
import { clientAuthMethodNames } from './client-auth-methods.ts';
import {
  backchannelFault,
  initiateLoginFault,
  jwksUriFault,
  startWithoutTls,
} from './client-links.ts';
import {
  type ClientMetadata,
  grantsOf,
  isGiven,
  isList,
  longestLink,
  offered,
} from './client-metadata.ts';
import { clientSigningAlgs, isClientSigningAlg, keySetFault } from './key-set.ts';
import { redirectKind, redirectUriFault } from './redirect-uri.ts';
import { hasSector } from './subject.ts';
import type { Wording } from './wording.ts';

/** What is wrong with client metadata: the error of RFC 7591 section 3.2.2, and a sentence. */
export type MetadataFault = {
  code: 'invalid_redirect_uri' | 'invalid_client_metadata';
  reason: string;
  received?: string;
  expected?: readonly string[];
};

const mostAddresses = 20;
const code = 'invalid_client_metadata' as const;
const shown = (value: unknown) => (JSON.stringify(value) ?? '').slice(0, 200);
const invalid = (
  reason: string,
  received: string,
  expected?: readonly string[],
): MetadataFault => ({ code, reason, received, ...(expected && { expected }) });

/** What is wrong with client metadata; null: `clientOfMetadata` can make a client from it. */
export function metadataFault(metadata: ClientMetadata): MetadataFault | null {
  return (
    // Before the addresses, which only an app that people return to has (section 2).
    grantsFault(metadata) ??
    addressesFault(metadata, 'redirect_uris', true) ??
    addressesFault(metadata, 'post_logout_redirect_uris', false) ??
    linksFault(metadata) ??
    authMethodFault(metadata) ??
    keysFault(metadata) ??
    responseTypesFault(metadata) ??
    typeFault(metadata) ??
    unsupportedFault(metadata)
  );
}

function addressesFault(
  metadata: ClientMetadata,
  name: 'redirect_uris' | 'post_logout_redirect_uris',
  needed: boolean,
): MetadataFault | null {
  const uris = metadata[name];
  const refuse = (reason: string, received: string, expected?: readonly string[]) => ({
    code: name === 'redirect_uris' ? ('invalid_redirect_uri' as const) : code,
    reason,
    received,
    ...(expected && { expected }),
  });
  if (uris === undefined && !needed) return null;
  if (!isList(uris) || (needed && uris.length === 0))
    return refuse(`${name} must be a list of addresses.`, shown(uris), ['["https://…"]']);
  if (uris.length > mostAddresses)
    return refuse(`${name} has more than ${mostAddresses} addresses.`, `${uris.length} addresses`, [
      `at most ${mostAddresses}`,
    ]);
  for (const uri of uris) {
    const fault =
      redirectUriFault(uri)?.english ?? hostFault(uri) ?? kindFault(uri, metadata.application_type);
    if (fault) return refuse(`${name}: ${fault}`, uri.slice(0, 500));
  }
  return null;
}

/** A final dot is another name for the same host, and would bypass what admins decided about it. */
function hostFault(uri: string): string | null {
  const { protocol, hostname } = new URL(uri);
  if (!/^https?:$/.test(protocol) || !hostname.endsWith('.')) return null;
  return 'Its host ends with a dot. Write it without.';
}

/** Addresses that people are sent to for a sign-in, and that this server notifies of a sign-out. */
const links = { initiate_login_uri: startFault, backchannel_logout_uri: backchannelFault };

/** OpenID Connect Dynamic Client Registration section 2: https, even on one computer. */
function startFault(uri: string): Wording | null {
  const fault = initiateLoginFault(uri);
  return fault || redirectKind(uri) === 'https' ? fault : startWithoutTls;
}

function linksFault(metadata: ClientMetadata): MetadataFault | null {
  for (const [name, faultOf] of Object.entries(links)) {
    const uri = metadata[name];
    if (uri === undefined) continue;
    const fault =
      typeof uri === 'string' && uri.length <= longestLink
        ? (faultOf(uri)?.english ?? hostFault(uri))
        : `It must be an address of at most ${longestLink} characters.`;
    if (fault) return invalid(`${name}: ${fault}`, shown(uri));
  }
  return null;
}

/** OpenID Connect Dynamic Client Registration section 2: web applications have https addresses. */
function kindFault(uri: string, applicationType: unknown): string | null {
  const kind = redirectKind(uri);
  if (kind === 'http') return 'Plain http is only for addresses of the same computer; use https.';
  if (applicationType !== 'web' || kind === 'https') return null;
  return 'With application_type web, every address must start with https; an app on a device sends native.';
}

function authMethodFault({
  token_endpoint_auth_method: method,
}: ClientMetadata): MetadataFault | null {
  if (method === undefined || clientAuthMethodNames.some((known) => known === method)) return null;
  const reason = `This server does not offer that token_endpoint_auth_method. It offers ${clientAuthMethodNames.join(', ')}.`;
  return invalid(reason, shown(method), clientAuthMethodNames);
}

/** Keys are only checked if the client will authenticate with them. They have no other use here. */
function keysFault(metadata: ClientMetadata): MetadataFault | null {
  const { jwks, jwks_uri: uri, token_endpoint_auth_signing_alg: alg } = metadata;
  if (metadata.token_endpoint_auth_method !== 'private_key_jwt') return null;
  const refuse = (reason: string, received: unknown, expected?: readonly string[]) =>
    invalid(reason, shown(received), expected);
  if (isGiven(alg) && !isClientSigningAlg(alg))
    return refuse('This token_endpoint_auth_signing_alg is not supported.', alg, clientSigningAlgs);
  if (!isGiven(jwks) && !isGiven(uri))
    return refuse('private_key_jwt needs keys: send jwks or jwks_uri.', undefined, [
      'jwks or jwks_uri',
    ]);
  if (isGiven(jwks)) {
    const fault = keySetFault(JSON.stringify(jwks));
    // The client may have sent a secret by mistake, so what it sent is not shown.
    return fault && refuse(`jwks: ${fault.english}`, 'a JWK Set');
  }
  if (typeof uri !== 'string' || uri.length > longestLink)
    return refuse(`jwks_uri: It must be an address of at most ${longestLink} characters.`, uri);
  const fault = jwksUriFault(uri)?.english ?? hostFault(uri);
  return fault ? refuse(`jwks_uri: ${fault}`, uri) : null;
}

function grantsFault(metadata: ClientMetadata): MetadataFault | null {
  const { grant_types: given } = metadata;
  const received = shown(given);
  if (given !== undefined && !isList(given))
    return invalid('grant_types must be a list of grant types.', received);
  if (grantsOf(metadata).includes('authorization_code')) return null;
  return invalid(
    'grant_types: an app that no admin has added needs authorization_code, with or without refresh_token. For any other, ask an admin to add it.',
    received,
    offered,
  );
}

function responseTypesFault({ response_types: given }: ClientMetadata): MetadataFault | null {
  if (given === undefined || (isList(given) && given.includes('code'))) return null;
  return invalid('response_types must hold code.', shown(given), ['["code"]']);
}

const texts = ['client_name', ...linkNames];
const applicationTypes = ['web', 'native'];

function typeFault(metadata: ClientMetadata): MetadataFault | null {
  const odd = texts.find((name) => !['string', 'undefined'].includes(typeof metadata[name]));
  if (odd) return invalid(`${odd} must be text.`, shown(metadata[odd]));
  const { application_type: type } = metadata;
  if (type === undefined || applicationTypes.includes(type as string)) return null;
  return invalid('application_type is web or native.', shown(type), applicationTypes);
}

const subjectTypes = clientFields.subjectType.of;

const encryption = [
  'id_token_encrypted_response_alg',
  'id_token_encrypted_response_enc',
  'userinfo_encrypted_response_alg',
  'userinfo_encrypted_response_enc',
];

const registering = (redirectUris: readonly string[]) =>
  ({ origin: 'registration', redirectUris, sectorIdentifierUri: null }) as const;

/** Metadata that an app would take for accepted although this server does not support it. */
function unsupportedFault(metadata: ClientMetadata): MetadataFault | null {
  const said = (name: string) => isGiven(metadata[name]);
  if (said('jwks') && said('jwks_uri'))
    return invalid(
      'jwks and jwks_uri exclude each other (RFC 7591 section 2). Send one of them.',
      'jwks and jwks_uri',
      ['jwks or jwks_uri'],
    );
  const { subject_type: subject, backchannel_logout_session_required: session } = metadata;
  if (said('subject_type') && !subjectTypes.some((known) => known === subject))
    return invalid('The subject_type is public or pairwise.', shown(subject), subjectTypes);
  if (said('sector_identifier_uri'))
    return invalid(
      'sector_identifier_uri is not supported: the sector of a registered client is the one host of its redirect URIs, or the client itself. Leave it out.',
      shown(metadata.sector_identifier_uri),
      ['no sector_identifier_uri'],
    );
  const { redirect_uris: uris } = metadata;
  if (subject === 'pairwise' && isList(uris) && !hasSector(registering(uris)))
    return invalid(
      'Pairwise subjects need redirect_uris that share one host (OpenID Connect Core section 8.1) or only lead to programs on a device.',
      shown(uris),
      ['redirect_uris of one host', 'subject_type public'],
    );
  if (said('backchannel_logout_session_required') && typeof session !== 'boolean')
    return invalid('backchannel_logout_session_required is true or false.', shown(session), [
      'true',
      'false',
    ]);
  const encrypted = encryption.find(said);
  if (!encrypted) return null;
  const reason = `${encrypted}: this server signs and does not encrypt. Leave it out.`;
  return invalid(reason, shown(metadata[encrypted]));
}
