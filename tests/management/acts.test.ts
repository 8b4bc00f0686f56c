import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { config } from '#lib/config.ts';
import { type Act, act, actingAs, type By, NotAllowed, perform } from '#lib/management/act.ts';
import { apiActs } from '#lib/management/api/acts.ts';
import { approvalActs } from '#lib/management/approval/acts.ts';
import { attemptActs } from '#lib/management/attempt/acts.ts';
import { auditEventActs } from '#lib/management/audit-event/acts.ts';
import { brandingActs } from '#lib/management/branding/acts.ts';
import { grantActs } from '#lib/management/grant/acts.ts';
import { groupActs } from '#lib/management/group/acts.ts';
import { hostActs } from '#lib/management/host/acts.ts';
import { invitationActs } from '#lib/management/invitation/acts.ts';
import { keyActs } from '#lib/management/key/acts.ts';
import { AdminRefusal } from '#lib/management/refusal.ts';
import { registrationTokenActs } from '#lib/management/registration-token/acts.ts';
import { settingActs } from '#lib/management/setting/acts.ts';
import { text, yesOrNo } from '#lib/management/values.ts';
import { newId } from '#lib/oauth/secrets.ts';
import type { Role } from '#lib/people/roles.ts';
import { storeClientRequest } from '#lib/store/client-requests.ts';
import { widenGrantOf } from '#lib/store/grants.ts';
import { recordTrace } from '#lib/store/traces.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newApp, newPerson, unique } from './people.ts';

class Stale extends Error {}
const by = (role: Role = 'admin', more: Partial<By> = {}): By => ({
  ...actingAs(role, { id: 'cli' }),
  now: new Date(),
  demandFresh: () => {},
  ...more,
});
const stale = (role: Role = 'admin') =>
  by(role, {
    demandFresh: () => {
      throw new Stale();
    },
  });

const newGroup = () => perform(groupActs.create, { name: unique('Group') }, by());

async function refusalOf(work: Promise<unknown>): Promise<AdminRefusal> {
  const error = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AdminRefusal);
  return error as AdminRefusal;
}

const unknownPrototype = JSON.parse(
  '{"__proto__": "__proto__: Unknown field. There are: name, on, deep, password."}',
);

describe('an act of administration', () => {
  const told: string[] = [];
  const open = act({
    may: 'help-people',
    says: 'try something',
    takes: z.strictObject({
      name: text,
      on: yesOrNo.optional(),
      deep: z.strictObject({ list: z.array(text) }).optional(),
      password: text.optional(),
    }),
    tells: z.object({ name: text }),
    async run({ name }) {
      told.push(name);
      return { name, secret: 'gh_1' };
    },
  });
  const fresh = act({ ...open, may: 'fresh-help-people' });
  const ran = async (work: () => Promise<unknown>) => {
    const before = told.length;
    await work().catch(() => {});
    return told.length > before;
  };

  test('runs for a role that may do it, and returns only the properties of its output schema', async () => {
    expect(await perform(open, { name: 'a' }, by('support'))).toEqual({ name: 'a' });
  });

  test('is refused to any other role before anything is read', async () => {
    for (const role of ['auditor', 'none'] as const) {
      const refused = perform(open, { name: 1 } as never, by(role));
      await expect(refused).rejects.toBeInstanceOf(NotAllowed);
      expect(await ran(() => perform(open, { name: 'a' }, by(role)))).toBe(false);
    }
  });

  test('that requires a fresh sign-in asks for it before the input is read', async () => {
    await expect(perform(fresh, { name: 1 } as never, stale())).rejects.toBeInstanceOf(Stale);
    await expect(perform(fresh, { name: 'a' }, stale('none'))).rejects.toBeInstanceOf(NotAllowed);
    expect(await ran(() => perform(fresh, { name: 'a' }, by()))).toBe(true);
  });

  test.each<[string, unknown, Record<string, string>]>([
    ['what is missing', {}, { name: 'name is missing.' }],
    ['another kind', { name: 5 }, { name: 'name is 5, and has to be a string.' }],
    [
      'what is no switch',
      { name: 'a', on: 'on' },
      { on: 'on is "on", and has to be true or false.' },
    ],
    ['an unknown name', { name: 'a', nam: 'b' }, { nam: 'nam: Unknown field. Did you mean name?' }],
    [
      'a deep place',
      { name: 'a', deep: { list: ['b', null] } },
      { 'deep.list[1]': 'deep.list[1] is null, and has to be a string.' },
    ],
    ['a secret', { name: 'a', password: 12345 }, { password: 'password has to be a string.' }],
    ['no object', [], {}],
    ['nothing', undefined, {}],
    ['a prototype', JSON.parse('{"name": "a", "__proto__": {"on": true}}'), unknownPrototype],
  ])('refuses %s in its input, naming the place', async (_, said, faults) => {
    const refusal = await refusalOf(perform(open, said as never, by()));
    expect(refusal.kind).toBe('refused');
    expect(Object.keys(refusal.sentences)).toEqual(Object.keys(faults));
    expect(refusal.sentences).toMatchObject(faults);
  });

  test('reports fifty faults of its input at most', async () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`n${at}`, 1]));
    const { faults } = await refusalOf(perform(open, many as never, by()));
    expect(Object.keys(faults)).toHaveLength(50);
  });
});

