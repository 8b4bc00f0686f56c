import { peopleWords as words } from '#lib/messages/admin/people.ts';
import type { Role } from '#lib/people/roles.ts';
import { Badge } from '../../ui/badge.tsx';

/** A person's role in the dashboard, if they have one. */
export function RoleBadge({ role }: { role: Role }) {
  return role === 'none' ? null : <Badge tone="accent">{words.roles[role]}</Badge>;
}
