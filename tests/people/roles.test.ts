import { expect, test } from 'vitest';
import { judgeAccess, type Need } from '#lib/identity/guards.ts';
import { may, permissions, permissionsAbout, type Role, roleOf, roles } from '#lib/people/roles.ts';
import type { Session } from '#lib/store/sessions.ts';

const now = new Date();
const sessionOf = (role: Role, minutes = 0) =>
  ({
    authTime: new Date(now.getTime() - minutes * 60_000),
    amr: 'pwd',
    user: { role, hasFactor: false },
  }) as Session;
const answer = (session: Session | null, need: Need) => {
  const access = judgeAccess(session, need, now);
  return 'refused' in access ? access.refused : 'admitted';
};

/** Who may do what, written out a second time so that a mistake in the table shows here. */
const table: Record<Role | 'developer', string> = {
  admin: 'enter see-people help-people see-everything see-app admin',
  support: 'enter see-people help-people',
  auditor: 'enter see-people see-everything see-app',
  developer: 'see-app',
  none: '',
};

test.each(Object.entries(table))('the role %s has the permissions: %s', (role, allowed) => {
  const found = permissions.filter((permission) => may(role as Role, permission));
  expect(found.join(' ')).toBe(allowed);
});

test.each(roles)('the role %s is admitted by its permissions, with a fresh sign-in', (role) => {
  for (const permission of permissions) {
    const allowed = may(role, permission);
    expect(answer(sessionOf(role), permission)).toBe(allowed ? 'admitted' : 'not-allowed');
    expect(answer(sessionOf(role), `fresh-${permission}`)).toBe(
      allowed ? 'admitted' : 'not-allowed',
    );
    expect(answer(sessionOf(role, 16), `fresh-${permission}`)).toBe(
      allowed ? 'stale' : 'not-allowed',
    );
    expect(answer(null, permission)).toBe('signed-out');
  }
  expect(answer(sessionOf(role, 600), 'user')).toBe('admitted');
});

test('only an admin may help users who have a role', () => {
  for (const role of roles)
    for (const other of roles) {
      const helps = permissionsAbout(role, { role: other }).includes('help-people');
      expect(helps, `${role} → ${other}`).toBe(
        role === 'admin' || (role === 'support' && other === 'none'),
      );
    }
});

test('a role is read from is_admin and role; an unknown role is none', () => {
  const read = (isAdmin: boolean, role: string | null) => roleOf({ isAdmin, role });
  expect(read(true, null)).toBe('admin');
  expect(read(true, 'support')).toBe('admin');
  expect(read(false, 'support')).toBe('support');
  expect(read(false, 'auditor')).toBe('auditor');
  for (const text of [null, '', 'admin', 'none', 'developer', 'Support', 'owner'])
    expect(read(false, text)).toBe('none');
});
