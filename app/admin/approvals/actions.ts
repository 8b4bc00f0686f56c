'use server';

import { safeReturnTo } from '#lib/interaction/return-to.ts';
import { revokeGrants } from '#lib/management/grants.ts';
import { approvalWords as words } from '#lib/messages/admin/approvals.ts';
import { act, doneAt, textOf } from '../act.ts';
import type { FormState } from '../ui/forms/state.ts';

/** Revokes one grant, all of a user, or all of a client. */
export async function revokeApproval(_: FormState, form: FormData): Promise<FormState> {
  return act('admin', form, async ({ actor, now, demandFresh }) => {
    const [user, client] = [textOf(form, 'user') || undefined, textOf(form, 'client') || undefined];
    // Revoking all grants of an app signs everyone out of it.
    if (!user) demandFresh();
    const { revoked } = await revokeGrants({ user, client }, actor, now);
    return doneAt(safeReturnTo(textOf(form, 'back')) ?? '/admin/approvals', words.revoked(revoked));
  });
}
