import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { exportFile } from '#lib/config-file/export.ts';
import { openProviderSecret } from '#lib/identity/upstream/secret.ts';
import { actingAs, type By, perform } from '#lib/management/act.ts';
import { createGroup } from '#lib/management/group/groups.ts';
import { providerActs } from '#lib/management/provider/acts.ts';
import { AdminRefusal } from '#lib/management/refusal.ts';
import { auditList } from '#lib/store/audit-list.ts';
import { write } from '#lib/store/engine/database.ts';
import { givingIdentity } from '#lib/store/identities.ts';
import { findProvider } from '#lib/store/providers.ts';
import { databases } from '#lib/tooling/schema.ts';
import { apply, faultsOf } from '../config-file/files.ts';
import { createDatabase } from '../support/database.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newSubject } from '../support/providers.ts';
import { newUser } from '../support/seed.ts';
import { workOn } from '../support/work-on.ts';
import { unique } from './people.ts';

class Stale extends Error {}
const by = (more: Partial<By> = {}): By => ({
  ...actingAs('admin', { id: 'cli' }),
  now: new Date(),
  demandFresh: () => {},
  ...more,
});
const stale = () =>
  by({
    demandFresh: () => {
      throw new Stale();
    },
  });

const secret = 'a-client-secret-of-google';
type Said = Parameters<typeof providerActs.create.run>[0];
const said = (more: Partial<Said> = {}) => ({
  kind: 'openid' as const,
  slug: unique('p')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '-')
    .slice(0, 40)
    .replace(/-$/, ''),
  name: 'Example',
  issuer: 'https://idp.example.com',
  client_id: 'gatehouse',
  secret,
  ...more,
});
const made = (more: Partial<Said> = {}) => perform(providerActs.create, said(more), by());

async function faultsFrom(work: Promise<unknown>): Promise<string[]> {
  const error = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AdminRefusal);
  return Object.keys((error as AdminRefusal).faults);
}

const keyOf = (namedCurve: string) =>
  generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'pkcs8', format: 'pem' });

