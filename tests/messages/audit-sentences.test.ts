import { expect, test } from 'vitest';
import { auditSentence } from '#lib/messages/admin/audit.ts';
import { auditTypes } from '#lib/store/audit-entry.ts';

const event = (type: string, actor: string | null, detail: Record<string, unknown> = {}) =>
  auditSentence({ type, actor, userId: 'ada', detail });
const holesIn = (sentence: string): string[] => sentence.match(/\{\w+\}/g) ?? [];

test('what somebody did to their own account names them once', () => {
  for (const type of auditTypes) {
    const holes = holesIn(event(type, 'ada'));
    expect(holes.includes('{who}') && holes.includes('{person}'), type).toBe(false);
  }
  expect(event('factor.removed', 'ada', { kind: 'passkey' })).toBe(
    '{person} removed their passkey',
  );
  expect(event('factor.removed', 'ada', { kind: 'constructor' })).toBe(
    '{person} removed a second step',
  );
});

test('what somebody else did names both', () => {
  expect(event('factor.removed', 'cli', { kind: 'passkey' })).toBe(
    '{who} removed a second step for {person}',
  );
  expect(event('user.admin-changed', 'grace', { admin: true })).toBe(
    '{who} made {person} an admin',
  );
  expect(event('session.ended', 'grace', { everywhere: true })).toBe(
    '{who} signed {person} out everywhere',
  );
});

test('an event of a later version is its type', () => {
  expect(event('teapot.boiled', 'ada')).toBe('teapot.boiled');
});
