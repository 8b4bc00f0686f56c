import type { Permission } from '#lib/people/roles.ts';

/**
 * What opening each page of the dashboard needs; links and navigation go by it. A page that is not
 * listed is for admins. Each page guards itself: tests/admin-guards.test.ts compares the two.
 */
export const openings: Readonly<Record<string, Permission>> = {
  '/admin': 'enter',
  '/admin/search': 'enter',
  '/admin/people': 'see-people',
  '/admin/people/[userId]': 'see-people',
  '/admin/new-person/invite': 'see-people',
  '/admin/clients': 'see-everything',
  '/admin/clients/[clientId]': 'see-everything',
  '/admin/clients/[clientId]/access': 'see-everything',
  '/admin/clients/[clientId]/activity': 'see-everything',
  '/admin/clients/[clientId]/preview': 'see-everything',
  '/admin/clients/[clientId]/settings': 'see-everything',
  '/admin/groups': 'see-everything',
  '/admin/groups/[groupId]': 'see-everything',
  '/admin/scopes': 'see-everything',
  '/admin/scopes/[name]': 'see-everything',
  '/admin/apis': 'see-everything',
  '/admin/apis/[apiId]': 'see-everything',
  '/admin/fields': 'see-everything',
  '/admin/fields/[field]': 'see-everything',
  '/admin/approvals': 'see-everything',
  '/admin/traces': 'see-everything',
  '/admin/traces/[traceId]': 'see-everything',
  '/admin/audit': 'see-everything',
  '/admin/audit/export': 'see-everything',
  '/admin/settings': 'see-everything',
  '/admin/settings/api': 'see-everything',
  '/admin/settings/general': 'see-everything',
  '/admin/settings/look': 'see-everything',
  '/admin/settings/new-apps': 'see-everything',
  '/admin/settings/permissions': 'see-everything',
  '/admin/settings/security': 'see-everything',
  '/admin/settings/sign-in': 'see-everything',
  '/admin/branding': 'see-everything',
  '/admin/keys': 'see-everything',
};

const patterns = Object.keys(openings).map((pattern) => [pattern, pattern.split('/')] as const);

/** What opening this address of the dashboard needs. */
export function needToOpen(href: string): Permission {
  const parts = href.replace(/[?#].*$/s, '').split('/');
  const fits = (part: string, index: number) => part.startsWith('[') || part === parts[index];
  const found = patterns.find(([, own]) => own.length === parts.length && own.every(fits));
  return (found && openings[found[0]]) ?? 'admin';
}
