import { type Api, isWebIdentifier } from '../../oauth/api.ts';
import type { FilledBlock } from '../recipe.ts';

/** The values to fill into the texts for the developer of an API. */
export type ApiFacts = {
  issuer: string;
  identifier: string;
  name: string;
  /** The names of the API's own scopes. */
  scopes: readonly string[];
  tokenFormat: Api['tokenFormat'];
};

const suffix = '/.well-known/oauth-protected-resource';

/**
 * The address of an API's metadata (RFC 9728 section 3.1): the suffix goes between its host and its
 * path.
 */
export function metadataAddress(identifier: string): string {
  const [, origin = '', rest = ''] = /^([a-z]+:\/\/[^/?]*)(.*)$/i.exec(identifier) ?? [];
  return origin + suffix + rest.replace(/^\/(?=\?|$)/, '');
}

/** The metadata of an API (RFC 9728 section 2). */
export function metadataDocument(api: ApiFacts): Record<string, unknown> {
  return {
    resource: api.identifier,
    authorization_servers: [api.issuer],
    ...(api.scopes.length > 0 && { scopes_supported: api.scopes }),
    bearer_methods_supported: ['header'],
    resource_name: api.name,
  };
}

/** The challenge that an API sends for a request without a token (RFC 9728 section 5.1). */
export function wwwAuthenticateOf({ identifier, scopes }: Pick<ApiFacts, 'identifier' | 'scopes'>) {
  const told = [
    ...(isWebIdentifier(identifier) ? [`resource_metadata="${metadataAddress(identifier)}"`] : []),
    ...(scopes.length > 0 ? [`scope="${scopes.join(' ')}"`] : []),
  ];
  return ['Bearer', told.join(', ')].filter(Boolean).join(' ');
}

/** The challenge, to be copied; and where there is an address for it, the metadata. */
export function publishedBlocks(api: ApiFacts): FilledBlock[] {
  const document = `${JSON.stringify(metadataDocument(api), null, 2)}\n`;
  const line = `WWW-Authenticate: ${wwwAuthenticateOf(api)}\n`;
  const challenge = block('With status 401, when a token is missing or not accepted', 'text', line);
  if (!isWebIdentifier(api.identifier)) return [challenge];
  return [
    block('Metadata, as application/json (RFC 9728)', 'json', document),
    block('Its address', 'text', `${metadataAddress(api.identifier)}\n`),
    challenge,
  ];
}

const block = (title: string, language: FilledBlock['language'], text: string): FilledBlock => ({
  title,
  language,
  text,
  fields: null,
});
