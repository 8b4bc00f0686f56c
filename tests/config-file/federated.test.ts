import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { exportFile } from '#lib/config-file/export.ts';
import { showClient } from '#lib/management/client/clients.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { apply, faultsOf, planFor } from './files.ts';

const file = (rule: string) => `
apps:
  deploy:
    name: Deploy
    grants: [client_credentials]
    scopes: [profile]
    federated_credentials:
      - ${rule}
`;
const github =
  'issuer: https://token.actions.githubusercontent.com\n        claims: {sub: "repo:acme/site:environment:production"}';
const cluster =
  '{issuer: https://cluster.example, claims: {sub: "system:serviceaccount:shop:worker"}, keys: https://keys.example/jwks, reusable: true}';

onEachDatabase(() => {
  test('an app with federated credentials in the configuration file needs no secret, and is exported unchanged', async () => {
    const text = file(`${github}\n      - ${cluster}`);
    await apply(text);
    expect((await showClient('deploy')).federatedCredentials).toEqual([
      {
        issuer: 'https://token.actions.githubusercontent.com',
        claims: { sub: 'repo:acme/site:environment:production' },
        keys: null,
        reusable: false,
      },
      {
        issuer: 'https://cluster.example',
        claims: { sub: 'system:serviceaccount:shop:worker' },
        keys: 'https://keys.example/jwks',
        reusable: true,
      },
    ]);
    const { text: exported } = await exportFile({ withHashes: false });
    const { apps } = parse(exported) as { apps: { deploy: Record<string, unknown> } };
    expect(apps.deploy.federated_credentials).toEqual(
      parse(text).apps.deploy.federated_credentials,
    );
    expect(apps.deploy).not.toHaveProperty('secret');
    expect((await planFor(exported)).changes).toEqual([]);
  });

  test.each([
    ['{issuer: https://cluster.example, claims: {}}', /at least one claim/],
    ['{issuer: https://cluster.example, claims: {sub: "*"}}', /would let in others/],
    ['{issuer: cluster.example, claims: {sub: a}}', /not an issuer/],
    ['{issuer: https://cluster.example}', /federated_credentials/],
  ])(
    'federated credentials %s in the configuration file are refused with their line',
    async (rule, says) => {
      expect((await faultsOf(file(rule))).join('\n')).toMatch(says);
    },
  );
});
