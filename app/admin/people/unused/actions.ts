'use server';

import { userActs } from '#lib/management/user/acts.ts';
import { doneAt, textOf } from '../../act.ts';
import { doing } from '../../doing.ts';

/** Warns the people of as many unused accounts as the page showed. */
export const warnUnused = doing(
  userActs.warnUnused,
  (form) => ({ expected: textOf(form, 'expected') }),
  ({ warned }) => doneAt('/admin/people/unused', 'unused.done', { count: warned }),
);
