import { describe, expect, test } from 'vitest';
import type { Api } from '#lib/oauth/api.ts';
import { parseForm } from '#lib/oauth/params.ts';
import { checkGrantedResources, checkResources, readResources } from '#lib/oauth/resource.ts';
import { askedIn, checkTarget, lifeFor } from '#lib/oauth/token-target.ts';
import { outcome } from './outcome.ts';

const api = (identifier: string, more: Partial<Api> = {}): Api => ({
  id: identifier,
  identifier,
  name: 'API',
  description: null,
  tokenFormat: 'opaque',
  accessTokenTtl: null,
  access: 'admins',
  scopes: [],
  askedBy: [],
  servedBy: [],
  ...more,
});
const scope = (name: string) => ({ name, description: name, translations: {} });
const mcp = api('https://mcp.example.org/mcp', { scopes: [scope('read')] });
const notes = api('https://notes.example', { scopes: [scope('write')] });
const jwt = api('https://jwt.example/', { tokenFormat: 'jwt', scopes: [scope('sign')] });

const listed = api('https://listed.example', { access: 'listed', askedBy: ['known'] });
const open = api('https://open.example', { access: 'anyone' });
const apis = [mcp, notes, jwt, listed, open];
const client = { id: 'c', origin: 'admin' } as const;
const [loose, strict] = [{ refuseUnknownResource: false }, { refuseUnknownResource: true }];

/** The identifiers, or the rule that refused. */
function asked(
  values: string[],
  settings = loose,
  who: Parameters<typeof checkResources>[1] = client,
) {
  return outcome(() => identifiersOf(checkResources(values, who, apis, settings).apis));
}
const identifiersOf = (some: readonly Api[]) => some.map(({ identifier }) => identifier);

test('a repeated resource parameter counts each value once, and an empty one not at all', () => {
  const params = parseForm('resource=a&resource=&resource=b&resource=a&scope=c');
  expect(readResources(params)).toEqual(['a', 'b']);
  expect(readResources(parseForm('resource='))).toEqual([]);
});

test('a plain name counts only while an API has it', () => {
  const plain = api('rabbitmq');
  const named = (known: Api[]) =>
    outcome(() => identifiersOf(checkResources(['rabbitmq'], client, known, loose).apis));
  expect(named([plain])).toEqual(['rabbitmq']);
  expect(named([mcp])).toBe('invalid_target resource.malformed');
});

describe('the API that a resource parameter names (RFC 8707)', () => {
  test.each([
    ['https://mcp.example.org/mcp', mcp],
    ['https://mcp.example.org/mcp/', mcp],
    ['https://MCP.example.org/mcp', mcp],
    ['HTTPS://mcp.example.org/mcp', mcp],
    ['https://notes.example', notes],
    ['https://notes.example/', notes],
    ['https://jwt.example', jwt],
    ['https://open.example', open],
  ])('%s', (value, one) => {
    expect(asked([value])).toEqual([one.identifier]);
  });

  test.each([
    'https://mcp.example.org/MCP',
    'https://mcp.example.org/mcp//',
    'https://mcp.example.org/mcp/tools',
    'https://mcp.example.org',
    'http://mcp.example.org/mcp',
    'https://mcp.example.org:8443/mcp',
    'https://mcp.example.org/mcp?a',
    'https://notes.example.evil.example',
    'https://notes.example@evil.example',
  ])('%s is no API', (value) => {
    expect(asked([value])).toEqual([]);
    expect(asked([value], strict)).toBe('invalid_target resource.unknown');
    expect(asked([value, mcp.identifier])).toEqual([mcp.identifier]);
  });

  test.each([
    '',
    'mcp',
    '/mcp',
    '//mcp.example.org/mcp',
    'https://mcp.example.org/mcp#',
    'https://a b',
    'https://a\n',
    'https://',
    'x:',
  ])('malformed: %j', (value) => {
    expect(asked([value])).toBe('invalid_target resource.malformed');
  });

  test('is one API if two spellings name the same', () => {
    expect(asked(['https://notes.example', 'https://notes.example/'])).toEqual([notes.identifier]);
  });
});

describe('the clients that may request an API', () => {
  test.each([
    ['listed', listed, client, false],
    ['listed, and the client is', listed, { id: 'known', origin: 'admin' }, true],
    ['listed, though it registered itself', listed, { id: 'known', origin: 'registration' }, true],
    ['those that admins made', mcp, client, true],
    ['those that admins made', mcp, { id: 'c', origin: 'document' }, false],
    ['anyone', open, { id: 'c', origin: 'registration' }, true],
  ] as const)('%s', (_, { identifier }, who, may) => {
    expect(asked([identifier], loose, who)).toEqual(
      may ? [identifier] : 'invalid_target resource.not-allowed',
    );
  });
});

