import { describe, expect, test } from 'vitest';
import { dnKey } from '#lib/identity/directory/dn.ts';
import { bytesOf, entryIdOf, guidOf, textsOf } from '#lib/identity/directory/entry.ts';

describe('an LDAP objectGUID', () => {
  // As Windows displays these bytes ([MS-DTYP] section 2.3.4).
  const bytes = Buffer.from('33221100554477668899aabbccddeeff', 'hex');
  const guid = '00112233-4455-6677-8899-aabbccddeeff';

  test('is read and searched for with its first three parts in reverse byte order', () => {
    expect(guidOf(bytes)).toBe(guid);
    expect(bytesOf(guid)).toEqual(bytes);
    expect(entryIdOf('objectGUID', [bytes])).toBe(guid);
  });

  test.each([
    ['objectGUID', [guid]],
    ['objectGUID', [bytes.subarray(1)]],
    ['objectGUID', [bytes, bytes]],
    ['entryUUID', []],
    ['entryUUID', ['']],
    ['entryUUID', ['ada']],
    ['entryUUID', [guid, guid]],
  ])('only a single valid value of %s is an id, not %j', (attribute, values) => {
    expect(entryIdOf(attribute, values)).toBeNull();
  });

  test('an entryUUID is the same in capital letters', () => {
    expect(entryIdOf('entryUUID', [guid.toUpperCase()])).toBe(guid);
  });
});

test('an LDAP value that is not text is ignored', () => {
  const entry = { dn: 'cn=a', mail: ['a@example.org', 'b\0', Buffer.from([0xff])] };
  expect(textsOf(entry as never, 'Mail')).toEqual(['a@example.org']);
});

describe('an LDAP distinguished name', () => {
  test.each([
    ['cn=Staff, OU=Groups ,dc = example', 'CN=staff,ou=groups,DC=example'],
    ['cn=a\\,b,dc=x', 'cn=a\\2cb,dc=x'],
    ['cn=a\\+b=c,dc=x', 'CN=A\\2Bb=c, dc=x'],
  ])('%s is the same as %s', (one, other) => {
    expect(dnKey(one)).toBe(dnKey(other));
  });

  test.each([
    ['cn=a,b=c,dc=x', 'cn=a\\,b=c,dc=x'],
    ['cn=a,dc=x', 'cn=a,dc=y'],
  ])('%s is different from %s', (one, other) => {
    expect(dnKey(one)).not.toBe(dnKey(other));
  });
});
