'use server';

import { hostActs } from '#lib/management/host/acts.ts';
import { newAppWords as words } from '#lib/messages/admin/new-apps.ts';
import { doneAt, textOf } from '../../act.ts';
import { doing } from '../../doing.ts';
import { settingsAt } from '../tabs.ts';

const page = settingsAt('new-apps');
const hostIn = (form: FormData) => ({ host: textOf(form, 'host') });

export const blockOneHost = doing(hostActs.block, hostIn, ({ host }) =>
  doneAt(page, words.blocked(host)),
);

export const unblockOneHost = doing(hostActs.unblock, hostIn, ({ host }) =>
  doneAt(page, words.unblocked(host)),
);

export const removeHostApps = doing(hostActs.removeApps, hostIn, ({ host, apps }) =>
  doneAt(page, words.removedApps(host, apps)),
);
