import { describe, expect, test } from 'vitest';
import type { FederatedCredential } from '#lib/oauth/client.ts';
import { federatedFault, fitsRule } from '#lib/oauth/federated-credential.ts';

const github = 'https://token.actions.githubusercontent.com';
const own = 'https://issuer.example';
const rule = (more: Partial<FederatedCredential> = {}): FederatedCredential => ({
  issuer: own,
  keys: null,
  claims: { sub: 'system:serviceaccount:shop:worker' },
  reusable: false,
  ...more,
});
const faultOf = (more: Partial<FederatedCredential>) => federatedFault([rule(more)])?.english;

describe('the claim of a federated credential rule', () => {
  test.each([
    ['acme/site', 'acme/site', true],
    ['acme/site', 'acme/site2', false],
    ['acme/site', 'ACME/site', false],
    ['acme/site', ' acme/site', false],
    ['repo:acme/site:*', 'repo:acme/site:ref:refs/heads/main', true],
    ['repo:acme/site:*', 'repo:acme/site:', true],
    ['repo:acme/site:*', 'repo:acme/site2:ref:refs/heads/main', false],
    ['repo:acme/site:*', 'evil repo:acme/site:x', false],
    ['acme/site', ['acme/site'], false],
    ['1', 1, false],
    ['true', true, false],
    ['x', undefined, false],
    ['x', null, false],
  ])('%s against the claim %j: %s', (wanted, said, fits) => {
    expect(fitsRule(wanted, said)).toBe(fits);
  });
});

describe('federated credential rules that are refused', () => {
  test.each([
    ['an issuer without TLS', { issuer: 'http://issuer.example' }, /not an issuer/],
    ['an issuer with a query', { issuer: `${own}?x` }, /not an issuer/],
    ['an issuer with a password', { issuer: 'https://a:b@issuer.example' }, /not an issuer/],
    ['keys without TLS', { keys: 'http://issuer.example/keys' }, /not an address of keys/],
    ['no claim', { claims: {} }, /at least one claim/],
    ['the audience', { claims: { aud: own } }, /Leave it out/],
    ['a claim without a value', { claims: { sub: '' } }, /a value/],
    ['a line break', { claims: { sub: 'a\nb' } }, /a value/],
    ['* alone', { claims: { sub: '*' } }, /would let in others/],
    ['* in the middle', { claims: { sub: 'repo:*:x' } }, /would let in others/],
    ['two *', { claims: { sub: 'repo:**' } }, /would let in others/],
    ['* behind half a name', { claims: { sub: 'repo:acme*' } }, /would let in others/],
    [
      '* behind half a name of letters elsewhere',
      { claims: { sub: 'repo:café*' } },
      /would let in/,
    ],
    ['* behind half a letter', { claims: { sub: 'repo:cafe\u0301*' } }, /would let in others/],
    ['eleven claims', { claims: Object.fromEntries([...'abcdefghijk'].map((c) => [c, c])) }, /10/],
  ])('%s', (_, more, says) => {
    expect(faultOf(more)).toMatch(says);
  });

  test.each([
    [{ ref: 'refs/heads/main' }],
    [{ sub: 'repo:*' }],
    [{ repository: 'acme-*' }],
    [{ job_workflow_ref: 'acme/flows/.github/workflows/x.yml@refs/heads/main' }],
    [{ environment: 'production', workflow: 'deploy' }],
  ])('claims by which any repository of GitHub would match: %j', (claims) => {
    expect(faultOf({ issuer: github, claims })).toMatch(/Anyone can get JWTs/);
    expect(faultOf({ issuer: `${github}/`, claims })).toMatch(/Anyone can get JWTs/);
    expect(faultOf({ claims })).toBeUndefined();
  });

  test.each([
    [{ sub: 'repo:acme/site:environment:production' }],
    [{ sub: 'repo:acme/site:*' }],
    [{ repository: 'acme/site', ref: 'refs/heads/main' }],
    [{ repository: 'acme/*', environment: 'production' }],
    [{ repository_owner_id: '1234' }],
  ])('but not claims that name a repository or owner: %j', (claims) => {
    expect(faultOf({ issuer: github, claims })).toBeUndefined();
  });

  test('more than twenty rules', () => {
    expect(federatedFault(Array.from({ length: 20 }, () => rule()))).toBeNull();
    expect(federatedFault(Array.from({ length: 21 }, () => rule()))?.english).toMatch(/20/);
  });
});
