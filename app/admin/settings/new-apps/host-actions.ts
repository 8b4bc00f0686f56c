'use server';

import { hostActs } from '#lib/management/host/acts.ts';
import { doneAt, textOf } from '../../act.ts';
import { doing } from '../../doing.ts';
import { settingsAt } from '../tabs.ts';

const page = settingsAt('new-apps');
const hostIn = (form: FormData) => ({ host: textOf(form, 'host') });

export const blockOneHost = doing(hostActs.block, hostIn, ({ host }) =>
  doneAt(page, 'newApps.blocked', { host }),
);

export const unblockOneHost = doing(hostActs.unblock, hostIn, ({ host }) =>
  doneAt(page, 'newApps.unblocked', { host }),
);

export const removeHostApps = doing(hostActs.removeApps, hostIn, ({ host, apps }) =>
  doneAt(page, 'newApps.removedApps', { host, apps }),
);
