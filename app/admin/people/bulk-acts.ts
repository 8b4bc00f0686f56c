import { needOf } from '#lib/identity/guards.ts';
import { canSendMail } from '#lib/mail/post.ts';
import { operationNamed, startable } from '#lib/management/batch/operations.ts';
import type { Text } from '#lib/messages/text.ts';
import { may, type Role } from '#lib/people/roles.ts';
import type { BulkAct } from '../ui/table/selection.ts';
import { operationLabel } from './batches/operation-label.ts';

/** What users with this role can do to several people at once. */
export function peopleActs(text: Text, role: Role): BulkAct[] {
  const exports = { label: text('table.export'), href: '/admin/people/export' };
  return [
    ...(may(role, 'see-everything') ? [exports] : []),
    ...operationActs(text, role, 'people'),
  ];
}

/** What users with this role can do to several invitations at once. */
export const invitationActs = (text: Text, role: Role): BulkAct[] =>
  operationActs(text, role, 'invitations').map((act) =>
    canSendMail() ? act : { ...act, label: text('links.title') },
  );

function operationActs(text: Text, role: Role, whom: 'people' | 'invitations'): BulkAct[] {
  return startable.flatMap((name) => {
    const operation = operationNamed(name);
    if (!operation || (operation.noun === 'invitation') !== (whom === 'invitations')) return [];
    if (!may(role, needOf(operation.act.may).permission)) return [];
    const href = `/admin/people/many/${name}`;
    return [{ label: operationLabel(text, name), href, danger: operation.ends }];
  });
}