onEachDatabase(() => {
  test('an identity provider gets the defaults of its kind, and its secret is never returned', async () => {
    const told = await perform(
      providerActs.create,
      { kind: 'google', client_id: '123.apps', secret: ` ${secret}\n` },
      by(),
    );
    expect(told).toMatchObject({
      slug: 'google',
      name: 'Google',
      issuer: 'https://accounts.google.com',
      secret: 'kept',
      enabled: true,
      may_sign_in: true,
      may_register: false,
      people: 0,
    });
    expect(told.redirect_uri).toMatch(/\/login\/with\/google\/callback$/);
    const stored = await findProvider(told.id);
    expect(await openProviderSecret({ sealedSecret: stored?.sealedSecret ?? null })).toEqual({
      secret,
    });
    await perform(providerActs.update, { id: told.id, secret: 'another-secret' }, by());
    const everything = JSON.stringify([
      await perform(providerActs.list, {}, by()),
      await perform(providerActs.show, { id: told.id }, by()),
      (await auditList.page({ limit: 20 })).rows,
    ]);
    for (const hidden of [secret, 'another-secret', stored?.sealedSecret])
      expect(everything).not.toContain(hidden);
    expect(
      await faultsFrom(
        perform(providerActs.create, { kind: 'google', client_id: 'x', secret }, by()),
      ),
    ).toEqual(['slug']);
  });

  test.each<[string, Partial<Said>, string[]]>([
    ['a slug that is no part of an address', { slug: 'A b' }, ['slug']],
    ['no issuer', { issuer: undefined }, ['issuer']],
    ['an issuer in plain text', { issuer: 'http://idp.example.com' }, ['issuer']],
    ['an issuer with a question', { issuer: 'https://idp.example.com?a=b' }, ['issuer']],
    ['Google elsewhere', { kind: 'google' }, ['issuer']],
    [
      'any tenant',
      { kind: 'microsoft', issuer: 'https://login.microsoftonline.com/common/v2.0' },
      ['issuer'],
    ],
    ['no client id', { client_id: ' ' }, ['client_id']],
    [
      'no secret where one is needed',
      { kind: 'github', issuer: 'https://github.com', secret: undefined },
      ['secret'],
    ],
    [
      'a key that is none',
      { kind: 'apple', issuer: undefined, apple_team_id: 'ABCDE12345', apple_key_id: 'ABCDE12345' },
      ['secret'],
    ],
    [
      'a key of another curve',
      {
        kind: 'apple',
        issuer: undefined,
        apple_team_id: 'ABCDE12345',
        apple_key_id: 'ABCDE12345',
        secret: String(keyOf('secp384r1')),
      },
      ['secret'],
    ],
    [
      'Apple without its ids',
      { kind: 'apple', issuer: undefined, secret: String(keyOf('prime256v1')) },
      ['apple_team_id', 'apple_key_id'],
    ],
    ['a team elsewhere', { apple_team_id: 'ABCDE12345' }, ['apple_team_id']],
    ['scopes without openid', { scopes: ['email'] }, ['scopes']],
    ['registration without a way in', { may_sign_in: false, may_register: true }, ['may_register']],
    ['domains that are addresses', { domains: ['@example.org'] }, ['domains']],
    [
      'groups of no claim',
      { groups: [{ value: 'a', group_id: 'nothing' }] },
      ['groups_claim', 'groups'],
    ],
    [
      'a second factor of GitHub',
      { kind: 'github', issuer: 'https://github.com', trusts_second_factor: true },
      ['trusts_second_factor'],
    ],
  ])('an identity provider is refused with %s', async (_, more, fields) => {
    expect((await faultsFrom(made(more))).toSorted()).toEqual(fields.toSorted());
  });

  test('a change that loosens an identity provider requires a fresh sign-in, and no other change does', async () => {
    const group = await createGroup({ name: unique('Staff') }, { id: 'cli' }, new Date());
    await expect(perform(providerActs.create, said(), stale())).rejects.toBeInstanceOf(Stale);
    const { id } = await made({
      enabled: false,
      may_sign_in: false,
      domains: ['example.org', 'example.net'],
    });
    const change = (more: object) => perform(providerActs.update, { id, ...more }, stale());
    for (const loosens of [
      { enabled: true },
      { may_sign_in: true },
      { trusts_second_factor: true },
      { domains: [] },
      { domains: ['example.com'] },
      { issuer: 'https://other.example.com', secret },
      { client_id: 'another' },
      { groups_claim: 'groups', groups: [{ value: 'staff', group_id: group.id }] },
    ])
      await expect(change(loosens), JSON.stringify(loosens)).rejects.toBeInstanceOf(Stale);
    await perform(providerActs.update, { id, may_sign_in: true }, by());
    await expect(change({ may_register: true })).rejects.toBeInstanceOf(Stale);
    await expect(perform(providerActs.enable, { id }, stale())).rejects.toBeInstanceOf(Stale);
    for (const harmless of [
      { name: 'Other' },
      { domains: ['example.org'] },
      { may_sign_in: false },
      { secret: 'new' },
      { position: 3 },
    ])
      await change(harmless);
    expect(await perform(providerActs.disable, { id }, stale())).toMatchObject({
      enabled: false,
      name: 'Other',
      position: 3,
    });
  });

  test('an identity provider’s secret must be entered again when its issuer changes', async () => {
    const { id } = await made();
    const moved = { id, issuer: 'https://evil.example.com' };
    expect(await faultsFrom(perform(providerActs.update, moved, by()))).toEqual(['secret']);
    expect(
      await perform(providerActs.update, { ...moved, secret: 'for this one' }, by()),
    ).toMatchObject({ issuer: moved.issuer });
  });

  test('a stale change of an identity provider is a conflict; its deletion says how many users had linked it', async () => {
    const { id } = await made();
    const seen = providerActs.show.version?.(await perform(providerActs.show, { id }, by()));
    await perform(providerActs.update, { id, name: 'First' }, by({ seen }));
    expect(
      await faultsFrom(perform(providerActs.update, { id, name: 'Second' }, by({ seen }))),
    ).toEqual(['seen']);
    const user = await newUser();
    const identity = { ...newSubject(), userId: user.id, providerId: id, label: null };
    const { sql, params } = givingIdentity(identity, new Date());
    await write(sql, params);
    expect(await perform(providerActs.show, { id }, by())).toMatchObject({
      people: 1,
      used_in_30_days: 1,
    });
    expect(await perform(providerActs.delete, { id }, by())).toMatchObject({
      deleted: true,
      people: 1,
    });
    expect(await faultsFrom(perform(providerActs.show, { id }, by()))).toEqual(['provider']);
  });

  test('the configuration file creates, repeats and removes identity providers, and a missing secret is an error', async () => {
    const file = `
groups: {employees: }
providers:
  workforce:
    kind: openid
    name: Work
    issuer: https://work.example.com
    client_id: gatehouse
    secret: {env: WORK_SECRET}
    domains: [example.org]
    groups_claim: roles
    groups: {staff: employees}
    may_register: on
  discord-two: {kind: discord, client_id: '1', secret: {env: DISCORD_SECRET}}
`;
    const env = { WORK_SECRET: secret, DISCORD_SECRET: 'd' };
    expect(await faultsOf(file, { WORK_SECRET: secret })).toEqual([
      expect.stringContaining('DISCORD_SECRET'),
    ]);
    const { plan, done } = await apply(file, env);
    expect(done).toBe(true);
    expect(plan.changes.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'group employees',
      'provider workforce',
      'provider discord-two',
    ]);
    expect(JSON.stringify(plan)).not.toContain(secret);
    expect((await apply(file, env)).done).toBe(false);
    // Without their secrets the providers stay, and the plan notes it.
    const without = await apply(file, {});
    expect([without.done, without.plan.notes.length]).toEqual([false, 2]);
    const loosened = await apply(file.replace('domains: [example.org]', 'domains: []'), env);
    expect(loosened.plan.changes).toMatchObject([
      { kind: 'provider', name: 'workforce', loosens: true },
    ]);
    expect(await faultsOf(file.replace('kind: discord', 'kind: github'), env)).toEqual([
      expect.stringContaining('kind'),
    ]);
    const { providers } = await perform(providerActs.list, {}, by());
    const kept = providers.find(({ slug }) => slug === 'workforce');
    expect(kept).toMatchObject({
      groups: [{ value: 'staff', name: 'employees' }],
      may_register: true,
    });
    expect(
      await faultsFrom(
        perform(
          providerActs.update,
          { id: kept?.id ?? '', name: 'x' },
          by({ actor: { id: 'somebody' } }),
        ),
      ),
    ).toEqual([]);
    const renewed = await apply(file, { ...env, WORK_SECRET: 'the next one' });
    expect(renewed.done).toBe(true);

    const { text } = await exportFile({ withHashes: true });
    expect(text).not.toContain('the next one');
    expect(parse(text).providers.workforce).toEqual({
      kind: 'openid',
      name: 'Work',
      issuer: 'https://work.example.com',
      client_id: 'gatehouse',
      secret: { env: 'PROVIDER_WORKFORCE_SECRET' },
      domains: ['example.org'],
      groups_claim: 'roles',
      groups: { staff: ['employees'] },
      may_register: true,
      position: 0,
    });
    const gone = await apply('groups: {employees: }', env);
    expect(gone.plan.removes.toSorted()).toEqual(['provider discord-two', 'provider workforce']);
  });
});

test.each(databases)(
  'an export of identity providers creates the same providers on another server (%s)',
  async (database) => {
    workOn(await createDatabase(database));
    await made({
      slug: 'one',
      button_words: 'Go on with One',
      scopes: ['openid', 'email'],
      position: 4,
    });
    await perform(
      providerActs.create,
      { kind: 'discord', client_id: '1', secret: 'd', may_sign_in: false },
      by(),
    );
    const { text } = await exportFile({ withHashes: true });
    const before = await perform(providerActs.list, {}, by());
    workOn(await createDatabase(database));
    await apply(text, { PROVIDER_ONE_SECRET: secret, PROVIDER_DISCORD_SECRET: 'd' });
    const plain = ({ providers }: typeof before) =>
      providers.map(({ id: _, created_at: _made, updated_at: _last, ...rest }) => rest);
    expect(plain(await perform(providerActs.list, {}, by()))).toEqual(plain(before));
    expect((await exportFile({ withHashes: true })).text).toBe(text);
  },
);
