import { beforeEach, describe, expect, test } from 'vitest';
import { keepFile } from '#lib/import/kept-files.ts';
import { moveIn, readArrivals } from '#lib/import/move.ts';
import { showClient } from '#lib/management/client/clients.ts';
import { removeSecret, rotateSecret } from '#lib/management/secret/secrets.ts';
import { sentenceIn } from '#lib/messages/text.ts';
import { checkClientAuthentication } from '#lib/oauth/client-auth.ts';
import { deviceGrant } from '#lib/oauth/grant-types.ts';
import { findClient } from '#lib/store/clients.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { actor } from '../management/people.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { realmOf, singlePage, strongSecret, webApp } from './realm.ts';

const now = () => new Date();
const move = (
  text: string,
  more: { leaveOut?: boolean; dry?: boolean; from?: 'wordpress' } = {},
) => {
  const { leaveOut = false, dry = false, from = 'keycloak' } = more;
  const arrivals = readArrivals({ from, text });
  return moveIn(arrivals, from, { leaveOut, agreed: () => !dry }, { actor, now: now() });
};
const said = (list: readonly { key: string }[]) => list.map(({ key }) => key);
const english = (list: readonly Parameters<typeof sentenceIn>[1][]) =>
  list.map((each) => sentenceIn('en', each));

/** Whether a client can authenticate with a secret. */
async function entersWith(id: string, secret: string): Promise<boolean> {
  try {
    checkClientAuthentication(await findClient(id), { id, secret, usedBasic: true });
    return true;
  } catch {
    return false;
  }
}

