import { expect, test } from 'vitest';
import { auditSentence } from '#app/admin/audit/audit-sentence.ts';
import { changesIn, factLabel, writtenFact } from '#app/admin/audit/facts.ts';
import { piecesIn, textIn } from '#lib/messages/text.ts';
import { auditTypes } from '#lib/store/audit-entry.ts';

const event = (type: string, actor: string | null, detail: Record<string, unknown> = {}) =>
  auditSentence({ type, actor, userId: 'ada', detail });

/** The sentence about an event, with the names of its placeholders. */
function sentence(...[type, actor, detail]: Parameters<typeof event>): string {
  const key = event(type, actor, detail);
  if (key === null) return type;
  return piecesIn('en', key)
    .map((piece) => (typeof piece === 'object' && 'hole' in piece ? `{${piece.hole}}` : piece))
    .join('');
}

const holesIn = (said: string): string[] => said.match(/\{\w+\}/g) ?? [];

test('the audit sentence of a user’s own act names the user once', () => {
  for (const type of auditTypes) {
    const holes = holesIn(sentence(type, 'ada'));
    expect(holes.includes('{who}') && holes.includes('{person}'), type).toBe(false);
  }
  expect(sentence('factor.removed', 'ada', { kind: 'passkey' })).toBe(
    '{person} removed their passkey',
  );
  expect(sentence('factor.removed', 'ada', { kind: 'constructor' })).toBe(
    '{person} removed a second step',
  );
});

test('the audit sentence of another actor’s act names both', () => {
  expect(sentence('factor.removed', 'cli', { kind: 'passkey' })).toBe(
    '{who} removed a second step for {person}',
  );
  expect(sentence('user.admin-changed', 'grace', { admin: true })).toBe(
    '{who} made {person} an admin',
  );
  expect(sentence('session.ended', 'grace', { everywhere: true })).toBe(
    '{who} signed {person} out everywhere',
  );
});

test('an audit event of a later version has no sentence', () => {
  expect(event('teapot.boiled', 'ada')).toBeNull();
  for (const type of auditTypes) expect.soft(event(type, 'grace'), type).not.toBeNull();
});

test('an audit event says what changed from what to what, with labels in words', () => {
  const [en, de] = [textIn('en'), textIn('de')];
  const setting = { name: 'REQUIRE_PKCE', before: 'off', after: 'on' };
  expect(changesIn(en, { type: 'setting.changed', detail: setting })).toEqual([
    { label: '', change: 'off → on' },
  ]);
  const detail = {
    id: 'wiki',
    redirectUris: { before: [], after: ['https://a.example/', 'https://b.example/'] },
    requirePkce: { before: false, after: true },
  };
  const told = changesIn(de, { type: 'client.updated', detail });
  expect(told.map(({ label, change }) => `${label}: ${change}`)).toEqual([
    'Redirect-URIs: nichts → https://a.example/, https://b.example/',
    'Require PKCE: Nein → Ja',
  ]);
  expect(['id', 'event', 'sectorUri', 'jwksUri'].map((name) => factLabel(en, name))).toEqual([
    'ID',
    'Event ID',
    'Sector URI',
    'JWKS URI',
  ]);
  expect(writtenFact(en, { nested: [1] })).toBe('{"nested":[1]}');
});
