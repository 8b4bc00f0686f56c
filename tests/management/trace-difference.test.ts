import { expect, test } from 'vitest';
import { differenceFrom } from '#app/ui/attempts/difference.ts';

const registered = ['https://app.example/callback', 'http://127.0.0.1:4380/callback'];

test.each([
  ['https://app.example/cb', ['https://app.example/c', 'b', '']],
  ['https://app.example/callback/', ['https://app.example/callback', '/', '']],
  ['http://app.example/callback', ['http', '', '://app.example/callback']],
  ['http://127.0.0.1:4381/callback', ['http://127.0.0.1:438', '1', '/callback']],
  ['https://app.example/callback', ['https://app.example/callback', '', '']],
])('the difference of %s from the registered addresses', (text, [before, differing, after]) => {
  expect(differenceFrom(text, registered)).toEqual({ before, differing, after });
});

test.each([
  ['groups', ['openid', 'profile', 'email', 'offline_access']],
  ['client_credentials', ['authorization_code', 'refresh_token']],
  ['profiles', ['profile']],
])('the difference of the name %s from known names is the whole name', (name, known) => {
  expect(differenceFrom(name, known)).toEqual({ before: '', differing: name, after: '' });
});

test('the difference from an empty list is the whole value', () => {
  expect(differenceFrom('x', [])).toEqual({ before: '', differing: 'x', after: '' });
});