onEachDatabase(() => {
  beforeEach(async () => {
    for (const table of ['users', 'clients', 'spent_values', 'audit_events', 'import_drafts'])
      await write(`DELETE FROM ${table}`, []);
  });

  const everything = async () => [
    await read('SELECT * FROM clients ORDER BY id', []),
    await read('SELECT * FROM client_addresses ORDER BY client_id, kind, uri', []),
    await read('SELECT * FROM client_secrets ORDER BY hash', []),
    await read('SELECT * FROM audit_events ORDER BY id', []),
  ];

  test('an imported client keeps its id, secret, URIs, flows and lifetimes; a second import changes nothing', async () => {
    const books = webApp('books', {
      description: 'Our books',
      rootUrl: 'https://books.example.org',
      baseUrl: '/start',
      redirectUris: ['/callback', 'https://books.example.org/other?tenant=1'],
      serviceAccountsEnabled: true,
      consentRequired: true,
      attributes: {
        'post.logout.redirect.uris': 'https://books.example.org/bye##+',
        'backchannel.logout.url': 'https://books.example.org/signed-out',
        'oauth2.device.authorization.grant.enabled': 'true',
        'pkce.code.challenge.method': 'S256',
        'access.token.lifespan': '120',
        'client.session.idle.timeout': '600',
        'id.token.signed.response.alg': 'ES256',
        'exclude.issuer.from.auth.response': 'true',
        policyUri: 'https://books.example.org/privacy',
      },
    });
    const text = realmOf([books, singlePage('front', { enabled: false })]);
    const planned = await move(text, { dry: true });
    expect(await read('SELECT id FROM clients', [])).toEqual([]);
    const { clients } = await move(text);
    expect(clients).toEqual(planned.clients);
    expect(clients.coming.map(({ id }) => id)).toEqual(['books', 'front']);
    expect(await showClient('books')).toMatchObject({
      name: 'App books',
      type: 'confidential',
      description: 'Our books',
      disabledAt: null,
      redirectUris: [
        'https://books.example.org/callback',
        'https://books.example.org/other?tenant=1',
      ],
      postLogoutRedirectUris: [
        'https://books.example.org/callback',
        'https://books.example.org/other?tenant=1',
        'https://books.example.org/bye',
      ],
      grants: ['authorization_code', deviceGrant, 'refresh_token', 'client_credentials'],
      homePage: 'https://books.example.org/start',
      requirePkce: true,
      firstParty: false,
      privacyLink: 'https://books.example.org/privacy',
      idTokenAlg: 'ES256',
      sendIss: false,
      accessTokenTtl: 120,
      refreshTokenTtl: 600,
      refreshTokenMaxTtl: 36_000,
      backchannelLogoutUri: 'https://books.example.org/signed-out',
      scopes: ['openid', 'profile', 'email', 'address', 'phone', 'offline_access'],
    });
    const front = await findClient('front');
    expect(front).toMatchObject({ type: 'public', disabled: true, firstParty: true });
    expect(await entersWith('books', `books-${strongSecret}`)).toBe(true);
    expect(await entersWith('books', `books-${strongSecret} `)).toBe(false);
    expect(JSON.stringify(await everything())).not.toContain(strongSecret);
    const before = await everything();
    const again = await move(text);
    expect([again.clients.coming, again.clients.here]).toEqual([[], ['books', 'front']]);
    expect(await everything()).toEqual(before);
  });

  test('an imported client gets no redirect URI that was not allowed before, and each lost one is reported', async () => {
    const redirectUris = [
      'https://app.example.org/*',
      'https://app.example.org/deep/cb*',
      '/relative',
      '*',
      'http://app.example.org/plain',
      'http://localhost:3000/*',
      'javascript:alert(1)//*',
      'javascript:*',
      'https://app.example.org/x#y',
      'https://*.example.org/cb',
      'https://user:pw@app.example.org/cb',
      'com.example.app:/cb',
      'https://app.example.org/a\u0000b',
    ];
    const { clients } = await move(realmOf([webApp('app', { redirectUris })]));
    const [come] = clients.coming;
    expect(come?.settings.redirectUris).toEqual([
      'https://app.example.org/',
      'https://app.example.org/deep/cb',
      'http://localhost:3000/',
      'com.example.app:/cb',
    ]);
    const notes = english(come?.notes ?? []);
    for (const uri of redirectUris.filter((each) => each !== 'com.example.app:/cb'))
      expect(notes.some((note) => note.includes(uri) || uri === '*')).toBe(true);
    expect(notes).toContain('Any address was allowed: add those that it uses.');
  });

  test('an imported client left without a redirect URI is refused, and not allowed to use any', async () => {
    const text = realmOf([webApp('app', { redirectUris: ['*'] }), webApp('other')]);
    const judged = await move(text, { dry: true });
    expect(said(judged.clients.wrong.map(({ why }) => why))).toEqual(['refused.move.noRedirect']);
    await expect(move(text)).rejects.toMatchObject({ said: { key: 'refused.move.faults' } });
    expect(await read('SELECT id FROM clients', [])).toEqual([]);
    expect((await move(text, { leaveOut: true })).clients.coming).toHaveLength(1);
  });

  test('imported client secrets: weak and masked ones are left out, unusable ones refused', async () => {
    const secrets = {
      weak: 'secret',
      same: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaa',
      masked: '**********',
      nul: 'abcdefghijklmnopqrstuvwxyz\u0000',
      umlaut: 'äbcdefghijklmnopqrstuvwxyz',
      long: 'x'.repeat(5000),
    };
    const all = Object.entries(secrets).map(([id, secret]) => webApp(id, { secret }));
    const { clients } = await move(realmOf(all), { leaveOut: true });
    const keys = clients.coming.map(({ id, notes }) => [id, ...said(notes)]);
    expect(keys).toEqual([
      ['weak', 'moved.secret.weak', 'moved.noConsent'],
      ['same', 'moved.secret.weak', 'moved.noConsent'],
      ['masked', 'moved.secret.none', 'moved.noConsent'],
    ]);
    expect(clients.wrong.map(({ who }) => who)).toEqual(['nul', 'umlaut', 'long']);
    expect(await entersWith('weak', 'secret')).toBe(false);
    expect(await entersWith('masked', '**********')).toBe(false);
    expect(await entersWith('masked', '')).toBe(false);
  });

  test('an imported client secret belongs to one client only, and one that was removed here does not return', async () => {
    const twins = [
      webApp('one', { secret: strongSecret }),
      webApp('two', { secret: strongSecret }),
    ];
    const { clients } = await move(realmOf(twins), { leaveOut: true });
    expect(clients.collisions).toMatchObject([{ who: 'two', why: { values: { id: 'one' } } }]);
    const { hash } = await rotateSecret('one', { keepOld: true }, actor, now());
    const old = (await showClient('one')).secrets.find((each) => each.hash !== hash);
    await removeSecret('one', old?.hash ?? '', actor, now());
    const later = await move(realmOf(twins), { dry: true });
    expect(said(later.clients.collisions.map(({ why }) => why))).toEqual([
      'refused.move.endedSecret',
    ]);
  });

  test('clients that cannot work here are not imported, and what other clients lose is reported', async () => {
    const { clients } = await move(
      realmOf([
        webApp('saml', { protocol: 'saml' }),
        webApp('api', { bearerOnly: true }),
        webApp('jwt', { clientAuthenticatorType: 'client-jwt' }),
        webApp('none', { standardFlowEnabled: false }),
        webApp('keyed', {
          clientAuthenticatorType: 'client-jwt',
          consentRequired: true,
          secret: undefined,
          attributes: { 'use.jwks.url': 'true', 'jwks.url': 'https://keyed.example.org/keys' },
        }),
        singlePage('spa', {
          implicitFlowEnabled: true,
          directAccessGrantsEnabled: true,
          attributes: { 'standard.token.exchange.enabled': 'true' },
          defaultClientScopes: ['profile', 'invoices'],
          protocolMappers: [
            { name: 'r', protocolMapper: 'oidc-usermodel-realm-role-mapper', config: {} },
            { name: 'p', protocolMapper: 'oidc-sha256-pairwise-sub-mapper', config: {} },
          ],
        }),
      ]),
    );
    expect(clients.behind.map(({ who, why }) => [who, why.key])).toEqual([
      ['saml', 'moved.behind.protocol'],
      ['api', 'moved.behind.bearerOnly'],
      ['jwt', 'moved.behind.authentication'],
      ['none', 'moved.behind.noFlow'],
    ]);
    expect(clients.coming[0]).toMatchObject({
      id: 'keyed',
      secretHash: null,
      notes: [],
      settings: { jwksUri: 'https://keyed.example.org/keys' },
    });
    expect(english(clients.coming[1]?.notes ?? [])).toEqual([
      'It cannot use this here: implicit, password.',
      'It may exchange tokens: say here for which APIs.',
      'It must use PKCE with S256 here.',
      'People are not asked for their consent, as before.',
      'It knew people by IDs of its own, so everyone is new to it here.',
      'Claims that are not imported: r.',
      'Scopes that do not exist here: invoices.',
    ]);
  });

  test('an imported client keeps the names of its groups and its constant claims, except a constant sub', async () => {
    const mapper = (protocolMapper: string, config: object) => ({ protocolMapper, config });
    const protocolMappers = [
      mapper('oidc-group-membership-mapper', { 'claim.name': 'teams', 'full.path': 'true' }),
      mapper('oidc-hardcoded-claim-mapper', { 'claim.name': 'tenant', 'claim.value': 'acme' }),
    ];
    const groups = [{ name: 'staff', subGroups: [{ name: 'board' }] }];
    const bad = [
      mapper('oidc-hardcoded-claim-mapper', { 'claim.name': 'sub', 'claim.value': 'x' }),
    ];
    const apps = [webApp('app', { protocolMappers }), webApp('bad', { protocolMappers: bad })];
    const { clients } = await move(realmOf(apps, { groups }));
    expect(await showClient('app')).toMatchObject({
      groupsClaim: 'teams',
      groupNames: { staff: '/staff', 'staff/board': '/staff/board' },
      constantClaims: { tenant: 'acme' },
      scopes: expect.arrayContaining(['groups']),
    });
    expect((await showClient('bad')).constantClaims).toEqual({});
    expect(said(clients.coming[1]?.notes ?? [])).toContain('moved.left');
  });

  describe('an imported file of clients', () => {
    test('with invalid ids, duplicates or prototype keys: only the valid clients are imported', async () => {
      const ids = ['..', 'a/b', 'a b', '', '\u0000', 'ü', 'x'.repeat(101), 'good', 'good'];
      const clients = [...ids, '__proto__', 'constructor'].map((id) => webApp(id || 'empty!'));
      const { clients: judged } = await move(realmOf(clients), { leaveOut: true });
      expect(judged.coming.map(({ id }) => id)).toEqual(['good', '__proto__', 'constructor']);
      expect(judged.wrong).toHaveLength(8);
      const polluted = `{"clients":[{"clientId":"p","secret":"${strongSecret}","__proto__":{"publicClient":true},
        "attributes":{"__proto__":{"use.refresh.tokens":"false"},"constructor":"x"},"redirectUris":["https://p.example.org/"]}]}`;
      expect((await move(polluted)).clients.coming[0]?.settings).toMatchObject({
        type: 'confidential',
        grants: ['authorization_code', 'refresh_token'],
      });
    });

    test('with too many clients, too deep nesting or wrong types is refused', async () => {
      const many = Array.from({ length: 1001 }, (_, at) => webApp(`c${at}`));
      expect(() => readArrivals({ from: 'keycloak', text: realmOf(many) })).toThrow('1,000');
      const deep = `{"clients":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
      expect(() => readArrivals({ from: 'keycloak', text: deep })).toThrow();
      const groups = `{"groups":[${'{"name":"g","subGroups":['.repeat(20_000)}${']}'.repeat(20_000)}]}`;
      expect(() => readArrivals({ from: 'keycloak', text: groups })).toThrow('cannot be read');
      for (const clients of [
        '[{"clientId":{}}]',
        '[{}]',
        '{}',
        '[{"clientId":"a","redirectUris":[{}]}]',
      ])
        expect(() => readArrivals({ from: 'keycloak', text: `{"clients":${clients}}` })).toThrow(
          'cannot be read',
        );
    });

    test('is kept as a draft without the secrets', async () => {
      const by = { actor, role: 'admin' as const, now: now(), demandFresh: () => {} };
      await keepFile({ from: 'keycloak', text: realmOf([webApp('app')]) }, by as never);
      const kept = await read('SELECT lines FROM import_drafts', []);
      expect(JSON.stringify(kept)).toContain('secretHash');
      expect(JSON.stringify(kept)).not.toContain(strongSecret);
    });
  });

  test('WordPress: clients of WP OAuth Server are imported with their secrets', async () => {
    const text = JSON.stringify([
      { user_login: 'ada', user_email: 'ada@example.org', display_name: 'Ada' },
      {
        post_title: 'Shop',
        post_status: 'publish',
        client_id: 'a1b2c3',
        scope: 'basic',
        client_secret: strongSecret,
        redirect_uri: 'https://shop.example.org/cb',
        grant_types: ['authorization_code', 'implicit', 'refresh_token'],
        user_id: '1',
      },
      { client_id: 'binned', post_status: 'trash', client_secret: `${strongSecret}2` },
    ]);
    const { clients } = await move(text, { from: 'wordpress' });
    expect(await showClient('a1b2c3')).toMatchObject({
      name: 'Shop',
      redirectUris: ['https://shop.example.org/cb'],
      grants: ['authorization_code', 'refresh_token'],
      claimShape: 'wp-oauth-server',
    });
    expect(await entersWith('a1b2c3', strongSecret)).toBe(true);
    expect(said(clients.coming[1]?.notes ?? [])).toEqual(['moved.unregistered']);
    expect((await findClient('binned'))?.disabled).toBe(true);
    const odd = '[{"client_id":7,"client_secret":{}}]';
    expect(() => readArrivals({ from: 'wordpress', text: odd })).toThrow('cannot be read');
  });
});
