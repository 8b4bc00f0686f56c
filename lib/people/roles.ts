/*
 * The roles of the dashboard and what each may do: the one table that pages, actions, links and
 * tests rely on.
 */

/** What a person may do in the dashboard. Each person has one role. */
export const roles = ['admin', 'support', 'auditor', 'none'] as const;
export type Role = (typeof roles)[number];

/**
 * What a page or an action can require:
 * - `enter`: open the dashboard at all
 * - `see-people`, `help-people`: find people and help them sign in
 * - `see-everything`: read what admins read
 * - `see-app`: see one app's attempts and how it is connected, outside the dashboard
 * - `admin`: everything else
 */
export const permissions = [
  'enter',
  'see-people',
  'help-people',
  'see-everything',
  'see-app',
  'admin',
] as const;
export type Permission = (typeof permissions)[number];

/** A developer is named for an app, and has these permissions for that app alone. */
const granted: Record<Role | 'developer', readonly Permission[]> = {
  admin: permissions,
  support: ['enter', 'see-people', 'help-people'],
  auditor: ['enter', 'see-people', 'see-everything', 'see-app'],
  developer: ['see-app'],
  none: [],
};

export const permissionsOf = (role: Role | 'developer'): readonly Permission[] => granted[role];

/** What a role may do to this person: support staff may not touch accounts that have a role. */
export const permissionsAbout = (role: Role, { role: other }: { role: Role }) =>
  role === 'admin' || other === 'none'
    ? granted[role]
    : granted[role].filter((permission) => permission !== 'help-people');

export const may = (role: Role | 'developer', permission: Permission): boolean =>
  granted[role].includes(permission);

/** Whether a person has any role in the dashboard; stricter sign-in rules apply to those who do. */
export const holdsRole = ({ role }: { role: Role }): boolean => role !== 'none';

/** The role that two columns represent. A value that this version does not know gives no role. */
export function roleOf({ isAdmin, role }: { isAdmin: boolean; role: string | null }): Role {
  if (isAdmin) return 'admin';
  return role === 'support' || role === 'auditor' ? role : 'none';
}
