'use server';

import { perform } from '#lib/management/act.ts';
import { csvLine } from '#lib/management/csv.ts';
import { invitationActs } from '#lib/management/invitation/acts.ts';
import { isAdminRefusal } from '#lib/management/is-refusal.ts';
import { mostPending } from '#lib/store/links.ts';
import { pageText } from '../../../locale.ts';
import { act, doneAt, textOf } from '../../act.ts';
import { doing, shown } from '../../doing.ts';
import { groupsIn } from '../../groups/read.ts';
import type { FormState } from '../../ui/forms/state.ts';

export type Invited = { email: string; mailed: boolean; link: string | null };

export const invitePerson = doing(
  invitationActs.create,
  (form) => ({
    email: textOf(form, 'email').trim(),
    groups: groupsIn(form),
    language: textOf(form, 'language') || undefined,
  }),
  ({ email, mailed, link }) => shown<Invited>({ email, mailed, link }),
);

export const takeBackInvitation = doing(
  invitationActs.delete,
  (form) => ({ id: textOf(form, 'id') }),
  () => doneAt('/admin/people/invite', 'invite.takenBack'),
);

/** Links as CSV, and the words for them. */
export type LinksMade = {
  csv: string;
  title: string;
  text: string;
  label: string;
  download: string;
};

/** Makes a new link for each of these invitations, to be handed out as a file. */
export async function makeLinks(
  _: FormState<LinksMade>,
  form: FormData,
): Promise<FormState<LinksMade>> {
  const ids = form.getAll('id').map(String).slice(0, mostPending);
  return act(invitationActs.resend.may, form, async (acting) => {
    const lines: string[] = [];
    for (const id of ids) {
      try {
        const told = await perform(invitationActs.resend, { id }, acting);
        lines.push(csvLine([told.email, told.link, told.expires_at.toISOString()]));
      } catch (error) {
        if (!isAdminRefusal(error)) throw error;
      }
    }
    const csv = [csvLine(['email', 'link', 'expires_at']), ...lines].join('');
    const text = await pageText();
    const skipped = ids.length - lines.length;
    return shown({
      csv,
      title: text('links.made', { count: lines.length }),
      text: `${text('links.madeText')} ${skipped > 0 ? text('links.skipped', { count: skipped }) : ''}`,
      label: text('links.label'),
      download: text('links.download'),
    });
  });
}
