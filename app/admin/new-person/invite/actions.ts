'use server';

import { invite, type NewInvitation, revokeInvitation } from '#lib/management/invitations.ts';
import { inviteWords as words } from '#lib/messages/admin/invite.ts';
import { act, doneAt, textOf } from '../../act.ts';
import type { FormState } from '../../ui/forms/state.ts';

export type Invited = Pick<NewInvitation, 'email' | 'link' | 'mailed'>;

export async function invitePerson(
  _: FormState<Invited>,
  form: FormData,
): Promise<FormState<Invited>> {
  return act<Invited>('fresh-admin', form, async ({ actor, now }) => {
    const { email, link, mailed } = await invite(textOf(form, 'email').trim(), actor, now);
    return { serial: now.getTime(), faults: {}, result: { email, link, mailed } };
  });
}

export async function takeBackInvitation(_: FormState, form: FormData): Promise<FormState> {
  return act('admin', form, async ({ actor, now }) => {
    await revokeInvitation(textOf(form, 'id'), actor, now);
    return doneAt('/admin/new-person/invite', words.takenBack);
  });
}
