import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { exportFile } from '#lib/config-file/export.ts';
import { showApi } from '#lib/management/api/apis.ts';
import { showBranding } from '#lib/management/branding/branding.ts';
import { showAccess } from '#lib/management/client/access.ts';
import { showClient, updateClient } from '#lib/management/client/clients.ts';
import { showField } from '#lib/management/field/user-fields.ts';
import { createGroup, showGroup } from '#lib/management/group/groups.ts';
import { addMembers } from '#lib/management/group/members.ts';
import { listInvitations } from '#lib/management/invitation/invitations.ts';
import { showScope } from '#lib/management/scope/scopes.ts';
import { setSetting } from '#lib/management/setting/settings.ts';
import { digest } from '#lib/oauth/secrets.ts';
import { read } from '#lib/store/engine/database.ts';
import { readRevision } from '#lib/store/engine/revision.ts';
import { readSettings } from '#lib/store/settings.ts';
import { databases } from '#lib/tooling/schema.ts';
import { actor, newApp, newPerson, unique } from '../management/people.ts';
import { createDatabase } from '../support/database.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { png } from '../support/pictures.ts';
import { workOn } from '../support/work-on.ts';
import { apply, faultsOf, planFor, put, secretFor } from './files.ts';

const now = () => new Date();
const env = { WIKI_SECRET: secretFor('wiki'), NEW_SECRET: secretFor('new') };

const whole = (person: string) => `
settings:
  CODE_TTL: 45
  REGISTRATION: invitation
  CLIENT_DOCUMENT_HOSTS: [claude.ai, "*.example.org"]
branding:
  name: Example
  accent: "#0b6354"
  footer_links: [{label: Imprint, href: https://example.org/imprint}]
scopes:
  photos:
    description: See your photos
    descriptions: {de: Ihre Fotos sehen}
    sensitive: on
  openid: {default: on}
groups:
  staff: {description: Who works here}
  guests:
fields:
  department: {label: Department, scope: profile}
apps:
  wiki:
    name: Wiki
    redirect_uris: [https://wiki.example.org/callback]
    secret: {env: WIKI_SECRET}
    allowed_groups: [staff]
    allowed_users: [${person}]
    access_token_ttl: 2 hours
    scopes: [openid, photos]
    constant_claims: {tier: gold}
  tv:
    name: TV
    type: public
    grants: [urn:ietf:params:oauth:grant-type:device_code, refresh_token]
apis:
  https://mcp.example.org/mcp:
    name: Files
    access: listed
    scopes:
      files:read: {description: Read your files, descriptions: {de: Ihre Dateien lesen}}
    asked_by: [tv]
    served_by: [wiki]
terms:
  2027-01:
    from: 2027-01-01
    days: 30
    texts: {any: Be *kind*., de: Seien Sie nett.}
  wiki-1: {client_id: wiki, texts: {any: "[Our terms](https://wiki.example.org/terms)"}}
invitations:
  - {email: ${person}-new@example.org, groups: [staff]}
`;

