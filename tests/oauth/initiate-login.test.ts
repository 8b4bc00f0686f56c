import { expect, test } from 'vitest';
import { initiateLoginAt } from '#lib/oauth/initiate-login.ts';

const at = (uri: string, hint = 'ada') => initiateLoginAt(uri, 'https://id.example/a', hint);
const added = 'iss=https%3A%2F%2Fid.example%2Fa&login_hint=ada';

test.each([
  ['https://app.example/start', `https://app.example/start?${added}`],
  ['https://app.example', `https://app.example?${added}`],
  ['https://app.example/s?', `https://app.example/s?${added}`],
  ['https://app.example/s?a=1&', `https://app.example/s?a=1&${added}`],
  // The address's own query is not re-encoded.
  [
    'https://app.example/s?a=b+c%20d&a=%C3%A9&x',
    `https://app.example/s?a=b+c%20d&a=%C3%A9&x&${added}`,
  ],
  ['https://app.example/s?a=b?c', `https://app.example/s?a=b?c&${added}`],
])('initiate_login_uri %s gets iss and login_hint as parameters', (uri, address) => {
  expect(at(uri)).toBe(address);
});

test('login_hint at initiate_login_uri is escaped and stays one parameter', () => {
  const { searchParams } = new URL(at('https://app.example/s?a=1', 'a&iss=evil#é+ @x'));
  expect(searchParams.getAll('login_hint')).toEqual(['a&iss=evil#é+ @x']);
  expect(searchParams.getAll('iss')).toEqual(['https://id.example/a']);
});