type AnyAct = Act<z.ZodType, z.ZodType>;
const files = globSync('lib/{import,management/*}/acts.ts').toSorted();
const nouns = await Promise.all(
  files.map((file) => import(/* @vite-ignore */ resolve(file)) as Promise<Record<string, object>>),
);
/** Every act of every noun, named as in `groupActs.create`. */
const everyAct = nouns.flatMap((exported) =>
  Object.entries(exported)
    .filter(([noun]) => noun.endsWith('Acts'))
    .flatMap(([noun, acts]) =>
      Object.entries(acts).map(([name, each]) => [`${noun}.${name}`, each as AnyAct] as const),
    ),
);

describe.each(everyAct)('the act %s', (_, each) => {
  test('is refused to a user without a role', async () => {
    await expect(perform(each, {}, by('none'))).rejects.toBeInstanceOf(NotAllowed);
  });

  test('refuses an input property that its schema does not name', async () => {
    const { faults } = await refusalOf(perform(each, { 'no such name': 1 }, by()));
    expect(faults).toHaveProperty('no such name');
  });

  test('always returns every property of its output schema, and has a description', () => {
    expect(optionalIn(z.toJSONSchema(each.tells, { unrepresentable: 'any' }))).toEqual([]);
    expect(each.says).toMatch(/^[a-z].*[^.]$/);
  });
});

/** The optional properties anywhere in a JSON Schema. */
function optionalIn(schema: object): string[] {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, object>;
    required?: string[];
  };
  const below = Object.values(schema).filter((part) => typeof part === 'object' && part !== null);
  return [
    ...Object.keys(properties).filter((name) => !required.includes(name)),
    ...below.flatMap((part: object) => optionalIn(part)),
  ];
}

test('an actor who is not an admin can act only on people without a role', () => {
  const source = { id: 'k', address: '192.0.2.1' };
  expect(actingAs('admin', source)).toEqual({ role: 'admin', actor: source });
  for (const role of ['support', 'auditor', 'none'] as const)
    expect(actingAs(role, source)).toEqual({ role, actor: { ...source, reach: 'people' } });
});

