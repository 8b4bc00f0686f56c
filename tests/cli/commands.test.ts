import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { verifyPassword } from '#lib/identity/passwords.ts';
import { digest } from '#lib/oauth/secrets.ts';
import { settingKeys, settingTable } from '#lib/settings/table.ts';
import { findClient } from '#lib/store/clients.ts';
import { readFactors } from '#lib/store/factors.ts';
import { readSettings } from '#lib/store/settings.ts';
import { findUserByLogin } from '#lib/store/users.ts';
import { possess } from '../management/possessions.ts';
import { newUserWithApp, noFactors } from '../support/factors.ts';
import { onDatabase } from '../support/on-each-database.ts';
import { png } from '../support/pictures.ts';
import { newUser } from '../support/seed.ts';
import { cli, failure, folder, inOwnProcess, json } from './command-line.ts';

const password = 'correct horse battery staple';
const person = (name: string) => ['--username', name, '--email', `${name}@example.org`];

onDatabase('sqlite', () => {
  test('field: create, list, update, set values of users, delete', async () => {
    await json(['user', 'create', ...person('fieldy'), '--password', password]);
    const made = ['field', 'create', 'department', '--label', 'Department'];
    const department = { name: 'department', label: 'Department', type: 'text', editor: 'admin' };
    expect(await json(made)).toEqual({ ...department, scope: 'profile' });
    expect(await failure(made)).toContain('already a field');
    expect(await failure(['field', 'create', 'email', '--label', 'E'])).toContain('means');
    await json(['field', 'create', 'tags', '--label', 'Tags', '--type', 'list']);
    expect(await json(['field', 'update', 'tags', '--scope', 'email'])).toMatchObject({
      type: 'list',
      scope: 'email',
      label: 'Tags',
    });
    expect((await json(['field', 'list'])).fields).toHaveLength(2);

    const app = ['client', 'create', '--name', 'A', '--redirect-uri', 'https://a.example/cb'];
    expect(await failure([...app, '--groups-claim', 'tags'])).toContain(
      'the field “Tags” of people',
    );
    expect(await failure([...app, '--constant-claim', 'tags=x'])).toContain('“Tags” of people');
    await json([...app, '--id', 'roster', '--groups-claim', 'teams']);
    const teams = ['field', 'create', 'teams', '--label', 'Teams'];
    expect(await failure(teams)).toContain('The app “A” gets its groups in “teams”');
    await json(['client', 'delete', 'roster']);

    const update = ['user', 'update', 'fieldy'];
    const of = (...values: string[]) => values.flatMap((value) => ['--field', value]);
    const updated = await json([...update, ...of('department=R = D', 'tags=red', 'tags=blue')]);
    expect(updated.fields).toEqual({ department: 'R = D', tags: ['red', 'blue'] });
    expect((await cli(['user', 'show', 'fieldy'])).stdout).toMatch(/tags +red, blue/);
    const { fields } = await json([...update, ...of('tags=')]);
    expect(fields).toEqual({ department: 'R = D' });
    const found = await json(['user', 'list', '--search', 'department:r']);
    expect(found.users).toEqual([expect.objectContaining({ username: 'fieldy' })]);
    for (const wrong of ['department', '=x', 'nothing=x', `department=${'x'.repeat(501)}`])
      expect(await failure([...update, ...of(wrong)]), wrong).toMatch(/--field/);

    const deleted = await json(['field', 'delete', 'department']);
    expect(deleted).toEqual({
      name: 'department',
      label: 'Department',
      deleted: true,
      people: 1,
    });
    expect((await json(['user', 'show', 'fieldy'])).fields).toEqual({});
    await json(['field', 'delete', 'tags']);
    await json(['user', 'delete', 'fieldy']);
  });

  test('user: create, list, show, disable, enable, set-admin, reset-password, delete', async () => {
    const ada = await json([
      'user',
      'create',
      ...person('ada'),
      '--password',
      password,
      '--name',
      'Ada L',
      '--admin',
    ]);
    expect(ada).toMatchObject({
      username: 'ada',
      email: 'ada@example.org',
      name: 'Ada L',
      admin: true,
      disabled: false,
    });
    expect(ada.id).toMatch(/^[0-9a-f]{32}$/);
    await json(['user', 'create', ...person('bob'), '--password', '-'], `${password}\nsecond line`);
    const stored = async () => (await findUserByLogin('bob'))?.passwordHash ?? null;
    expect(await verifyPassword(password, await stored())).toBe(true);

    const list = async (...args: string[]) =>
      (await json(['user', 'list', ...args])).users as { username: string }[];
    expect((await list()).map((user) => user.username).sort()).toEqual(['ada', 'bob']);
    expect((await list('--search', 'ADA L')).map((user) => user.username)).toEqual(['ada']);
    expect((await list('--admin')).map((user) => user.username)).toEqual(['ada']);
    const part = await json(['user', 'list', '--limit', '1']);
    expect(await list('--limit', '1', '--cursor', String(part.next))).not.toEqual(part.users);

    for (const key of ['bob', 'BOB@example.org'])
      expect(await json(['user', 'show', key])).toMatchObject({ username: 'bob' });
    expect(await json(['user', 'disable', 'bob'])).toMatchObject({ disabled: true });
    expect(await json(['user', 'enable', 'bob'])).toMatchObject({ disabled: false });
    expect(await json(['user', 'set-admin', 'bob'])).toMatchObject({ admin: true });
    expect(await json(['user', 'set-admin', 'bob', 'off'])).toMatchObject({ admin: false });
    await json(['user', 'reset-password', 'bob', '--password', 'quite another one']);
    expect(await verifyPassword('quite another one', await stored())).toBe(true);
    const reset = ['user', 'reset-password', 'bob', '--password', '-'];
    expect(await inOwnProcess(reset, 'read from a pipe\r\n')).toMatchObject({ code: 0 });
    expect(await verifyPassword('read from a pipe', await stored())).toBe(true);
    expect(await json(['user', 'delete', 'bob'])).toMatchObject({ username: 'bob', deleted: true });
    expect(await failure(['user', 'show', 'bob'])).toContain('"bob"');
  });

  test('user create and update: a verified email and every standard claim, validated as on the account page', async () => {
    const made = await json([
      'user',
      'create',
      ...person('grace'),
      '--password',
      password,
      '--email-verified',
      '--must-change',
    ]);
    expect(made).toMatchObject({ email_verified: true, must_change_password: true, claims: {} });
    const update = (...args: string[]) => json(['user', 'update', 'grace@example.org', ...args]);
    const claims = {
      given_name: 'Grace',
      middle_name: 'Brewster',
      family_name: 'Hopper',
      nickname: 'Amazing Grace',
      gender: 'female',
      profile: 'https://example.org/grace',
      website: 'https://example.org',
      birthdate: '1906-12-09',
      zoneinfo: 'America/New_York',
      locale: 'en-US',
      phone_number: '+1 555 0100',
    };
    const address = {
      street_address: '1 Main Street',
      postal_code: '10001',
      locality: 'New York',
      region: 'NY',
      country: 'USA',
    };
    const options = Object.entries({ ...claims, ...address }).flatMap(([claim, value]) => [
      `--${claim.replaceAll('_', '-')}`,
      value,
    ]);
    expect(await update('--name', 'Grace Hopper', ...options)).toMatchObject({
      name: 'Grace Hopper',
      email_verified: true,
      claims: { ...claims, address },
    });
    const formatted = '1 Main Street, New York';
    expect(
      await update('--phone-number-verified', '--address', formatted, '--nickname', ''),
    ).toMatchObject({
      claims: { phone_number_verified: true, address: { ...address, formatted } },
    });
    const moved = await update('--phone-number', '+1 555 0199', '--locality', 'Arlington');
    expect(moved.claims).toEqual({
      ...claims,
      nickname: undefined,
      phone_number: '+1 555 0199',
      address: { ...address, locality: 'Arlington' },
    });
    expect(moved.claims).not.toHaveProperty('phone_number_verified');
    for (const [option, wrong, sentence] of [
      ['--birthdate', 'soon', '--birthdate: Enter a date such as'],
      ['--website', 'javascript:alert(1)', '--website: Enter an address that starts with'],
      ['--locale', 'no language', '--locale: Enter a language tag'],
      ['--country', 'x'.repeat(101), '--country: This is too long'],
      ['--username', 'a@b', '--username: Use up to 64 letters'],
      ['--email-verified', 'perhaps', 'takes on or off'],
    ])
      expect(await failure(['user', 'update', 'grace', option ?? '', wrong ?? ''])).toContain(
        sentence,
      );
    expect(await failure(['user', 'update', 'grace'])).toContain('user update --help');
    const other = 'hopper@example.org';
    expect(await update('--email', other)).toMatchObject({ email: other, email_verified: false });
    expect(await json(['user', 'update', 'grace', '--email-verified'])).toMatchObject({
      email_verified: true,
    });
    expect(
      await failure(['user', 'update', 'grace', '--phone-number', '', '--phone-number-verified']),
    ).toContain('no phone number');
    expect(
      await json(['user', 'reset-password', 'grace', '--password', 'some long words']),
    ).toMatchObject({ must_change_password: false });
    await json(['user', 'delete', 'grace']);
    expect(await failure(['user', 'create', ...person('grace'), '--password', password])).toContain(
      'reserved until',
    );
    expect(await json(['user', 'free-name', 'grace'])).toMatchObject({ free: true });
  });

  test('user remove-factors removes the second factors, so that the password alone is enough', async () => {
    const user = await newUserWithApp();
    expect(await json(['user', 'remove-factors', user.username])).toMatchObject({
      username: user.username,
    });
    expect(await readFactors(user.id)).toEqual(noFactors);
    expect(await failure(['user', 'remove-factors', user.username])).toContain(
      'has no second step',
    );
    await json(['user', 'delete', user.username]);
  });

  test('user belongings and leave: a user who leaves hands over their apps', async () => {
    const leaver = await newUser();
    const heir = await newUser();
    const uri = ['--redirect-uri', 'https://left.example/cb'];
    await json(['client', 'create', '--id', 'left', '--name', 'Left', ...uri]);
    await json(['client', 'update', 'left', '--contact', leaver.username]);
    const belongings = await json(['user', 'belongings', leaver.username]);
    expect(belongings.apps).toEqual([{ client_id: 'left', name: 'Left', only_contact: true }]);
    const seen = await cli(['user', 'belongings', leaver.email]);
    expect(seen.stdout).toMatch(/apps +Left \(no other contact\)/);
    const leave = ['user', 'leave', leaver.username, '--account', 'delete'];
    expect(await failure(leave)).toContain('Choose a successor');
    expect(await failure(['user', 'leave', leaver.username, '--account', 'burn'])).toContain(
      'disable, delete',
    );
    const { stdout } = await cli([...leave, '--successor', heir.username]);
    expect(stdout).toMatch(new RegExp(`successor +${heir.username}`));
    expect(await failure(['user', 'show', leaver.username])).toContain('There is no user');
    await json(['client', 'delete', 'left']);
    await json(['user', 'delete', heir.username]);
  });

  test('user: errors are one line', async () => {
    expect(
      await failure(['user', 'create', ...person('eve'), '--password', 'short', '--json']),
    ).toContain('at least 8');
    expect(await failure(['user', 'create', ...person('eve'), '--password', '-'])).toContain(
      'Standard input is empty',
    );
    expect(await failure(['user', 'create', ...person('ada'), '--password', password])).toContain(
      'taken',
    );
    expect(await failure(['user', 'set-admin', 'ada', 'perhaps'])).toContain('on or off');
    for (const way of [
      ['disable', 'ada'],
      ['delete', 'ada'],
      ['set-admin', 'ada', 'off'],
    ]) {
      expect(await failure(['user', ...way])).toContain('last admin');
    }
  });

  test('two commands at the same time do not disable both admins', async () => {
    await json(['user', 'create', ...person('second'), '--password', password, '--admin']);
    const codes = await Promise.all([
      inOwnProcess(['user', 'disable', 'ada']),
      inOwnProcess(['user', 'disable', 'second']),
    ]);
    expect(codes.map((ran) => ran.code).sort()).toEqual([0, 1]);
    for (const name of ['ada', 'second']) await json(['user', 'enable', name]);
  });

  test('client: every option of create is stored, and reset by update', async () => {
    writeFileSync(`${folder}/logo.png`, png(20, 20));
    const options = [
      '--description',
      'Sells things',
      '--home-page',
      'https://shop.example/',
      '--logo',
      'logo.png',
      '--privacy-link',
      'https://shop.example/privacy',
      '--terms-link',
      'https://shop.example/terms',
      '--redirect-uri',
      'https://shop.example/a',
      '--redirect-uri',
      'http://shop.example/b',
      '--allow-insecure-redirect-uri',
      '--post-logout-redirect-uri',
      'https://shop.example/bye',
      '--post-logout-redirect-uri',
      'https://shop.example/out',
      '--backchannel-logout-uri',
      'https://shop.example/logout',
      '--scope',
      'email openid',
      '--grant',
      'authorization_code',
      '--grant',
      'client_credentials',
      '--require-pkce',
      '--require-client-auth-on-refresh',
      '--first-party',
      '--resource-server',
      '--no-iss',
      '--id-token-alg',
      'ES256',
      '--no-id-token-on-refresh',
      '--access-token-ttl',
      '60',
      '--refresh-token-ttl',
      '120',
      '--refresh-token-max-ttl',
      '180',
      '--require-second-factor',
      '--max-sign-in-age',
      '900',
      '--sign-in-life',
      '3600',
      '--network',
      '198.51.100.0/24',
      '--network',
      '2001:db8::/32',
    ];
    const made = await json(['client', 'create', '--name', 'Shop', '--id', 'shop', ...options]);
    expect(made).toMatchObject({
      client_id: 'shop',
      name: 'Shop',
      type: 'confidential',
      description: 'Sells things',
      home_page: 'https://shop.example/',
      logo: expect.stringMatching(/^[\w-]{22}$/),
      privacy_link: 'https://shop.example/privacy',
      terms_link: 'https://shop.example/terms',
      redirect_uris: ['https://shop.example/a', 'http://shop.example/b'],
      post_logout_redirect_uris: ['https://shop.example/bye', 'https://shop.example/out'],
      backchannel_logout_uri: 'https://shop.example/logout',
      scope: 'email openid',
      grants: ['authorization_code', 'client_credentials'],
      require_pkce: true,
      require_client_auth_on_refresh: true,
      first_party: true,
      resource_server: true,
      iss: false,
      id_token_alg: 'ES256',
      id_token_on_refresh: false,
      access_token_ttl: 60,
      refresh_token_ttl: 120,
      refresh_token_max_ttl: 180,
      require_second_factor: true,
      max_sign_in_age: 900,
      sign_in_life: 3600,
      networks: ['198.51.100.0/24', '2001:db8::/32'],
    });
    expect((await findClient('shop'))?.secretHashes).toEqual([digest(String(made.client_secret))]);

    const back = [
      '--redirect-uri',
      '',
      '--post-logout-redirect-uri',
      '',
      '--backchannel-logout-uri',
      '',
      '--scope',
      '',
      '--iss',
      '--id-token-on-refresh',
      '--logo',
      '',
      '--description',
      '',
      '--require-pkce',
      'default',
      '--require-client-auth-on-refresh',
      'off',
      '--first-party',
      'off',
      '--resource-server',
      'off',
      '--access-token-ttl',
      'default',
      '--refresh-token-ttl',
      'default',
      '--id-token-alg',
      'RS256',
    ];
    const after = await json(['client', 'update', 'shop', ...back]);
    expect(after).toMatchObject({
      name: 'Shop',
      description: null,
      logo: null,
      redirect_uris: [],
      post_logout_redirect_uris: [],
      backchannel_logout_uri: null,
      scope: null,
      require_pkce: null,
      require_client_auth_on_refresh: false,
      first_party: false,
      resource_server: false,
      iss: true,
      id_token_alg: 'RS256',
      id_token_on_refresh: true,
      access_token_ttl: null,
      refresh_token_ttl: null,
      refresh_token_max_ttl: 180,
    });
    expect(after).not.toHaveProperty('client_secret');
  });

  test('client: group and claim options are stored, shown and reset', async () => {
    const told = ['--groups-claim', 'roles', '--groups-prefix', 'app-', '--claim-shape'];
    const pairs = ['--group-name', 'app-a=admin', '--group-name', '"a = b"=x = y'];
    const made = ['--name', 'Told', '--id', 'told', ...told, 'wp-oauth-server', ...pairs];
    const constants = ['--constant-claim', 'plan=pro', '--constant-claim', 'tags=["a"]'];
    expect(await json(['client', 'create', ...made, ...constants])).toMatchObject({
      groups_claim: 'roles',
      groups_prefix: 'app-',
      claim_shape: 'wp-oauth-server',
      group_names: { 'app-a': 'admin', 'a = b': 'x = y' },
      constant_claims: { plan: 'pro', tags: '["a"]' },
    });
    const { stdout } = await cli(['client', 'show', 'told']);
    expect(stdout).toMatch(/group_names +app-a = admin, "a = b" = x = y/);
    const back = ['--groups-claim', 'groups', '--groups-prefix', '', '--claim-shape', 'standard'];
    const none = ['--group-name', 'none', '--constant-claim', ''];
    expect(await json(['client', 'update', 'told', ...back, ...none])).toMatchObject({
      groups_claim: 'groups',
      groups_prefix: null,
      claim_shape: 'standard',
      group_names: {},
      constant_claims: {},
    });
    const failed = (...options: string[]) => failure(['client', 'update', 'told', ...options]);
    expect(await failed('--groups-claim', 'sub')).toContain('“sub” means something else');
    expect(await failed('--group-name', 'editors')).toContain('takes name=value');
    expect(await failed('--group-name', 'editors=')).toContain('Say what the app gets');
    expect(await failed('--group-name', 'a=b', '--group-name', 'a=c')).toContain('there twice');
    expect(await failed('--constant-claim', 'email=x')).toContain('means something else');
  });

  test('client allow and disallow change the list of who may use it', async () => {
    await json(['group', 'create', 'Payroll staff']);
    const { id: ann } = await newUser();
    await json(['client', 'create', '--name', 'Payroll', '--id', 'payroll', '--access', 'listed']);
    const listed = ['payroll', '--group', 'payroll staff', '--user', ann];
    const after = await json(['client', 'allow', ...listed]);
    expect(after).toMatchObject({
      access: 'listed',
      allowed_groups: ['Payroll staff'],
      allowed_users: [expect.stringMatching(/^person-/)],
    });
    expect(after).not.toHaveProperty('note');
    // A list without the rule that uses it keeps no one out, and the note says so.
    await json(['client', 'update', 'payroll', '--access', 'everybody']);
    expect((await json(['client', 'allow', ...listed])).note).toMatch(
      /^Everyone may use this client.*"client update payroll --access listed"/,
    );
    await json(['client', 'update', 'payroll', '--access', 'listed']);
    expect(await json(['client', 'disallow', ...listed])).toMatchObject({
      allowed_groups: [],
      allowed_users: [],
    });
    await json(['client', 'update', 'payroll', '--access', 'everybody']);
    await json(['client', 'delete', 'payroll']);
  });

  test('client: list, show, disable, enable, rotate-secret, public and back, delete', async () => {
    expect((await json(['client', 'list', '--search', 'shop'])).clients).toMatchObject([
      { client_id: 'shop', name: 'Shop' },
    ]);
    expect(await json(['client', 'show', 'shop'])).not.toHaveProperty('client_secret');
    expect((await findClient('shop'))?.disabled).toBe(false);
    // The command is another process. This process has the client in its cache, and still sees the
    // change.
    expect(await json(['client', 'disable', 'shop'])).toMatchObject({ disabled: true });
    expect((await findClient('shop'))?.disabled).toBe(true);
    expect(await json(['client', 'enable', 'shop'])).toMatchObject({ disabled: false });
    const kept = await json(['client', 'rotate-secret', 'shop', '--keep-old']);
    expect((await findClient('shop'))?.secretHashes).toHaveLength(2);
    const rotated = await json(['client', 'rotate-secret', 'shop']);
    expect(rotated.client_secret).not.toBe(kept.client_secret);
    expect((await findClient('shop'))?.secretHashes).toEqual([
      digest(String(rotated.client_secret)),
    ]);
    const address = ['--redirect-uri', 'com.example.shop:/cb', '--grant', 'authorization_code'];
    expect(await json(['client', 'update', 'shop', '--public', ...address])).toMatchObject({
      type: 'public',
      secrets: [],
    });
    expect((await json(['client', 'update', 'shop', '--confidential'])).client_secret).toMatch(
      /^gh_cs_/,
    );
    expect(await json(['client', 'delete', 'shop'])).toMatchObject({
      client_id: 'shop',
      deleted: true,
    });
    expect(await failure(['client', 'show', 'shop'])).toContain('"shop"');
  });

  test('client: errors are one line', async () => {
    const create = (...args: string[]) =>
      failure(['client', 'create', '--name', 'X', ...args, '--json']);
    expect(await create('--public')).toContain('at least one redirect URI');
    expect(await create('--redirect-uri', 'http://app.example/')).toContain(
      '--allow-insecure-redirect-uri',
    );
    expect(await create('--redirect-uri', 'https://app.example/#x')).toContain('fragment');
    expect(await create('--id', 'a b')).toContain('client_id');
    expect(await create('--require-pkce', 'sometimes')).toContain('on, off or default');
    expect(await create('--access-token-ttl', 'soon')).toContain('a time such as 90 minutes');
    // German words are read as well; what is wrong with the address is said then.
    expect(await create('--access-token-ttl', '30 Tage', '--id', 'a b')).toContain('client_id');
    expect(await create('--scope', 'nonsense')).toContain('nonsense');
    expect(await create('--logo', 'nowhere.png', '--id', 'unborn')).toContain('"nowhere.png"');
    expect(await findClient('unborn')).toBeNull();
  });

  test('scope: create, update, list, delete', async () => {
    expect(
      await json(['scope', 'create', 'photos', '--description', 'See your photos', '--sensitive']),
    ).toEqual({
      name: 'photos',
      description: 'See your photos',
      descriptions: {},
      default: false,
      sensitive: true,
      built_in: false,
    });
    expect(
      await json(['scope', 'update', 'photos', '--default', '--sensitive', 'off']),
    ).toMatchObject({
      default: true,
      sensitive: false,
    });
    const { scopes } = await json(['scope', 'list']);
    expect(scopes).toContainEqual(
      expect.objectContaining({ name: 'photos', description: 'See your photos' }),
    );
    expect(scopes).toContainEqual(expect.objectContaining({ name: 'openid', built_in: true }));
    const german = ['scope', 'update', 'photos', '--description-in'];
    expect(await json([...german, 'de=Ihre Fotos = Bilder sehen'])).toMatchObject({
      description: 'See your photos',
      descriptions: { de: 'Ihre Fotos = Bilder sehen' },
    });
    expect(await json([...german, 'de='])).toMatchObject({ descriptions: {} });
    expect(await failure([...german, 'xx=text'])).toContain('Use one of: en, en-GB, de');
    expect(await failure([...german, 'Ihre Fotos'])).toContain('a language and a text');
    expect(await json(['scope', 'delete', 'photos'])).toEqual({
      name: 'photos',
      deleted: true,
      clients: 0,
      grants: 0,
    });
    expect(await failure(['scope', 'delete', 'email'])).toContain('built in');
    expect(await failure(['scope', 'create', 'x'])).toContain('--description');
  });

  test('settings: list, set in any case, reset to the default, and what cannot be set', async () => {
    expect(await json(['settings', 'set', 'require_pkce', 'on'])).toMatchObject({
      name: 'REQUIRE_PKCE',
      value: true,
      source: 'stored',
    });
    expect((await readSettings()).requirePkce).toBe(true);
    const { settings } = await json(['settings', 'list']);
    const names = (settings as { name: string }[]).map((row) => row.name);
    expect(names).toEqual(expect.arrayContaining(settingKeys.map((key) => settingTable[key].name)));
    expect(settings).toContainEqual(
      expect.objectContaining({ name: 'REQUIRE_PKCE', value: true, default: false }),
    );
    expect(await json(['settings', 'set', 'REQUIRE_PKCE', 'default'])).toMatchObject({
      value: false,
      source: 'default',
    });
    expect((await readSettings()).requirePkce).toBe(false);
    expect(await failure(['settings', 'set', 'ALWAYS_ISSUE_NEW_REFRESH_TOKEN', 'off'])).toContain(
      'can only be set in the environment',
    );
    expect(await failure(['settings', 'set', 'BCRYPT_COST', '4'])).toContain('no setting');
    expect(await failure(['settings', 'set', 'CODE_TTL', 'soon'])).toContain('seconds');
  });

  test('grants: list and revoke', async () => {
    const ada = await findUserByLogin('ada');
    const { client_id } = await json(['client', 'create', '--name', 'App']);
    const his = await possess(ada?.id ?? '', String(client_id), 'email');
    const { grants } = await json([
      'grants',
      'list',
      '--user',
      'ada',
      '--client',
      String(client_id),
    ]);
    expect(grants).toMatchObject([
      { username: 'ada', client_id, client_name: 'App', scope: 'email' },
    ]);
    await json(['group', 'create', 'readers']);
    for (const [option, value, count] of [
      ['--used-within', '30 days', 0],
      ['--not-used-for', '90 days', 0],
      ['--not-used-for', '0 seconds', 1],
      ['--member-of', 'readers', 0],
    ] as const) {
      const found = await json(['grants', 'list', '--user', 'ada', option, value]);
      expect(found.grants, option).toHaveLength(count);
    }
    expect(await failure(['grants', 'list', '--used-within', 'soon'])).toContain('30 days');
    expect(await failure(['grants', 'revoke'])).toContain('Choose a user');
    expect(
      await json(['grants', 'revoke', '--user', 'ada', '--client', String(client_id)]),
    ).toEqual({ revoked: 1 });
    expect(await his.living()).toEqual(['session']);
    expect((await json(['grants', 'list', '--user', 'ada'])).grants).toEqual([]);
  });

  test('keys: rotate and list', async () => {
    const { keys } = await json(['keys', 'rotate']);
    expect(keys).toHaveLength(2);
    const listed = (await json(['keys', 'list'])).keys as { retired_at: string | null }[];
    expect(listed.filter((key) => key.retired_at === null)).toEqual(
      expect.arrayContaining(keys as unknown[]),
    );
    expect(JSON.stringify(listed)).not.toMatch(/"d"|private/);
  });

  test('keys: a kid that begins with a hyphen is not taken for an option', async () => {
    const kid = '-dBK2obDxR4YLgYVQ7NoNV2CuYpQf9tVlrpXmSwyZrM';
    expect(await failure(['keys', 'revoke', kid, '--json'])).toContain(kid);
    expect(await failure(['keys', 'revoke', kid])).toContain('There is no signing key');
  });

  test('keys revoke: a signing key is revoked, and a new one replaces it', async () => {
    type Keys = { kid: string; alg: string; retired_at: string | null }[];
    const inUse = async () =>
      ((await json(['keys', 'list'])).keys as Keys).filter((key) => key.retired_at === null);
    const [key, other] = await inUse();
    const answer = await json(['keys', 'revoke', key?.kid ?? '']);
    expect(answer).toMatchObject({ kid: key?.kid, revoked: true });
    expect(JSON.stringify(answer.keys)).not.toContain(key?.kid);
    const left = await inUse();
    expect(left.map(({ alg }) => alg).sort()).toEqual(['ES256', 'RS256']);
    expect(left.map(({ kid }) => kid)).toContain(other?.kid);
    expect((await json(['audit', 'list', '--type', 'keys.revoked'])).events).toMatchObject([
      { actor: 'cli', detail: { kid: key?.kid, alg: key?.alg } },
    ]);
    expect(await failure(['keys', 'revoke', key?.kid ?? ''])).toContain('There is no signing key');
  });

  test('keys: token keys are listed, rotated and revoked together with the signing keys', async () => {
    const listed = async () => (await json(['keys', 'list'])).token_keys as { kid: string }[];
    const [key] = await listed();
    const made = (await json(['keys', 'rotate'])).token_keys as { kid: string }[];
    expect(made).toEqual([(await listed())[0]]);
    expect(made[0]?.kid).not.toBe(key?.kid);
    await json(['keys', 'revoke', key?.kid ?? '']);
    expect((await listed()).map(({ kid }) => kid)).not.toContain(key?.kid);
    expect(JSON.stringify(await listed())).not.toMatch(/sealed/);
  });

  test('audit list: by type, user, client, actor and time', async () => {
    const found = async (...args: string[]) =>
      (await json(['audit', 'list', ...args])).events as { type: string }[];
    expect((await found('--type', 'keys.rotated'))[0]).toMatchObject({ actor: 'cli' });
    expect(new Set((await found('--type', 'setting')).map((event) => event.type))).toEqual(
      new Set(['setting.changed']),
    );
    expect(await found('--user', 'ada', '--type', 'user.created')).toHaveLength(1);
    expect((await found('--client', 'shop'))[0]?.type).toBe('client.deleted');
    expect(await found('--until', '1h')).toEqual([]);
    expect(await found('--since', '1h', '--limit', '3', '--actor', 'cli')).toHaveLength(3);
    expect(await failure(['audit', 'list', '--since', 'yesterday'])).toContain('--since');
  });

  test('output without --json: tables, properties and sentences, without terminal control characters', async () => {
    const said = async (...args: string[]) => {
      const { code, stdout, stderr } = await cli(args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return stdout;
    };
    const made = await said(
      'client',
      'create',
      '--name',
      'Plain',
      '--description',
      'one\ntwo',
      '--id',
      'plain',
    );
    expect(made).toMatch(/^client_id +plain\nclient_secret +gh_cs_/);
    expect(made).toContain('one?two');
    expect(await said('client', 'list')).toMatch(
      /^CLIENT_ID .*\n(.*\n)*plain +Plain +confidential/,
    );
    expect(await said('user', 'list')).toMatch(/ada +ada@example\.org +Ada L +admin +no/);
    expect(await said('settings', 'set', 'enforce_state', 'off')).toBe('ENFORCE_STATE is off.\n');
    expect(await said('user', 'show', 'ada')).toMatch(/^id +[0-9a-f]{32}\n/);
  });
});

// The tests under tests/management cover what commands do on both databases. This only tests that
// commands work on PostgreSQL.
onDatabase('postgresql', () => {
  test('commands on PostgreSQL: a user, a client, a setting and an approval', async () => {
    const ada = await json(['user', 'create', ...person('ada'), '--password', password, '--admin']);
    const { client_id, client_secret } = await json([
      'client',
      'create',
      '--name',
      'App',
      '--redirect-uri',
      'https://a.example/cb',
    ]);
    expect((await findClient(String(client_id)))?.secretHashes).toEqual([
      digest(String(client_secret)),
    ]);
    const hers = await possess(String(ada.id), String(client_id));
    expect((await json(['grants', 'list'])).grants).toHaveLength(1);
    await json(['client', 'disable', String(client_id)]);
    expect(await hers.living()).toEqual(['session']);
    await json(['settings', 'set', 'require_pkce', 'on']);
    expect((await readSettings()).requirePkce).toBe(true);
    expect(await failure(['user', 'delete', 'ada'])).toContain('last admin');
    expect((await json(['audit', 'list', '--limit', '500'])).events).toHaveLength(4);
  });
});
