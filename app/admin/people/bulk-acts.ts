import type { Text } from '#lib/messages/text.ts';
import { may, type Role } from '#lib/people/roles.ts';
import type { BulkAct } from '../ui/table/selection.ts';

/** What somebody of this role can do to several people at once. */
export function peopleActs(text: Text, role: Role): BulkAct[] {
  return may(role, 'see-everything')
    ? [{ label: text('table.export'), href: '/admin/people/export' }]
    : [];
}
