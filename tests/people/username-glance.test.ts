import { describe, expect, test } from 'vitest';
import { usernameGlance } from '#lib/people/username-glance.ts';

describe('usernames that look the same have the same glance', () => {
  test.each([
    ['all letters of another script', 'асе', 'ace'],
    ['Cyrillic capitals', 'ВОВ', 'Bob'],
    ['Greek letters', 'ανα', 'ava'],
    ['Lisu letters', 'ꓮꓡꓲꓐ', 'ALIB'],
    ['capital I for l', 'aIice', 'alice'],
    ['1 for l', 'a1ice', 'alice'],
    ['Ian and lan', 'Ian', 'lan'],
    ['0 for o', 'b0b', 'bob'],
    ['a round digit of another script', 'b০b', 'bob'],
    ['rn for m', 'arny', 'amy'],
    ['vv for w', 'andrevv', 'andrew'],
    ['several at once', 'vviIliarn', 'william'],
    ['a letter that is not seen', 'ada\u3164', 'ada'],
    ['a mark that is not seen', 'ada\ufe0f', 'ada'],
    ['a second dot', 'i\u0307an', 'ian'],
    ['full width', 'ａｄａ', 'ada'],
    ['Katakana for a Chinese character', 'タ子', '夕子'],
  ])('%s: %s, %s', (_, one, other) => {
    expect(usernameGlance(one)).toBe(usernameGlance(other));
  });
});

describe('usernames that can be told apart have different glances', () => {
  test.each([
    ['ian', 'lan'],
    ['IAN', 'LAN'],
    ['josé', 'jose'],
    ['müller', 'muller'],
    ['clara', 'dara'],
    ['Тома', 'Toma'],
    ['Анна', 'Ahha'],
    ['anna2', 'anna3'],
    ['a.lee', 'alee'],
    ['a_lee', 'a-lee'],
    ['alex4', 'alexa'],
    ['さくら', 'サクラ'],
  ])('%s, %s', (one, other) => {
    expect(usernameGlance(one)).not.toBe(usernameGlance(other));
  });
});

test('a username without visible characters has an empty glance', () => {
  expect(usernameGlance('\u3164\u115f')).toBe('');
});
