import { describe, expect, test } from 'vitest';
import { newAppPassword } from '#lib/identity/app-passwords.ts';
import { endAppPassword } from '#lib/store/app-passwords.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { newAppPasswordOf } from '../support/app-passwords.ts';
import { namedGroup } from '../support/groups.ts';
import { connect, newLdapApp, openLdapServer, ruleOf } from '../support/ldap.ts';
import { newUser, password } from '../support/seed.ts';

const { ldap } = await openLdapServer();

const scene = async (options: Parameters<typeof newLdapApp>[0] = {}) => {
  const app = await newLdapApp({ ldapPasswords: true, ...options });
  const user = await newUser();
  const dn = `uid=${user.username},ou=people,${app.dn}`;
  return { app, user, dn, client: await connect(ldap.url) };
};

describe('a person’s own password', () => {
  test('binds by each name where the app allows it', async () => {
    const { app, user, dn, client } = await scene();
    const uuid = user.id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    const names = [
      `uid=${user.username}`,
      `CN=${user.username}`,
      `mail=${user.email}`,
      `entryUUID=${uuid}`,
    ];
    for (const name of names) await client.bind(`${name},ou=people,${app.dn}`, password);
    expect(await ruleOf(client.bind(dn, 'wrong password'))).toBe('ldap.password');
    expect(await ruleOf(client.bind(dn, ''))).toBe('53');
    expect(await ruleOf(client.bind(`uid=nobody,ou=people,${app.dn}`, password))).toBe(
      'ldap.password',
    );
  });

  test('is refused where the app does not allow it, and for another app’s people', async () => {
    const { dn, client } = await scene({ ldapPasswords: false });
    expect(await ruleOf(client.bind(dn, password))).toBe('app-password.off');
    const listed = await scene({ access: 'listed' });
    expect(await ruleOf(listed.client.bind(listed.dn, password))).toBe('access.not-listed');
    const elsewhere = await scene({ networks: ['192.0.2.0/24'] });
    expect(await ruleOf(elsewhere.client.bind(elsewhere.dn, password))).toBe('access.network');
    expect(await ruleOf(elsewhere.client.bind(elsewhere.app.dn, elsewhere.app.secret))).toBe(
      'access.network',
    );
  });

  test('is not enough for who needs a second step, or has to change it', async () => {
    const { user, dn, client } = await scene();
    await write('UPDATE users SET must_change_password = TRUE WHERE id = $1', [user.id]);
    expect(await ruleOf(client.bind(dn, password))).toBe('ldap.password');
    const demanded = await scene();
    await write('UPDATE users SET require_second_factor = TRUE WHERE id = $1', [demanded.user.id]);
    expect(await ruleOf(demanded.client.bind(demanded.dn, password))).toBe(
      'second-factor-required',
    );
    const owner = await scene();
    await write(
      `INSERT INTO passkeys (id, user_id, name, public_key, counter, aaguid, created_at) VALUES ($1, $2, 'k', '', 0, '', $3)`,
      [`key-${owner.user.id}`, owner.user.id, new Date()],
    );
    expect(await ruleOf(owner.client.bind(owner.dn, password))).toBe('second-factor-required');
    const strict = await scene({ requireSecondFactor: true });
    expect(await ruleOf(strict.client.bind(strict.dn, password))).toBe('second-factor-required');
  });

  test('wrong ones are counted as on the sign-in page', async () => {
    const { dn, client } = await scene();
    for (let tries = 0; tries < 10; tries++) await ruleOf(client.bind(dn, 'wrong password'));
    await expect(client.bind(dn, password)).rejects.toMatchObject({ code: 51 });
  });

  test('lets a person see themselves and their groups, without other members', async () => {
    const { app, user, dn, client } = await scene();
    const other = await newUser();
    await namedGroup(`mine-${user.username}`, user, other);
    await namedGroup(`other-${user.username}`, other);
    await client.bind(dn, password);
    const { searchEntries } = await client.search(app.dn);
    expect(searchEntries.filter((entry) => entry.uid || entry.member)).toEqual([
      expect.objectContaining({ dn, memberOf: `cn=mine-${user.username},ou=groups,${app.dn}` }),
      expect.objectContaining({ cn: `mine-${user.username}`, member: dn }),
    ]);
    const filter = `(member=uid=${other.username},ou=people,${app.dn})`;
    expect((await client.search(app.dn, { filter })).searchEntries).toEqual([]);
    expect((await client.exop('1.3.6.1.4.1.4203.1.11.3')).value).toBe(`dn:${dn}`);
  });

  test.each([
    ['is disabled', 'UPDATE users SET disabled_at = $2 WHERE id = $1'],
    [
      'has a new password',
      `UPDATE users SET password_hash = 'x' WHERE id = $1 AND created_at < $2`,
    ],
    [
      'signs out everywhere',
      'UPDATE users SET epoch = epoch + 1 WHERE id = $1 AND created_at < $2',
    ],
  ])('a connection of a person who %s ends with the next operation', async (_, sql) => {
    const { app, user, dn, client } = await scene();
    await client.bind(dn, password);
    expect((await client.search(app.dn)).searchEntries.length).toBeGreaterThan(0);
    await write(sql, [user.id, new Date(Date.now() + 60_000)]);
    await expect(client.search(app.dn)).rejects.toMatchObject({ code: 50 });
  });

  test('is in the audit log once', async () => {
    const { app, user, dn, client } = await scene();
    await client.bind(dn, password);
    await client.bind(dn, password);
    const sql = `SELECT client_id FROM audit_events WHERE user_id = $1 AND type = 'sign-in.success'`;
    expect(await read(sql, [user.id])).toEqual([{ clientId: app.id }]);
  });
});

describe('an app password', () => {
  test('binds its owner, also one who needs a second step, and nobody else', async () => {
    const { app, user, dn, client } = await scene({
      appPasswords: true,
      requireSecondFactor: true,
    });
    const text = await newAppPasswordOf(user, app, { secondFactor: true });
    await client.bind(dn, text);
    await client.bind(`mail=${user.email},ou=people,${app.dn}`, text.toUpperCase());
    const other = await newUser();
    expect(await ruleOf(client.bind(`uid=${other.username},ou=people,${app.dn}`, text))).toBe(
      'app-password.other-login',
    );
    const elsewhere = await scene({ appPasswords: true });
    expect(
      await ruleOf(client.bind(`uid=${user.username},ou=people,${elsewhere.app.dn}`, text)),
    ).toBe('app-password.other-app');
    expect(await ruleOf(client.bind(dn, newAppPassword()))).toBe('app-password.unknown');
  });

  test('that is ended ends its connections with the next operation', async () => {
    const { app, user, dn, client } = await scene({ appPasswords: true });
    await client.bind(dn, await newAppPasswordOf(user, app));
    expect((await client.search(dn, { scope: 'base' })).searchEntries).toHaveLength(1);
    const event = { type: 'app-password.ended' } as const;
    const [password] = await read<{ id: string }>(
      'SELECT id FROM app_passwords WHERE user_id = $1',
      [user.id],
    );
    const which = { userId: user.id, id: password?.id ?? '' };
    await endAppPassword(which, event, [], { now: new Date() });
    await expect(client.search(dn, { scope: 'base' })).rejects.toMatchObject({ code: 50 });
  });
});
