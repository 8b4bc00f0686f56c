import type { Text } from '#lib/messages/text.ts';
import type { Role } from '#lib/people/roles.ts';
import { Badge } from '../../ui/badge.tsx';

/** A person's role in the dashboard, if they have one. */
export function RoleBadge({ role, text }: { role: Role; text: Text }) {
  return role === 'none' ? null : <Badge tone="accent">{text(`people.roles.${role}`)}</Badge>;
}