describe('the APIs of a token request within its authorization (RFC 8707 section 2.2)', () => {
  const granted = (of: Api[], values: string[], settings = loose, known: Api[] = apis) => {
    const how = { client, apis: known, settings };
    return outcome(() => identifiersOf(checkGrantedResources(values, identifiersOf(of), how).apis));
  };

  test('are all that were granted, or those that resource names', () => {
    expect(granted([mcp, notes], [])).toEqual([mcp.identifier, notes.identifier]);
    expect(granted([mcp, notes], ['https://NOTES.example/'])).toEqual([notes.identifier]);
    expect(granted([], [])).toEqual([]);
  });

  test('are refused if they were not granted', () => {
    const refused = 'invalid_target resource.not-granted';
    expect(granted([mcp], [notes.identifier])).toBe(refused);
    expect(granted([mcp], [mcp.identifier, notes.identifier])).toBe(refused);
    expect(granted([], [mcp.identifier])).toBe(refused);
  });

  test('unknown ones are ignored beside a granted one or if none was granted, and refused alone', () => {
    const unknown = 'https://unknown.example';
    expect(granted([mcp], [unknown])).toBe('invalid_target resource.not-granted');
    expect(granted([mcp], [unknown, mcp.identifier])).toEqual([mcp.identifier]);
    expect(granted([], [unknown])).toEqual([]);
    expect(granted([], [unknown], strict)).toBe('invalid_target resource.unknown');
    expect(granted([mcp], [unknown, mcp.identifier], strict)).toBe(
      'invalid_target resource.unknown',
    );
  });

  test('removed or closed ones are left out, and the request is refused if none is left', () => {
    expect(granted([mcp, notes], [], loose, [mcp])).toEqual([mcp.identifier]);
    expect(granted([mcp, notes], [], loose, [])).toBe('invalid_target resource.not-allowed');
    expect(granted([listed], [])).toBe('invalid_target resource.not-allowed');
    expect(granted([listed], [listed.identifier])).toBe('invalid_target resource.not-allowed');
  });
});

describe('the scope of an access token for APIs', () => {
  const known = { apis, scopes: new Set(['profile', 'openid']) };
  const target = (query: string, resources: Api[], whole: string, wanted = whole) =>
    checkTarget(
      { params: parseForm(query), client, known, settings: loose },
      { scope: whole, resources: resources.map(({ identifier }) => identifier).join(' ') },
      wanted,
    );
  const at = ({ identifier }: Api) => `resource=${encodeURIComponent(identifier)}`;

  test('has the scopes of its APIs and of the server', () => {
    const whole = 'openid read profile write';
    expect(target('', [mcp, notes], whole)).toMatchObject({ scope: whole, narrowed: false });
    expect(target(at(mcp), [mcp, notes], whole)).toMatchObject({
      scope: 'openid read profile',
      narrowed: true,
    });
    expect(target(at(notes), [mcp, notes], whole, 'read write')).toMatchObject({
      scope: 'write',
      narrowed: true,
    });
    expect(target(at(mcp), [mcp, notes], '')).toMatchObject({ scope: '', narrowed: true });
  });

  test('loses a scope that its API no longer has', () => {
    expect(target('', [mcp], 'read gone')).toMatchObject({ scope: 'read', narrowed: true });
  });

  test('is unchanged without an API', () => {
    expect(target('', [], 'read gone')).toMatchObject({ scope: 'read gone', narrowed: false });
  });

  test('is for one API alone if it is a JWT', () => {
    const error = expect.objectContaining({ code: 'invalid_target' });
    expect(() => target('', [mcp, jwt], 'read sign')).toThrow(error);
    expect(target(at(jwt), [mcp, jwt], 'read sign').scope).toBe('sign');
    expect(target(at(mcp), [mcp, jwt], 'read sign').scope).toBe('read');
  });
});

test('a repeated refresh compares scope and resource, in any order', () => {
  expect(askedIn(parseForm(''))).toBeNull();
  expect(askedIn(parseForm('scope=a'))).toBe('a');
  const both = askedIn(parseForm('resource=x&resource=y'));
  expect(askedIn(parseForm('resource=y&resource=x'))).toBe(both);
  const others = ['resource=x', 'resource=x&resource=y&scope=a', 'scope=x+y', 'scope=a'];
  for (const query of others) expect(askedIn(parseForm(query))).not.toBe(both);
});

test('the lifetime of an access token is the shortest of its APIs, with limits for JWTs', () => {
  expect(lifeFor([], 3600)).toBe(3600);
  expect(lifeFor([mcp], 3600)).toBe(3600);
  expect(lifeFor([mcp, api('https://a.example', { accessTokenTtl: 5 })], 3600)).toBe(5);
  expect(lifeFor([jwt], 3600)).toBe(600);
  expect(lifeFor([{ ...jwt, accessTokenTtl: 10 ** 7 }], 3600)).toBe(24 * 3600);
});
