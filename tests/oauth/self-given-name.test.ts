import { describe, expect, test } from 'vitest';
import { shownSelfGivenName } from '#lib/oauth/self-given-name.ts';

const own = ['Gatehouse', 'Acme'];

describe('the name an app gives itself', () => {
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

  test.each(['Pаypal', 'Αpple', 'Gооgle Drive'])('%s mixes scripts in a word', (name) =>
    expect(shownSelfGivenName(name, own)).toBeNull(),
  );

  test('a short name of ours is not found in harmless words', () => {
    expect(shownSelfGivenName('Happy', ['App'])).toBe('Happy');
    expect(shownSelfGivenName('app', ['App'])).toBeNull();
  });
});
