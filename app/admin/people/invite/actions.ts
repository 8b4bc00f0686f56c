'use server';

import { invitationActs } from '#lib/management/invitation/acts.ts';
import { doneAt, textOf } from '../../act.ts';
import { doing, shown } from '../../doing.ts';
import { groupsIn } from '../../groups/read.ts';

export type Invited = { email: string; mailed: boolean; link: string | null };

export const invitePerson = doing(
  invitationActs.create,
  (form) => ({ email: textOf(form, 'email').trim(), groups: groupsIn(form) }),
  ({ email, mailed, link }) => shown<Invited>({ email, mailed, link }),
);

export const takeBackInvitation = doing(
  invitationActs.delete,
  (form) => ({ id: textOf(form, 'id') }),
  () => doneAt('/admin/people/invite', 'invite.takenBack'),
);
