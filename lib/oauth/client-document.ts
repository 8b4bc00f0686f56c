import type { ClientSettings } from './client.ts';
import { type ClientMetadata, clientOfMetadata, readMetadata } from './client-metadata.ts';
import { metadataFault } from './client-metadata-fault.ts';
import { digest } from './secrets.ts';

/*
 * Client ID Metadata Documents (draft-ietf-oauth-client-id-metadata-document-02): the client_id of
 * an app is the https address of a document that describes the app. The host of that address is all
 * that is proved about the app.
 */

/** Whether a client_id is the address of a metadata document. */
export const isDocumentId = (id: string): boolean => /^https:\/\//i.test(id);

/** The maximum length: the id is stored in every row about the client, and people see it. */
const longestId = 1000;
const hostName =
  /^(?!.{254})([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** What is wrong with the address of a document, in a sentence (section 3); null: nothing. */
export function documentIdFault(id: string): string | null {
  if (id.length > longestId) return `It is longer than ${longestId} characters.`;
  if (!/^https:\/\/\S+$/i.test(id) || !URL.canParse(id)) return 'It is not an https address.';
  if (id.includes('#')) return 'It has a fragment.';
  if (/^https:\/\/[^/?]*@/i.test(id)) return 'It contains a username or password.';
  const url = new URL(id);
  if (url.href !== id) return `It is not in normal form. Write ${url.href}`;
  return hostName.test(url.hostname) ? null : 'Its host is not a name with a domain.';
}

export const documentHost = (id: string): string => new URL(id).hostname;

/**
 * Whether a document is served at the default port, where web servers are. At other ports of a host
 * anything may answer.
 */
export const isAtUsualPort = (address: string): boolean => new URL(address).port === '';

/** Null: not at all. `*.` before a name covers all hosts below it. */
export function hostAdmitted(hosts: readonly string[], host: string): 'listed' | 'any' | null {
  const isListed = hosts.some((entry) =>
    entry.startsWith('*.') ? host.endsWith(entry.slice(1)) : host === entry,
  );
  if (isListed) return 'listed';
  return hosts.includes('any') ? 'any' : null;
}

export type DocumentFault = {
  /** Later may succeed: the host did not answer ('unreachable'), we fetch too much ('busy'). */
  kind: 'unreachable' | 'invalid' | 'busy';
  reason: string;
  received?: string | undefined;
  expected?: readonly string[];
  /** Nothing is fetched for the same requester until then. */
  refusedUntil?: Date;
};

/** The content of a document, with a digest of the parts that matter here. */
export type DocumentContent = { settings: ClientSettings; hash: string };

export function readClientDocument(
  id: string,
  text: string,
): { content: DocumentContent } | { fault: DocumentFault } {
  const members = readMembers(text);
  if (!members) return fault('It is not a JSON object.');
  if (members.client_id !== id)
    return fault('Its client_id is not the address of the document.', members.client_id, [id]);
  const secret = secretIn(members);
  if (secret !== null) return fault(`It contains ${secret}, which anyone can read.`);
  const metadata = { ...members, token_endpoint_auth_method: offeredMethod(members) };
  const wrong = authFault(metadata.token_endpoint_auth_method) ?? metadataFault(metadata);
  if (wrong) return { fault: { kind: 'invalid', ...wrong } };
  const settings = clientOfMetadata(metadata, 'none', documentHost(id));
  return { content: { settings, hash: digest(JSON.stringify(settings)) } };
}

function fault(reason: string, received?: unknown, expected: readonly string[] = []) {
  const shown = received === undefined ? undefined : (JSON.stringify(received) ?? '').slice(0, 300);
  return { fault: { kind: 'invalid' as const, reason, received: shown, expected } };
}

function readMembers(text: string): ClientMetadata | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? readMetadata(value as ClientMetadata)
      : null;
  } catch {
    return null;
  }
}

/** Names what must not be in a public document (section 4.1); null: it has nothing of the kind. */
function secretIn(members: ClientMetadata): string | null {
  const named = ['client_secret', 'client_secret_expires_at'].find((name) => name in members);
  if (named) return named;
  const keys = (members.jwks as { keys?: unknown } | null | undefined)?.keys;
  const isPrivate = (key: unknown) =>
    typeof key === 'object' && key !== null && ('d' in key || 'k' in key);
  return Array.isArray(keys) && keys.some(isPrivate) ? 'a private key' : null;
}

/** Some documents list all methods that the client can use, and beside them its preferred one. */
function offeredMethod(members: ClientMetadata): unknown {
  const { token_endpoint_auth_method: method, token_endpoint_auth_methods_supported: others } =
    members;
  const { jwks, jwks_uri: uri } = members;
  if (method === 'private_key_jwt' && (jwks ?? uri)) return method;
  return Array.isArray(others) && others.includes('none') ? 'none' : method;
}

/** There is no way to share a secret with the publisher of a document (section 4.1). */
function authFault(
  method: unknown,
): { reason: string; received: string; expected: string[] } | null {
  const possible = ['none', 'private_key_jwt'];
  if (method === undefined || possible.includes(method as string)) return null;
  const reason = `It asks for an authentication method other than ${possible.join(' or ')}.`;
  return { reason, received: String(JSON.stringify(method)).slice(0, 100), expected: possible };
}

const shortest = 60;
const longest = 86_400;
/** For documents whose host sets no lifetime. */
const usual = 300;

/** Seconds to cache a document for: as its host says (RFC 9111 section 5.2), within bounds. */
export function freshSeconds(cacheControl: string | undefined, age: string | undefined): number {
  const directives = (cacheControl ?? '').toLowerCase().slice(0, 1000);
  if (/\bno-(store|cache)\b/.test(directives)) return shortest;
  const said =
    /\bs-maxage="?(\d{1,10})/.exec(directives) ?? /\bmax-age="?(\d{1,10})/.exec(directives);
  if (!said) return usual;
  const spent = /^\d{1,10}$/.test(age ?? '') ? Number(age) : 0;
  return Math.min(longest, Math.max(shortest, Number(said[1]) - spent));
}
