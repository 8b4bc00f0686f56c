import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { addApiClients, removeApiClients } from '#lib/management/api/api-clients.ts';
import * as apis from '#lib/management/api/apis.ts';
import * as branding from '#lib/management/branding/branding.ts';
import { allow, disallow, showAccess } from '#lib/management/client/access.ts';
import * as clients from '#lib/management/client/clients.ts';
import { addContact, removeContact } from '#lib/management/client/contacts.ts';
import { removeLogo, setLogo } from '#lib/management/client/logos.ts';
import * as fields from '#lib/management/field/user-fields.ts';
import * as groups from '#lib/management/group/groups.ts';
import { addMembers, removeMembers } from '#lib/management/group/members.ts';
import * as scopes from '#lib/management/scope/scopes.ts';
import * as secrets from '#lib/management/secret/secrets.ts';
import { changeServer } from '#lib/management/set-up.ts';
import { listSettings, setSetting, setSettings } from '#lib/management/setting/settings.ts';
import { textIn } from '#lib/messages/text.ts';
import { type Actor, fileActor } from '#lib/store/actor.ts';
import { keepInFile, letGoOf } from '../support/kept.ts';
import { onOneForChange } from '../support/on-each-database.ts';
import { png } from '../support/pictures.ts';
import { actor, faultsOf, newApp, newPerson, unique } from './people.ts';

const say = textIn('en');

const now = () => new Date();
const description = 'See your photos';

/** An app that the file manages, with a person and a group that may use it. */
async function keptApp() {
  const { id } = (await newApp()).client;
  const group = await groups.createGroup({ name: unique('Family') }, actor, now());
  const listed = { groups: [{ id: group.id, name: group.name }], people: [(await newPerson()).id] };
  await allow(id, listed, actor, now());
  await keepInFile({ kind: 'client', key: id });
  return { id, listed };
}

type Act = (who: Actor) => Promise<unknown>;

async function refusals(...acts: Act[]) {
  const said = [];
  for (const act of acts) said.push((await faultsOf(act(actor)))['']);
  return said;
}