onEachDatabase(() => {
  test('faults of shape, and of everything whose shape is right, are reported at once, and nothing is done', async () => {
    const text = `settings:
  CODE_TTL: 45
  REQUIRE_PKSE: on
groups:
  odd: {descripton: x}
  told: {}
apps:
  whole:
    name: Whole
    redirect_uris: [nonsense]
    allowed_groups: [odd, nowhere]
  bare: {name: Bare, secret: {env: BARE_SECRET}}
  bad: {nam: Bad}
apis:
  https://api.example: {name: API, asked_by: [bad, whole, lost]}
invitations: [{email: nobody}]
`;
    const said = (await faultsOf(text)).map((line) => line.replace('gatehouse.yaml:', ''));
    const has = (...parts: string[]) =>
      expect(
        said.filter((line) => parts.every((part) => line.includes(part))),
        parts.join(),
      ).toHaveLength(1);
    has('3: settings.REQUIRE_PKSE', 'Did you mean REQUIRE_PKCE?');
    has('5: groups.odd.descripton', 'Unknown field.');
    has('10: apps.whole.redirect_uris', 'nonsense');
    has('11: apps.whole.allowed_groups', 'nowhere');
    has('12: apps.bare.secret', 'BARE_SECRET');
    has('13: apps.bad.nam', 'Unknown field.');
    has('15: ', 'asked_by', 'no client "lost"');
    has('16: invitations[0].email');
    for (const known of ['bad', 'whole', 'odd'])
      expect(said.join()).not.toContain(`no client "${known}"`);
    expect(said.join()).not.toContain('no group "odd"');
    expect(said.map((line) => Number.parseInt(line, 10))).toEqual(
      said.map((line) => Number.parseInt(line, 10)).toSorted((one, other) => one - other),
    );
    await expect(showGroup('told')).rejects.toThrow('no group');
  });

  test('the configuration file creates everything that it names, and nothing twice', async () => {
    const { username, id: userId } = await newPerson();
    const { plan, links, done } = await apply(whole(username), env);
    expect(done).toBe(true);
    expect(
      plan.changes.filter(({ action }) => action === 'create').map(({ name }) => name),
    ).toEqual([
      'photos',
      'staff',
      'guests',
      'wiki',
      'tv',
      'department',
      'https://mcp.example.org/mcp',
      '2027-01',
      'wiki-1',
      `${username}-new@example.org`,
    ]);
    expect(plan.takesOver).toEqual([{ kind: 'scope', name: 'openid' }]);
    expect(JSON.stringify(plan)).not.toContain(env.WIKI_SECRET);
    expect(JSON.stringify(plan)).not.toContain(digest(env.WIKI_SECRET));

    const wiki = await showClient('wiki');
    expect(wiki).toMatchObject({
      name: 'Wiki',
      accessTokenTtl: 7200,
      access: 'listed',
      scopes: ['openid', 'photos'],
    });
    expect(wiki.secrets.map(({ hash }) => hash)).toEqual([digest(env.WIKI_SECRET)]);
    const access = await showAccess('wiki');
    expect(access.groups.map(({ name }) => name)).toEqual(['staff']);
    expect(access.people.map(({ id }) => id)).toEqual([userId]);
    expect((await showClient('tv')).secrets).toEqual([]);
    expect((await showScope('photos')).translations).toEqual({ de: 'Ihre Fotos sehen' });
    expect((await showField('department')).scope).toBe('profile');
    expect(await showApi('https://mcp.example.org/mcp')).toMatchObject({
      askedBy: ['tv'],
      servedBy: ['wiki'],
    });
    expect((await showBranding()).brand.footerLinks).toHaveLength(1);
    expect((await readSettings()).codeTtl).toBe(45);
    expect(await listInvitations(now())).toHaveLength(1);
    expect(links.every(({ link }) => link.includes('/register/finish?token='))).toBe(true);

    const revision = await readRevision();
    const again = await apply(whole(username), env);
    expect(again).toMatchObject({ done: false, plan: { changes: [], takesOver: [] } });
    expect(await readRevision()).toBe(revision);
  });

  test('the configuration file: a claim and a field may not share a name, but may swap in one change', async () => {
    const app = (claim: string) =>
      `apps:\n  shop: {name: Shop, type: public, redirect_uris: [https://shop.example/cb], groups_claim: ${claim}}\n`;
    const field = 'fields:\n  teams: {label: Teams, scope: profile}\n';
    const [fault = ''] = (await faultsOf(field + app('teams'))).filter((line) =>
      /teams/.test(line),
    );
    expect(fault).toContain('“Shop” gets its groups in “teams”');
    await apply(app('teams'));
    await apply(field + app('groups'));
    await apply(app('teams'));
    expect((await showClient('shop')).groupsClaim).toBe('teams');
    await apply('apps: {}\n');
  });

  test('the configuration file: what it no longer names is removed, and what admins created stays', async () => {
    const hand = (await newApp()).client.id;
    await apply(
      'groups:\n  once:\n  stays:\nscopes:\n  once: {description: Once}\napps:\n  once: {name: Once, type: public, redirect_uris: [https://once.example/cb]}\nsettings: {CODE_TTL: 33}\nbranding: {name: Once}\n',
    );
    const { username } = await newPerson();
    await addMembers((await showGroup('once')).id, [username], actor, now());
    const { plan } = await apply('groups:\n  stays:\n');
    const said = plan.changes.map(({ action, kind, name, ends }) => [action, kind, name, ends]);
    expect(said).toEqual([
      ['remove', 'client', 'once', null],
      ['change', 'setting', 'CODE_TTL', null],
      ['remove', 'group', 'once', '1 member and 0 apps lose it'],
      ['remove', 'scope', 'once', null],
      ['change', 'branding', '', null],
    ]);
    expect((await readSettings()).codeTtl).toBe(30);
    expect((await showBranding()).brand.name).toBeNull();
    expect((await showClient(hand)).id).toBe(hand);
    expect((await showGroup('stays')).name).toBe('stays');
    await apply('apps: {}\n');
    expect(await read('SELECT * FROM file_owned', [])).toEqual([]);
  });

  test('the configuration file takes over what was created by hand, says so, and changes it', async () => {
    const { client } = await newApp({ description: 'By hand', firstParty: false });
    const text = `apps:\n  ${client.id}:\n    name: From the file\n    first_party: on\n    redirect_uris: [https://app.example/cb]\n`;
    const plan = await planFor(text);
    expect(plan.takesOver).toEqual([{ kind: 'client', name: client.id, title: 'From the file' }]);
    expect(plan.changes).toMatchObject([
      {
        action: 'change',
        loosens: true,
        changes: [
          { what: 'name', from: 'App', to: 'From the file' },
          { what: 'description', from: 'By hand', to: null },
          { what: 'first_party', from: false, to: true },
        ],
      },
    ]);
    expect((await showClient(client.id)).name).toBe('App');
    await apply(text);
    const mine = updateClient(client.id, { name: 'Mine' }, { actor, now: now() });
    await expect(mine).rejects.toThrow('managed in gatehouse.yaml');
    await apply('apps: {}\n');
  });

  test('faults of all sections of the configuration file are reported together with their lines', async () => {
    const revision = await readRevision();
    const text = `groups:
  "a,b":
scopes:
  good: {description: See}
  bad: {description: "", descriptions: {xx: Text}}
settings:
  CODE_TTL: never
apps:
  one:
    name: One
    redirect_uris: [ftp://one.example]
    scopes: [unheard]
    secret: {env: NOT_SET}
  two: {name: Two, redirect_uris: [http://two.example/cb], secret: {env: SHORT}}
  three: {name: Three}
  four: {name: Four, type: public, secret: {hash: x}, redirect_uris: [https://four.example]}
apis:
  https://api.example: {name: Api, asked_by: [nobody]}
`;
    const said = await faultsOf(text, { SHORT: 'hunter2' });
    expect(said.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual(
      [
        'gatehouse.yaml:2: groups.a,b:',
        'gatehouse.yaml:5: scopes.bad.description:',
        'gatehouse.yaml:5: scopes.bad.descriptions:',
        'gatehouse.yaml:7: settings.CODE_TTL:',
        'gatehouse.yaml:11: apps.one.redirect_uris:',
        'gatehouse.yaml:12: apps.one.scopes:',
        'gatehouse.yaml:13: apps.one.secret',
        'gatehouse.yaml:14: apps.two.secret',
        'gatehouse.yaml:14: apps.two.redirect_uris:',
        'gatehouse.yaml:15: apps.three.secret',
        'gatehouse.yaml:16: apps.four.secret',
        'gatehouse.yaml:18: apis.https://api.example.asked_by:',
      ].map((line) => expect.stringContaining(line)),
    );
    expect(said.join()).not.toContain('hunter2');
    expect(await readRevision()).toBe(revision);
    await expect(showScope('good')).rejects.toThrow('There is no scope');
  });

  test('a client secret in the configuration file: from a file, a hash or several; kept where its variable is unset', async () => {
    const app = (secret: string) =>
      `apps:\n  keys: {name: Keys, redirect_uris: [https://keys.example/cb], secret: ${secret}}\n`;
    put('secret.txt', `${env.NEW_SECRET}\n`);
    const hashes = async () =>
      (await showClient('keys')).secrets.map(({ hash }) => hash).toSorted();
    await apply(app('{file: secret.txt}'));
    expect(await hashes()).toEqual([digest(env.NEW_SECRET)]);
    await apply(app(`[{file: secret.txt}, {hash: ${digest('old')}}]`));
    expect(await hashes()).toEqual([digest('old'), digest(env.NEW_SECRET)].toSorted());
    const { plan } = await apply(app('{env: ELSEWHERE}'));
    expect(plan.notes).toEqual([
      'The secret of Keys (keys) stays as it is: ELSEWHERE is not set here.',
    ]);
    expect(await hashes()).toHaveLength(2);
    expect((await apply(app('{file: secret.txt}'))).plan.changes).toHaveLength(1);
    expect(await hashes()).toEqual([digest(env.NEW_SECRET)]);
    const twice = `${app('{file: secret.txt}')}  other: {name: Other, redirect_uris: [https://other.example/cb], secret: {file: secret.txt}}\n`;
    expect((await faultsOf(twice)).join()).toContain('Another client has this secret');
    await apply('apps: {}\n');
  });

  test('the configuration file: logos are files beside it, and unchanged ones are not processed again', async () => {
    put('logo.png', png(30, 20));
    put('dark.png', png(31, 20));
    const text =
      'branding: {logo: logo.png, dark_logo: dark.png, icon: logo.png}\napps:\n  drawn: {name: Drawn, type: public, redirect_uris: [https://d.example/cb], logo: logo.png}\n';
    await apply(text);
    expect((await showClient('drawn')).logo).not.toBeNull();
    expect((await planFor(text)).changes).toEqual([]);
    const { pictures, text: exported } = await exportFile({ withHashes: false });
    expect(pictures.map(({ name }) => name)).toEqual([
      'logos/server.webp',
      'logos/server-dark.webp',
      'logos/server-icon.png',
      'logos/drawn.webp',
    ]);
    for (const { name, bytes } of pictures) put(name.replace('logos/', ''), bytes);
    expect((await planFor(exported.replaceAll('logos/', ''))).changes).toEqual([]);
    expect(await faultsOf('branding: {logo: nowhere.png}\n')).toEqual([
      expect.stringContaining('gatehouse.yaml:1: branding.logo: There is no file'),
    ]);
    await apply('branding: {logo: none, icon: none}\n');
    expect((await showBranding()).brand).toMatchObject({ logo: null, darkLogo: null, icon: null });
    expect(await faultsOf('branding: {dark_logo: dark.png}\n')).toEqual([
      expect.stringContaining('branding.dark_logo: There is no logo yet'),
    ]);
    await apply('apps: {}\n');
  });

  test('concurrent applies of the configuration file run one after the other, each with a plan of its own', async () => {
    const name = unique('race');
    const text = `groups:\n  ${name}: {description: Once}\n`;
    const done = await Promise.all([apply(text), apply(text), apply(text)]);
    expect(done.filter((one) => one.done)).toHaveLength(1);
    await apply('apps: {}\n');
  });
});

for (const [from, to] of [databases, databases.toReversed()])
  test(`an export from ${from} changes nothing there, and creates the same on an empty ${to}`, async () => {
    workOn(await createDatabase(from ?? 'sqlite'));
    const { username } = await newPerson();
    await apply(whole(username), env);
    await createGroup({ name: 'By hand' }, actor, now());
    await newApp({
      id: 'hand',
      name: 'Hand',
      redirectUris: ['http://plain.example/cb'],
      allowInsecureRedirectUri: true,
    });
    await setSetting('REQUIRE_PKCE', 'on', actor, now());
    const { text } = await exportFile({ withHashes: false });
    expect(text).not.toContain(env.WIKI_SECRET);
    expect(text).not.toContain(digest(env.WIKI_SECRET));
    const plan = await planFor(text);
    expect(plan.changes).toEqual([]);
    expect(plan.takesOver.map(({ name }) => name)).toEqual(['REQUIRE_PKCE', 'By hand', 'hand']);
    const hashed = await exportFile({ withHashes: true });

    workOn(await createDatabase(to ?? 'sqlite'));
    const missing = await faultsOf(text, { APP_WIKI_SECRET: env.WIKI_SECRET });
    expect(missing).toEqual([expect.stringContaining('apps.hand.secret needs APP_HAND_SECRET')]);
    const { plan: made } = await apply(hashed.text);
    expect(made.notes).toEqual([expect.stringContaining(`${username} may use Wiki (wiki) once`)]);
    await newPerson({ username });
    await apply(hashed.text);
    expect(parse((await exportFile({ withHashes: true })).text)).toEqual(parse(hashed.text));
  });

test.each(databases)(
  'an export of an empty %s database names nothing, and applying it changes nothing',
  async (kind) => {
    workOn(await createDatabase(kind));
    const { text } = await exportFile({ withHashes: false });
    expect(parse(text)).toEqual({ apps: {} });
    expect((await apply(text)).done).toBe(false);
  },
);
