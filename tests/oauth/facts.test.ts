import { expect, test } from 'vitest';
import { shownOf } from '#lib/oauth/facts.ts';

const secret = `gh_cs_${'a1_-'.repeat(10)}`;

test.each([
  ['alone', secret],
  ['inside of a word', `id${secret}`],
  ['in an address', `https://app.example/cb?x=${secret}`],
  ['cut on the right', secret.slice(0, 20)],
])('a secret of this server is masked in logged facts: %s', (_, text) => {
  expect(shownOf(text)).toContain('[masked');
  expect(shownOf(text)).not.toContain('a1_-');
});

test('a password in a URL and a long value in its query are masked in logged facts', () => {
  const shown = shownOf(`https://ada:hunter2@app.example/cb?token=${'x'.repeat(30)}&page=2`);
  expect(shown).toBe('https://[masked]@app.example/cb?token=[masked: 30 characters]&page=2');
});

test('a long LDAP filter is shown, but a secret in it is not', () => {
  const filter = '(&(objectClass=inetOrgPerson)(|(uid=ada)(mail=ada.lovelace@example.org)))';
  expect(shownOf(`${filter} in ou=people,cn=nas (sub)`)).toBe(
    `${filter} in ou=people,cn=nas (sub)`,
  );
  expect(shownOf('(&(uid=ada)(cn=gh_cs_abcdef))')).toBe('(&(uid=ada)(cn=[masked: 12 characters]))');
});

test('logged facts replace bidirectional and control characters, and long text is cut', () => {
  expect(shownOf('a\u202eb\0c')).toBe('a\ufffdb\ufffdc');
  expect(shownOf('x'.repeat(5000))).toHaveLength(501);
});
