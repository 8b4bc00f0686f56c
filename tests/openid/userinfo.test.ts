import { expect, test } from 'vitest';
import { me, post, readAnswer } from '../support/app.ts';
import { openServer } from '../support/open-server.ts';
import { signIn } from './sign-in.ts';

const server = await openServer();
const { user, person, tokens } = await signIn(server);
const access_token = tokens.access_token;
const bearer = { Authorization: `Bearer ${access_token}` };

test('user information by GET with the token in the header', async () => {
  const answer = await me(server, access_token);
  expect(answer.body.sub).toBe(user.id);
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

test('user information by POST with the token in the header', async () => {
  const answer = await fetch(`${server.base}/oauth/me`, { method: 'POST', headers: bearer });
  expect((await readAnswer(answer)).body.sub).toBe(user.id);
});

test('user information by POST with the token in the body', async () => {
  expect((await post(server, '/oauth/me', { access_token })).body.sub).toBe(user.id);
});

test('user information refuses a token sent in two ways in one request', async () => {
  const answer = await post(server, '/oauth/me', { access_token }, bearer);
  expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
});

test('user information does not accept the session cookie', async () => {
  const response = await person.request('/oauth/me');
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toBe('Bearer realm="Gatehouse"');
});
