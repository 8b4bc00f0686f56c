import { describe, expect, test } from 'vitest';
import { type ClientOrigin, newClient } from '#lib/oauth/client.ts';
import type { PageRefusal } from '#lib/oauth/errors.ts';
import { checkRedirectUri } from '#lib/oauth/redirect-uri.ts';
import { shownSelfGivenName } from '#lib/oauth/self-given-name.ts';
import { resolveSettings } from '#lib/settings/table.ts';

const own = ['Gatehouse', 'Acme'];

describe('the name of an app that registered itself', () => {
  test.each([
    'Claude Code',
    'Приложение',
    'Ημερολόγιο',
    'メモ帳 Notes',
    'Gate to the house',
    'Café à la carte',
    '',
  ])('%s is shown', (name) => expect(shownSelfGivenName(name, own)).toBe(name));

  test.each([
    ['our name', 'Gatehouse'],
    ['within others', 'Gatehouse Account Security'],
    ['in capitals, spread out', 'G A T E - H O U S E'],
    ['with accents', 'Gâtéhöusè'],
    ['in full width', 'Ｇａｔｅｈｏｕｓｅ'],
    ['with digits', 'G4teh0use'],
    ['with Cyrillic letters', 'Gаtеhоusе'],
    ['a short name of ours, itself', 'ACME'],
  ])('is not shown: %s', (_, name) => expect(shownSelfGivenName(name, own)).toBeNull());

  test.each(['Pаypal', 'Αpple', 'Gооgle Drive'])('is not shown with mixed scripts: %s', (name) =>
    expect(shownSelfGivenName(name, own)).toBeNull(),
  );

  test('is shown if a short name of this server is only part of a word', () => {
    expect(shownSelfGivenName('Happy', ['App'])).toBe('Happy');
    expect(shownSelfGivenName('app', ['App'])).toBeNull();
  });
});

test('the error page for a redirect URI shows the host of an app that registered itself, not its name', () => {
  const facts = { id: 'id', host: 'evil.example', secretHashes: [], disabled: false, epoch: 0 };
  const named = {
    ...newClient,
    name: 'Gatehouse Security',
    redirectUris: ['https://evil.example/'],
  };
  const params = new Map([['redirect_uri', ['https://other.example/']]]);
  const nameFor = (origin: ClientOrigin) => {
    try {
      checkRedirectUri(params, { ...named, ...facts, origin }, resolveSettings({}, {}));
    } catch (error) {
      return (error as PageRefusal).asked?.client.name;
    }
    return expect.fail();
  };
  expect(nameFor('registration')).toBe('evil.example');
  expect(nameFor('document')).toBe('evil.example');
  expect(nameFor('admin')).toBe('Gatehouse Security');
});
