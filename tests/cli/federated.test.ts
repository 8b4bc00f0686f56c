import { beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../support/database.ts';
import { cli, failure, json } from './command-line.ts';

beforeAll(async () => {
  Object.assign(process.env, {
    DATABASE_URL: await createDatabase('sqlite'),
    SERVER_SECRET: 's'.repeat(32),
    BCRYPT_COST: '4',
  });
});

const issuer = 'https://token.actions.githubusercontent.com';
const claims = { sub: 'repo:acme/site:environment:production' };
const option = (rule: unknown) => ['--federated-credential', JSON.stringify(rule)];
const create = ['client', 'create', '--name', 'Deploy', '--grant', 'client_credentials'];

test('client --federated-credential: an app is created without a secret, shown, and given a secret again', async () => {
  const made = await json([...create, ...option({ issuer, claims })]);
  const whole = [{ issuer, claims, keys: null, reusable: false }];
  expect(made.federated_credentials).toEqual(whole);
  expect(made).not.toHaveProperty('client_secret');
  const id = String(made.client_id);
  const more = { issuer: 'https://cluster.example', claims: { sub: 'a' }, reusable: true };
  const both = [...option({ issuer, claims }), ...option(more)];
  const changed = await json(['client', 'update', id, ...both]);
  expect(changed.federated_credentials).toEqual([...whole, { ...more, keys: null }]);
  const { stdout } = await cli(['client', 'show', id]);
  expect(stdout).toMatch(/federated_credentials +.*token\.actions.*cluster\.example/);
  const plain = await json(['client', 'update', id, '--federated-credential', 'none']);
  expect(plain.federated_credentials).toEqual([]);
  expect(plain.client_secret).toMatch(/^gh_cs_/);
});

test('client --federated-credential: a rule that cannot be right is refused in a sentence', async () => {
  expect(
    await failure([...create, ...option({ issuer, claims: { ref: 'refs/heads/main' } })]),
  ).toMatch(/Anyone can get JWTs of/);
  expect(await failure([...create, ...option({ issuer })])).toBe(
    'federated_credentials[0].claims is missing.',
  );
  expect(await failure([...create, '--federated-credential', '{'])).toContain('takes JSON');
  const both = [...option({ issuer, claims }), '--jwks-uri', 'https://app.example/keys'];
  expect(await failure([...create, ...both])).toContain('not by both');
});
