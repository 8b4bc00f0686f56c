'use server';

import { approvalActs } from '#lib/management/approval/acts.ts';
import { doneAt, textOf } from '../act.ts';
import { doing } from '../doing.ts';

const page = '/admin/clients';
const appIn = (form: FormData) => ({ client_id: textOf(form, 'client') });

export const approveNewApp = doing(approvalActs.approve, appIn, ({ host }) =>
  doneAt(page, 'newApps.approved', { host }),
);

export const refuseNewApp = doing(approvalActs.refuse, appIn, ({ host }) =>
  doneAt(page, 'newApps.refused', { host }),
);
