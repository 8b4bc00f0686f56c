'use server';

import { keyActs } from '#lib/management/key/acts.ts';
import { keyWords as words } from '#lib/messages/admin/keys.ts';
import { doneAt, textOf } from '../../act.ts';
import { doing } from '../../doing.ts';

const path = '/admin/settings/keys';

export const makeNewKeys = doing(
  keyActs.rotate,
  () => ({}),
  () => doneAt(path, words.rotated),
);

export const revokeOneKey = doing(
  keyActs.revoke,
  (form) => ({ kid: textOf(form, 'kid') }),
  () => doneAt(path, words.revoked),
);
