import type { Permission } from '#lib/people/roles.ts';

/**
 * The permission needed to open each page of the dashboard; links and navigation depend on it. A
 * page that is not listed is for admins, and if an address matches two, the first one counts. Each
 * page guards itself: tests/admin-guards.test.ts compares the guards with this list.
 */
export const openings: Readonly<Record<string, Permission>> = {
  '/admin': 'enter',
  '/admin/search': 'enter',
  '/admin/find': 'enter',
  '/admin/export': 'see-everything',
  '/admin/people/new': 'admin',
  '/admin/people': 'see-people',
  '/admin/people/invite': 'see-people',
  '/admin/people/export': 'see-everything',
  '/admin/people/import': 'help-people',
  '/admin/people/import/program': 'admin',
  '/admin/people/import/program/[fileId]': 'admin',
  '/admin/people/import/[listId]': 'help-people',
  '/admin/people/batches': 'see-people',
  '/admin/people/batches/[batchId]': 'see-people',
  '/admin/people/many/[operation]': 'help-people',
  '/admin/people/[userId]': 'see-people',
  '/admin/people/[userId]/leave': 'see-everything',
  '/admin/clients/new': 'admin',
  '/admin/clients': 'see-everything',
  '/admin/clients/[clientId]': 'see-everything',
  '/admin/clients/[clientId]/connect': 'see-everything',
  '/admin/clients/[clientId]/access': 'see-everything',
  '/admin/clients/[clientId]/activity': 'see-everything',
  '/admin/clients/[clientId]/preview': 'see-everything',
  '/admin/clients/[clientId]/settings': 'see-everything',
  '/admin/groups/new': 'admin',
  '/admin/groups': 'see-everything',
  '/admin/groups/[groupId]': 'see-everything',
  '/admin/providers/new': 'admin',
  '/admin/providers': 'see-everything',
  '/admin/providers/[providerId]': 'see-everything',
  '/admin/directories': 'see-everything',
  '/admin/scopes/new': 'admin',
  '/admin/scopes': 'see-everything',
  '/admin/scopes/[name]': 'see-everything',
  '/admin/scopes/[name]/edit': 'see-everything',
  '/admin/apis/new': 'admin',
  '/admin/apis': 'see-everything',
  '/admin/apis/[apiId]': 'see-everything',
  '/admin/fields/new': 'admin',
  '/admin/fields': 'see-everything',
  '/admin/fields/[field]': 'see-everything',
  '/admin/fields/[field]/edit': 'see-everything',
  '/admin/approvals': 'see-everything',
  '/admin/approvals/export': 'see-everything',
  '/admin/approvals/matrix': 'see-everything',
  '/admin/approvals/matrix/export': 'see-everything',
  '/admin/traces': 'see-everything',
  '/admin/traces/[traceId]': 'see-everything',
  '/admin/audit': 'see-everything',
  '/admin/audit/export': 'see-everything',
  '/admin/audit/[eventId]': 'see-everything',
  '/admin/settings': 'see-everything',
  '/admin/settings/api': 'see-everything',
  '/admin/settings/general': 'see-everything',
  '/admin/settings/keys': 'see-everything',
  '/admin/settings/look': 'see-everything',
  '/admin/settings/new-apps': 'see-everything',
  '/admin/settings/permissions': 'see-everything',
  '/admin/settings/security': 'see-everything',
  '/admin/settings/sign-in': 'see-everything',
};

const patterns = Object.keys(openings).map((pattern) => [pattern, pattern.split('/')] as const);

/** The permission needed to open this address of the dashboard. */
export function needToOpen(href: string): Permission {
  const parts = href.replace(/[?#].*$/s, '').split('/');
  const fits = (part: string, index: number) => part.startsWith('[') || part === parts[index];
  const found = patterns.find(([, own]) => own.length === parts.length && own.every(fits));
  return (found && openings[found[0]]) ?? 'admin';
}
