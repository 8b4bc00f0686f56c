import { expect, test } from 'vitest';
import { username } from '#lib/identity/accounts.ts';

const isName = (text: string) => username.safeParse(text).success;

test.each([
  'ada',
  'Ada',
  'jane.doe',
  'j.r.smith',
  '_ada-1',
  'müller',
  'Łukasz',
  'Ἀδά',
  'Ольга_27',
  '田中さくら-tanaka',
  'اداء',
  'सीता',
  '紫式部',
  'ｆｕｌｌ．ｗｉｄｔｈ',
  '2026',
  'a'.repeat(64),
])('a username may have letters and digits of any script and three signs: %s', (name) => {
  expect(isName(name)).toBe(true);
});

test.each([
  ['an address', 'ada@example.org'],
  ['an address by its full-width sign', 'ada＠example.org'],
  ['an address by its small sign', 'ada﹫example.org'],
  ['a link', 'https://evil.example/verify-your-account'],
  ['a link by full-width signs', 'https：／／evil.example'],
  ['a letter that becomes a slash', 'evil℀b'],
  ['what mail programs link', 'www.evil.example'],
  ['the same by full-width letters', 'ｗｗｗ．evil.example'],
  ['the same in capitals', 'WWW.evil.example'],
  ['the address of a host', '192.0.2.7'],
  ['an id of ours', '019a0b1c2d3e4f5061728394a5b6c7d8'],
  ['an id in capitals', '019A0B1C2D3E4F5061728394A5B6C7D8'],
  ['two words', 'ada lovelace'],
  ['a line break', 'ada\nbcc'],
  ['a sign that turns text round', 'ada\u202egro'],
  ['a mark without its letter', '\u0301ada'],
  ['signs alone', '._-'],
  ['nothing', ' '],
  ['too many letters', 'a'.repeat(65)],
  ['a letter that becomes eighteen, four times', 'ﷺ'.repeat(4)],
  ['letters of two scripts that look alike', 'аda'],
  ['the same, a Greek one last', 'adα'],
  ['NUL', 'a\0'],
  ['half a character', 'a\ud800'],
])('a username may not be %s', (_, name) => {
  expect(isName(name)).toBe(false);
});

test('a username is stored in the normal form in which apps compare it', () => {
  expect(username.parse(' ａｄａ．ｌ ')).toBe('ada.l');
});

test('invisible signs that were pasted along with a username go', () => {
  expect(username.parse('\u202a\u200fada\u200b\u202c')).toBe('ada');
});
