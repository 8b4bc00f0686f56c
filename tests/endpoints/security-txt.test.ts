import { describe, expect, test } from 'vitest';
import { parseConfig } from '#lib/config.ts';
import { openServer } from '../support/open-server.ts';

const contact = 'mailto:security@example.org';
const server = await openServer({ SECURITY_CONTACT: contact });
const silent = await server.another();
const path = '/.well-known/security.txt';

const secret = { SERVER_SECRET: 'a secret of the tests, worth nothing elsewhere' };
const parse = (SECURITY_CONTACT: string) =>
  parseConfig({ ...secret, SECURITY_CONTACT }).securityContact;

/** The fields of RFC 9116, each of which must appear once. */
function fieldsOf(text: string): Record<string, string> {
  const lines = text.trimEnd().split('\n');
  const fields = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s, 2)));
  expect(Object.keys(fields)).toHaveLength(lines.length);
  return fields;
}

describe('security.txt (RFC 9116)', () => {
  test('names the contact, an expiry within a year, the languages and its own address', async () => {
    const answer = await fetch(server.base + path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const { Expires = '', ...fields } = fieldsOf(await answer.text());
    expect(fields).toEqual({
      Contact: contact,
      'Preferred-Languages': 'en, en-GB, de',
      Canonical: `${server.issuer}${path}`,
    });
    expect(Expires).toMatch(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/);
    const days = (new Date(Expires).getTime() - Date.now()) / 86_400_000;
    // Section 2.5.5: less than a year.
    expect(days).toBeGreaterThan(30);
    expect(days).toBeLessThan(365);
  });

  test('HEAD is GET without the body, other methods are 405', async () => {
    const head = await fetch(server.base + path, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const answer = await fetch(server.base + path, { method });
      expect([method, answer.status]).toEqual([method, 405]);
      expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    }
  });

  test('is 404 without SECURITY_CONTACT', async () => {
    const answer = await fetch(silent.base + path);
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain('Contact:');
    expect((await fetch(silent.base + path, { method: 'HEAD' })).status).toBe(404);
  });
});

describe('SECURITY_CONTACT', () => {
  test.each([
    contact,
    'mailto:a.b+c@sub.example.org?subject=Gatehouse',
    'https://example.org/security',
    'https://example.org:8443/report?of=id#form',
  ])('%s is accepted', (text) => {
    expect(parse(text)).toBe(text);
  });

  test.each([
    ['http://example.org/security', 'has to be where'],
    ['tel:+49-30-1234', 'has to be where'],
    ['javascript:alert(1)', 'has to be where'],
    ['mailto:', 'has to be where'],
    ['mailto:nobody', 'has to be where'],
    ['mailto:a@b.example, mailto:c@d.example', 'has to be where'],
    ['https://', 'has to be where'],
    ['https://user:password@example.org/', 'has to be where'],
    ['https://example.org/\nContact: mailto:other@example.org', 'has to be where'],
    ['mailto:security@example.org\r\nExpires: 2000-01-01T00:00:00Z', 'has to be where'],
    [`https://example.org/${'x'.repeat(5000)}`, 'has to be where'],
    ['https://bücher.example/', 'has to be where'],
    ['security@example.org', 'Set SECURITY_CONTACT=mailto:security@example.org.'],
  ])('%s stops the start', (text, says) => {
    expect(() => parse(text)).toThrow(says);
    expect(() => parse(text)).toThrow(/^SECURITY_CONTACT is ".{1,400}$/s);
  });

  test('an empty value counts as unset', () => {
    expect(parse('')).toBeNull();
  });
});
