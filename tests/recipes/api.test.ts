import { describe, expect, test } from 'vitest';
import { isIdentifier, tokenFormats } from '#lib/oauth/api.ts';
import { checkersOf } from '#lib/recipes/api/checkers.ts';
import {
  type ApiFacts,
  metadataAddress,
  metadataDocument,
  publishedBlocks,
  wwwAuthenticateOf,
} from '#lib/recipes/api/published.ts';

const api: ApiFacts = {
  issuer: 'https://id.example.org',
  identifier: 'https://mcp.example.org/mcp',
  name: 'Files',
  scopes: ['files:read', 'files:write'],
  tokenFormat: 'jwt',
};
const formats = tokenFormats;

test.each([
  ['https://h.example', 'https://h.example/.well-known/oauth-protected-resource'],
  ['https://h.example/', 'https://h.example/.well-known/oauth-protected-resource'],
  ['https://h.example/mcp', 'https://h.example/.well-known/oauth-protected-resource/mcp'],
  ['https://h.example:8/a/b/', 'https://h.example:8/.well-known/oauth-protected-resource/a/b/'],
  ['https://h.example/mcp?x=1', 'https://h.example/.well-known/oauth-protected-resource/mcp?x=1'],
  ['https://h.example/?x=1', 'https://h.example/.well-known/oauth-protected-resource?x=1'],
  ['https://h.example?x=1', 'https://h.example/.well-known/oauth-protected-resource?x=1'],
])(
  'the protected resource metadata of %s are at %s (RFC 9728 section 3.1)',
  (identifier, address) => {
    expect(metadataAddress(identifier)).toBe(address);
  },
);

test('the protected resource metadata name the authorization server and the identifier (RFC 9728 section 2)', () => {
  expect(metadataDocument(api)).toEqual({
    resource: api.identifier,
    authorization_servers: [api.issuer],
    scopes_supported: api.scopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Files',
  });
  expect(metadataDocument({ ...api, scopes: [] })).not.toHaveProperty('scopes_supported');
  const [document] = publishedBlocks({ ...api, name: '„Täglich“ "</script>' });
  expect(JSON.parse(document?.text ?? '')).toMatchObject({ resource_name: '„Täglich“ "</script>' });
});

test('the WWW-Authenticate challenge has resource_metadata, and the scopes if there are any', () => {
  const address = 'https://mcp.example.org/.well-known/oauth-protected-resource/mcp';
  expect(wwwAuthenticateOf(api)).toBe(
    `Bearer resource_metadata="${address}", scope="files:read files:write"`,
  );
  expect(wwwAuthenticateOf({ ...api, scopes: [] })).toBe(`Bearer resource_metadata="${address}"`);
});

describe.each(formats)('sample programs that check %s tokens', (tokenFormat) => {
  test('are in four languages, complete and without a gap', () => {
    const checkers = checkersOf({ ...api, tokenFormat });
    expect(checkers.map(({ language }) => language)).toEqual([
      'TypeScript',
      'Python',
      'Go',
      'Java',
    ]);
    for (const { text, id } of checkers) {
      expect(text).toContain(api.identifier);
      expect(text.includes('/oauth/introspect')).toBe(tokenFormat === 'opaque');
      expect(text.includes('at+jwt')).toBe(tokenFormat === 'jwt');
      expect(text, 'ends with one line break').toMatch(/\S\n$/);
      expect(text).not.toMatch(/\[object|\$\{|\bNaN\b|: undefined|[ \t]$/m);
      if (id !== 'go') expect(text).not.toContain('\t');
    }
  });

  test('are correct with every character that identifiers and scopes allow', () => {
    const identifier = "https://h.example/a'b$(id);%7B!*,:@&=+~?c=(d)";
    expect(isIdentifier(identifier)).toBe(true);
    const scopes = ["it's", '#{1}', '*/', '`id`', '</script>'];
    for (const { text } of checkersOf({ ...api, tokenFormat, identifier, scopes })) {
      const lines = text.split('\n').filter((line) => line.includes('https://h.example/'));
      expect(lines.length).toBeGreaterThan(0);
      // Each value is in double quotes, which no identifier and no scope contains.
      for (const line of lines)
        expect(line).toMatch(/"(?:Bearer resource_metadata=\\"https|https):/);
      expect(text).not.toContain('</script>');
    }
  });
});