onOneForChange(() => {
  test('an app that the configuration file manages can be changed by the file but not by an admin', async () => {
    const { id, listed } = await keptApp();
    const before = await clients.showClient(id);
    const acts: Act[] = [
      (who) => clients.updateClient(id, { name: 'Mine' }, { actor: who, now: now() }),
      (who) => disallow(id, listed, who, now()),
      (who) => allow(id, listed, who, now()),
      (who) => clients.deleteClient(id, who, now()),
    ];
    const said = await refusals(...acts);
    expect(new Set(said)).toEqual(new Set([say('kept.refused.client')]));
    expect(await clients.showClient(id)).toEqual(before);
    expect((await showAccess(id)).people).toHaveLength(1);
    for (const act of acts) await act(fileActor);
    expect((await faultsOf(clients.showClient(id))).client).toContain('no client');
  });

  test('an app that the configuration file no longer manages can be changed by an admin again', async () => {
    const { id } = await keptApp();
    await letGoOf({ kind: 'client', key: id });
    const { client } = await clients.updateClient(id, { name: 'Mine' }, { actor, now: now() });
    expect(client.name).toBe('Mine');
  });

  test('a scope that the configuration file manages gets no user field from an admin, which would make it reveal more', async () => {
    const [scope, name] = [unique('kept'), unique('field')];
    await scopes.createScope({ name: scope, description }, actor, now());
    await keepInFile({ kind: 'scope', key: scope });
    const field = { name, label: 'Room', scope };
    const refused = await faultsOf(fields.createField(field, actor, now()));
    expect(refused.scope).toBe(say('kept.refused.scope'));
    await fields.createField({ ...field, scope: 'profile' }, actor, now());
    const moved = await faultsOf(fields.updateField(name, { scope }, { actor, now: now() }));
    expect(moved.scope).toBe(say('kept.refused.scope'));
    expect(
      (await fields.updateField(name, { scope }, { actor: fileActor, now: now() })).scope,
    ).toBe(scope);
  });

  test('secrets, logo, contacts and disabling of an app that the configuration file manages stay with admins', async () => {
    const { id } = await keptApp();
    const { username } = await newPerson();
    const { secret } = await secrets.rotateSecret(id, { keepOld: true }, actor, now());
    expect(secret).toMatch(/./);
    const [old] = (await clients.showClient(id)).secrets;
    expect((await secrets.removeSecret(id, old?.hash ?? '', actor, now())).secrets).toHaveLength(1);
    expect((await clients.disableClient(id, actor, now())).disabledAt).not.toBeNull();
    expect((await clients.enableClient(id, actor, now())).disabledAt).toBeNull();
    expect((await setLogo(id, png(20, 20), actor, now())).logo).not.toBeNull();
    expect((await removeLogo(id, actor, now())).logo).toBeNull();
    await addContact(id, username, actor, now());
    await removeContact(id, username, actor, now());
  });

  test('a group, scope, API or field that the configuration file manages is refused with a sentence for its kind', async () => {
    const group = await groups.createGroup({ name: unique('Kept') }, actor, now());
    const scope = unique('photos');
    await scopes.createScope({ name: scope, description }, actor, now());
    const field = unique('field');
    await fields.createField({ name: field, label: 'Room', scope: 'profile' }, actor, now());
    const identifier = `https://${unique('api')}.example`;
    const api = await apis.createApi({ identifier, name: 'API' }, actor, now());
    const app = (await newApp()).client.id;
    await addApiClients(api.id, 'asks', [app], { actor, now: now() });
    await keepInFile(
      { kind: 'group', key: group.id },
      { kind: 'scope', key: scope },
      { kind: 'field', key: field },
      { kind: 'api', key: api.id },
    );
    const refused = (kind: 'scope' | 'group' | 'api' | 'field') => say(`kept.refused.${kind}`);
    const acts: [string, Act][] = [
      [
        refused('group'),
        (who) => groups.updateGroup(group.id, { name: unique('x') }, { actor: who, now: now() }),
      ],
      [refused('group'), (who) => groups.deleteGroup(group.id, who, now())],
      [
        refused('scope'),
        (who) => scopes.updateScope(scope, { sensitive: true }, { actor: who, now: now() }),
      ],
      [refused('scope'), (who) => scopes.deleteScope(scope, who, now())],
      [
        refused('field'),
        (who) => fields.updateField(field, { label: 'x' }, { actor: who, now: now() }),
      ],
      [refused('field'), (who) => fields.deleteField(field, who, now())],
      [
        refused('api'),
        (who) => apis.updateApi(identifier, { name: 'x' }, { actor: who, now: now() }),
      ],
      [
        refused('api'),
        (who) => addApiClients(identifier, 'serves', [app], { actor: who, now: now() }),
      ],
      [
        refused('api'),
        (who) => removeApiClients(identifier, 'asks', [app], { actor: who, now: now() }),
      ],
      [refused('api'), (who) => apis.deleteApi(identifier, who, now())],
    ];
    expect(await refusals(...acts.map(([, act]) => act))).toEqual(acts.map(([words]) => words));

    const { username } = await newPerson();
    expect((await addMembers(group.id, [username], actor, now())).done).toHaveLength(1);
    expect((await removeMembers(group.id, [username], actor, now())).done).toHaveLength(1);
    for (const [, act] of acts) await act(fileActor);
  });

  test('a setting that the configuration file manages cannot be changed, alone or with others, and is shown as fixed', async () => {
    const setting = { kind: 'setting', key: 'CODE_TTL' } as const;
    await setSetting('CODE_TTL', '45', actor, now());
    await keepInFile(setting);
    try {
      const one = await faultsOf(setSetting('code_ttl', '50', actor, now()));
      expect(one).toEqual({ codeTtl: say('kept.refused.setting') });
      const both = [
        { key: 'codeTtl', text: '50', seen: '45' },
        { key: 'accessTokenTtl', text: '700', seen: '' },
      ] as const;
      expect(Object.keys(await faultsOf(setSettings(both, actor, now())))).toEqual(['codeTtl']);
      // The form of a page submits everything it shows; unchanged values are not a change.
      const same = [{ key: 'codeTtl', text: '45', seen: '45' }] as const;
      expect(await setSettings(same, actor, now())).toBe(0);
      const row = (await listSettings()).find(({ key }) => key === 'codeTtl');
      expect(row).toMatchObject({ value: 45, source: 'file', fixed: true });
      await setSetting('CODE_TTL', '46', fileActor, now());
    } finally {
      await letGoOf(setting);
      await setSetting('CODE_TTL', null, actor, now());
    }
  });

  test('branding that the configuration file manages cannot be changed, and saving it unchanged succeeds', async () => {
    const kept = { kind: 'branding', key: '' } as const;
    await keepInFile(kept);
    try {
      const { brand, stored } = await branding.showBranding();
      const look = branding.withoutPictures(brand);
      const changed = { ...look, name: unique('Mine') };
      const said = await refusals(
        (who) => branding.changeBranding(changed, stored, who, now()),
        (who) => branding.setBrandPicture('icon', png(20, 20), who, now()),
        (who) => branding.removeBrandPicture('logo', who, now()),
        (who) => changeServer({ look: changed, seen: stored }, [], who, now()),
      );
      expect(new Set(said)).toEqual(new Set([say('kept.refused.branding')]));
      expect(await changeServer({ look, seen: stored }, [], actor, now())).toBe(false);
    } finally {
      await letGoOf(kept);
    }
  });
});

/**
 * Acts on what the file does not contain, or acts that create a new thing, which the file cannot
 * manage yet.
 */
const inPeoplesHands = [
  'createClient disableClient enableClient rotateSecret removeSecret setSecrets setLogo removeLogo',
  'addContact removeContact setContacts setOwner addMembers addMembersUntil removeMembers',
  'createApi createGroup createScope createField changeServer setSettings',
].flatMap((names) => names.split(' '));

test('each act on what the configuration file can manage checks that, or is listed as an admin’s', () => {
  const root = resolve(import.meta.dirname, '../../lib/management');
  const rooms =
    '**/{clients,secrets,access,logos,contacts,api,api-clients,apis,groups,members,scopes,user-fields,branding,settings,set-up}.ts';
  const acts = globSync(rooms, { cwd: root }).flatMap((file) =>
    readFileSync(resolve(root, file), 'utf8')
      .split(/^(?=(?:export )?(?:async )?function )/m)
      .flatMap((text) => {
        const [parameters = ''] = text.split('): Promise<');
        const [, name] = /^export async function (\w+)/.exec(parameters) ?? [];
        return name && /\bactor: Actor\b|\bEditing\b/.test(parameters)
          ? [{ name, asks: /check(Settings)?NotKept\(/.test(text) }]
          : [];
      }),
  );
  expect(acts.length).toBeGreaterThan(25);
  const unasked = acts.filter(({ asks }) => !asks).map(({ name }) => name);
  const handsOn = unasked.filter((name) => !inPeoplesHands.includes(name));
  // These check through addApiClients, removeApiClients and brandingChanges.
  expect(handsOn.toSorted()).toEqual(['changeBranding', 'setApiClients']);
});
