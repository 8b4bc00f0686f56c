'use server';

import { safeReturnTo } from '#lib/interaction/return-to.ts';
import { grantActs } from '#lib/management/grant/acts.ts';
import { doneAt, textOf } from '../act.ts';
import { doing } from '../doing.ts';

/** Revokes one grant (`user client`), all grants of a user, or all grants of a client. */
export const revokeApproval = doing(
  grantActs.revoke,
  (form) => {
    // A client ID can contain spaces; a user ID cannot.
    const [, user, client] = /^(\S+) (.+)$/s.exec(textOf(form, 'grant')) ?? [];
    return {
      user: user || textOf(form, 'user') || undefined,
      client: client || textOf(form, 'client') || undefined,
    };
  },
  ({ revoked }, form) =>
    doneAt(safeReturnTo(textOf(form, 'back')) ?? '/admin/approvals', 'approvals.revoked', {
      count: revoked,
    }),
);