onEachDatabase(() => {
  test('a wrong value in the input for an API is reported at its place', async () => {
    const said = { identifier: 'x', name: 'x', scopes: [{ name: 5 }], access: 'all' };
    const { sentences } = await refusalOf(perform(apiActs.create, said as never, by()));
    expect(sentences).toEqual({
      access: 'access is "all", and has to be one of: listed, admins, anyone.',
      'scopes[0].name': 'scopes[0].name is 5, and has to be a string.',
      'scopes[0].description': 'scopes[0].description is missing.',
    });
  });

  test('a setting takes JSON values; a change on top of another admin’s change is a conflict', async () => {
    const name = 'REQUIRE_PKCE';
    const seen = settingActs.show.version?.(await perform(settingActs.show, { name }, by()));
    const set = (value: boolean | string | null) =>
      perform(settingActs.set, { name, value }, by('admin', { seen }));
    expect(await set(true)).toMatchObject({ name, value: true, source: 'stored', fixed: false });
    expect(await refusalOf(set(false))).toMatchObject({ kind: 'conflict', field: 'seen' });
    for (const value of ['default', null])
      expect(await perform(settingActs.set, { name, value }, by())).toMatchObject({
        source: 'default',
      });
    const { settings } = await perform(settingActs.list, {}, by('auditor'));
    expect(settings).toContainEqual(expect.objectContaining({ name }));
    const unknown = { name: 'no_such', value: true };
    expect((await refusalOf(perform(settingActs.set, unknown, by()))).kind).toBe('missing');
    const wrong = await refusalOf(
      perform(settingActs.set, { name, value: { on: true } } as never, by()),
    );
    expect(wrong.message).toContain('has to be a string, a number, on or off');
  });

  test('several settings are changed, all or none', async () => {
    const both = (seconds: number) => [
      { name: 'CODE_TTL', value: seconds },
      { name: 'require_pkce', value: true },
    ];
    const wrong = await refusalOf(perform(settingActs.setAll, { changes: both(-5) }, by()));
    expect(wrong.faults).toHaveProperty('codeTtl');
    const pkce = () => perform(settingActs.show, { name: 'require_pkce' }, by());
    expect((await pkce()).source).toBe('default');
    expect(await perform(settingActs.setAll, { changes: both(30) }, by())).toEqual({ changed: 2 });
    expect((await pkce()).source).toBe('stored');
    const late = [{ name: 'CODE_TTL', value: 40, seen: '20' }];
    expect((await refusalOf(perform(settingActs.setAll, { changes: late }, by()))).kind).toBe(
      'conflict',
    );
    const back = both(0).map(({ name }) => ({ name, value: null }));
    await perform(settingActs.setAll, { changes: back }, by());
  });

  test('a change of the branding changes only what is given, and a logo is given in base64', async () => {
    const before = await perform(brandingActs.show, {}, by('auditor'));
    const seen = brandingActs.show.version?.(before);
    const named = await perform(brandingActs.update, { name: 'Acme' }, by('admin', { seen }));
    expect(named).toEqual({ ...before, name: 'Acme' });
    const late = perform(brandingActs.update, { accent: '#0b6354' }, by('admin', { seen }));
    expect((await refusalOf(late)).kind).toBe('conflict');
    const links = [{ label: 'Imprint', href: 'https://example.org/imprint' }];
    const linked = await perform(brandingActs.update, { footer_links: links }, by());
    expect(linked).toEqual({ ...before, name: 'Acme', footer_links: links });
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    expect((await perform(brandingActs.setLogo, { logo: pixel }, by())).logo).toMatch(/./);
    expect((await perform(brandingActs.removeLogo, {}, by())).logo).toBeNull();
    for (const logo of ['%%%', 'aGVsbG8='])
      expect(await refusalOf(perform(brandingActs.setLogo, { logo }, by()))).toMatchObject({
        field: 'logo',
      });
    await perform(brandingActs.update, { name: null, footer_links: [] }, by());
  });

  test('signing keys are rotated and revoked, and their key material is never returned', async () => {
    const made = await perform(keyActs.rotate, {}, by());
    const { keys, token_keys } = await perform(keyActs.list, {}, by('auditor'));
    expect(keys).toEqual(expect.arrayContaining(made.keys));
    expect(Object.keys(token_keys[0] ?? {})).toEqual(['kid', 'created_at', 'retired_at']);
    const kid = made.keys[0]?.kid ?? '';
    const left = await perform(keyActs.revoke, { kid }, by());
    expect(left.keys.map((key) => key.kid)).not.toContain(kid);
    expect((await refusalOf(perform(keyActs.revoke, { kid }, by()))).kind).toBe('missing');
  });

  test('audit events are listed by user and time, and a time that is not one is refused', async () => {
    const person = await newPerson();
    const filter = { user: person.id, since: '2020-01-01' };
    const { events } = await perform(auditEventActs.list, filter, by('auditor'));
    expect(events.map(({ type, username }) => [type, username])).toEqual([
      ['user.created', person.username],
    ]);
    const before = { user: person.id, until: '2020-01-01T00:00:00Z' };
    expect((await perform(auditEventActs.list, before, by())).events).toEqual([]);
    for (const since of ['yesterday', '', '2026-13-40', 5])
      expect(
        (await refusalOf(perform(auditEventActs.list, { since } as never, by()))).sentences.since,
      ).toContain('has to be a date-time such as');
  });

  test('approvals are listed with user and app; revoking all approvals of an app requires a fresh sign-in', async () => {
    const person = await newPerson();
    const { client } = await newApp();
    const given = { scopes: ['email'], remembered: [] };
    await widenGrantOf({ userId: person.id, clientId: client.id }, null, given, new Date());
    const of = { user: person.id, client: client.id };
    const { grants } = await perform(grantActs.list, of, by('auditor'));
    expect(grants).toMatchObject([{ user_id: person.id, client_id: client.id, scope: 'email' }]);
    await expect(perform(grantActs.revoke, { client: client.id }, stale())).rejects.toBeInstanceOf(
      Stale,
    );
    expect(await perform(grantActs.revoke, of, stale())).toEqual({ revoked: 1 });
    const nothing = await refusalOf(perform(grantActs.revoke, {}, by()));
    expect(nothing.message).toContain('Choose a user, a client, or both');
  });

  test('an app that waits for approval is approved or refused', async () => {
    const person = await newPerson();
    const host = `${unique('app').toLowerCase()}.example`;
    const id = `https://${host}/app`;
    const app = { id, origin: 'document', name: 'Weather', host } as const;
    await storeClientRequest(app, person.id, { type: 'client.requested' }, new Date());
    const { waiting } = await perform(approvalActs.list, {}, by('auditor'));
    const asked_by = person.username;
    expect(waiting).toContainEqual(expect.objectContaining({ client_id: id, host, asked_by }));
    const which = { client_id: id };
    const decided = { client_id: id, host };
    expect(await perform(approvalActs.refuse, which, by())).toEqual({
      ...decided,
      decision: 'refused',
    });
    expect(await perform(approvalActs.approve, which, by())).toEqual({
      ...decided,
      decision: 'allowed',
    });
    const unknown = await refusalOf(perform(approvalActs.approve, { client_id: 'x' }, by()));
    expect(unknown.kind).toBe('missing');
  });

  test('a sign-in attempt is shown with its requests, by its id and by the id of a request', async () => {
    const { client } = await newApp();
    const [attempt, requestId] = [newId(new Date()), unique('request')];
    const refusal = {
      rule: 'redirect-uri.unregistered' as const,
      received: 'https://x.example/',
      expected: ['a'],
      code: 'invalid_request',
      reason: 'No.',
    };
    recordTrace(
      {
        attempt,
        requestId,
        step: 'authorize',
        outcome: 'refused',
        clientId: client.id,
        userId: null,
        behind: 'app',
        refusal,
      },
      new Date(),
    );
    const { traces } = await perform(
      attemptActs.list,
      { client: client.id, failed: 'true', reason: 'redirect-uri.unregistered' },
      by('auditor'),
    );
    expect(traces).toMatchObject([{ id: attempt, outcome: 'refused' }]);
    for (const id of [attempt, requestId])
      expect(await perform(attemptActs.show, { id }, by())).toMatchObject({
        id: attempt,
        client_meant: null,
        steps: [{ request_id: requestId, error: 'invalid_request', received: refusal.received }],
      });
    expect((await refusalOf(perform(attemptActs.show, { id: 'x' }, by()))).kind).toBe('missing');
    const typed = { id: attempt, request: requestId, place: 'elsewhere.example' };
    expect((await refusalOf(perform(attemptActs.fix, typed, by()))).kind).toBe('refused');
  });

  test('a registration token is returned once, when it is created', async () => {
    const made = await perform(registrationTokenActs.create, { name: 'Build' }, by());
    expect(made.token).toMatch(/^gh_ia_/);
    const list = await perform(registrationTokenActs.list, {}, by('auditor'));
    expect(JSON.stringify(list)).toContain(made.id);
    expect(JSON.stringify(list)).not.toContain(made.token);
    const gone = { id: made.id, name: 'Build', removed: true };
    expect(await perform(registrationTokenActs.delete, { id: made.id }, by())).toEqual(gone);
    const again = await refusalOf(perform(registrationTokenActs.delete, { id: made.id }, by()));
    expect(again.kind).toBe('missing');
  });

  test('the support role gets the link of an invitation only if no mail delivers it', async () => {
    await perform(settingActs.set, { name: 'registration', value: 'invitation' }, by());
    const invite = (role: Role) =>
      perform(invitationActs.create, { email: `${unique('invited')}@example.org` }, by(role));
    const link = expect.stringContaining('http');
    expect(await invite('support')).toMatchObject({ mailed: true, link: null });
    expect(await invite('admin')).toMatchObject({ mailed: true, link });
    config().production = true;
    expect(await invite('support')).toMatchObject({ mailed: false, link });
    config().production = false;
  });

  test('the support role lists and withdraws invitations, but only an admin can give them groups', async () => {
    await perform(settingActs.set, { name: 'registration', value: 'invitation' }, by());
    const email = `${unique('invited')}@example.org`;
    const made = await perform(invitationActs.create, { email }, by('support'));
    const groups = [(await newGroup()).name];
    const refusal = await refusalOf(
      perform(invitationActs.create, { email, groups }, by('support')),
    );
    expect(refusal.field).toBe('groups');
    const { invitations } = await perform(invitationActs.list, {}, by('auditor'));
    expect(invitations).toContainEqual(expect.objectContaining({ id: made.id, email }));
    expect(await perform(invitationActs.delete, { id: made.id }, by('support'))).toEqual({
      id: made.id,
      revoked: true,
    });
  });

  test('a host is blocked once, and unblocked', async () => {
    const host = `${unique('host').toLowerCase()}.example`;
    expect(await perform(hostActs.block, { host: host.toUpperCase() }, by())).toEqual({
      host,
      apps: 0,
      people: 0,
      sign_ins: 0,
    });
    const again = await refusalOf(perform(hostActs.block, { host }, by()));
    expect(again).toMatchObject({ kind: 'conflict', field: 'host' });
    const { hosts } = await perform(hostActs.list, {}, by('auditor'));
    expect(hosts).toContainEqual({ host, apps: 0, blocked_at: expect.any(Date) });
    expect(await perform(hostActs.unblock, { host }, by())).toEqual({ host, blocked: false });
    expect((await refusalOf(perform(hostActs.removeApps, { host }, by()))).kind).toBe('missing');
  });

  const made = () => newGroup();

  describe('acts about a group', () => {
    test('take the id of a group, not its name', async () => {
      const group = await made();
      for (const id of [group.name, '', 'no such id', '\0', 'x'.repeat(100_000)])
        expect(await refusalOf(perform(groupActs.show, { id }, by()))).toMatchObject({
          kind: 'missing',
          field: 'group',
        });
      expect(await perform(groupActs.show, { id: group.id }, by('auditor'))).toEqual({
        ...group,
        member_count: 0,
        apps: 0,
      });
    });

    test('refuse a group name that is taken as a conflict', async () => {
      const { name } = await made();
      const again = await refusalOf(perform(groupActs.create, { name: name.toUpperCase() }, by()));
      expect(again).toMatchObject({ kind: 'conflict', field: 'name' });
    });

    test('when a group is changed and deleted at the same time with one version, only one of the two happens', async () => {
      for (let round = 0; round < 5; round += 1) {
        const group = await made();
        const seen = groupActs.create.version?.(group);
        const done = await Promise.allSettled([
          perform(groupActs.update, { id: group.id, description: 'b' }, by('admin', { seen })),
          perform(groupActs.delete, { id: group.id }, by('admin', { seen })),
        ]);
        expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      }
    });

    test('require a fresh sign-in for a new group name, but not for a description', async () => {
      const { id } = await made();
      const described = await perform(groupActs.update, { id, description: 'b' }, stale());
      expect(described.description).toBe('b');
      const renamed = perform(groupActs.update, { id, name: unique('New') }, stale());
      await expect(renamed).rejects.toBeInstanceOf(Stale);
    });

    test('list, find, add and remove the members of a group', async () => {
      const { id, name } = await made();
      const ada = await newPerson();
      const bob = await newPerson();
      const people = [ada.username, bob.id];
      expect(await perform(groupActs.addMembers, { id, people }, by())).toEqual({
        id,
        name,
        already: [],
        added: [ada.id, bob.id],
      });
      const found = await perform(groupActs.listMembers, { id, q: ada.username }, by());
      expect(found).toMatchObject({ member_count: 1, members: [{ id: ada.id }], next: null });
      expect(await perform(groupActs.list, { user: ada.id, empty: 'false' }, by())).toMatchObject({
        groups: [{ id, member_count: 2 }],
      });
      expect(await perform(groupActs.removeMembers, { id, people: [ada.id] }, by())).toMatchObject({
        removed: [ada.id],
      });
      const part = await perform(groupActs.listMembers, { id, limit: '1' }, by());
      expect(part.members.map((one) => one.id)).toEqual([bob.id]);
      const outside = await refusalOf(perform(groupActs.list, { limit: 501 }, by()));
      expect(outside.sentences).toEqual({ limit: 'Use a limit from 1 to 500.' });
    });
  });
});
