'use server';

import { invite, type NewInvitation, revokeInvitation } from '#lib/management/invitations.ts';
import { inviteWords as words } from '#lib/messages/admin/invite.ts';
import { act, doneAt, textOf } from '../../act.ts';
import { groupsIn } from '../../groups/read.ts';
import type { FormState } from '../../ui/forms/state.ts';

/** The link proves an address: who only helps people never has it where mail can bring it. */
export type Invited = Pick<NewInvitation, 'email' | 'mailed'> & { link: string | null };

export async function invitePerson(
  _: FormState<Invited>,
  form: FormData,
): Promise<FormState<Invited>> {
  return act<Invited>('fresh-help-people', form, async ({ actor, now }) => {
    const to = textOf(form, 'email').trim();
    const { email, link, mailed } = await invite(to, actor, now, groupsIn(form));
    const shown = mailed && actor.reach === 'people' ? null : link;
    return { serial: now.getTime(), faults: {}, result: { email, link: shown, mailed } };
  });
}

export async function takeBackInvitation(_: FormState, form: FormData): Promise<FormState> {
  return act('help-people', form, async ({ actor, now }) => {
    await revokeInvitation(textOf(form, 'id'), actor, now);
    return doneAt('/admin/new-person/invite', words.takenBack);
  });
}
