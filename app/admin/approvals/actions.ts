'use server';

import { safeReturnTo } from '#lib/interaction/return-to.ts';
import { grantActs } from '#lib/management/grant/acts.ts';
import { doneAt, textOf } from '../act.ts';
import { doing } from '../doing.ts';

/** Revokes one grant, all of a user, or all of a client. */
export const revokeApproval = doing(
  grantActs.revoke,
  (form) => ({
    user: textOf(form, 'user') || undefined,
    client: textOf(form, 'client') || undefined,
  }),
  ({ revoked }, form) =>
    doneAt(safeReturnTo(textOf(form, 'back')) ?? '/admin/approvals', 'approvals.revoked', {
      count: revoked,
    }),
);
