'use server';

import { keyActs } from '#lib/management/key/acts.ts';
import { doneAt, textOf } from '../../act.ts';
import { doing } from '../../doing.ts';

const path = '/admin/settings/keys';

export const makeNewKeys = doing(
  keyActs.rotate,
  () => ({}),
  () => doneAt(path, 'keys.rotated'),
);

export const revokeOneKey = doing(
  keyActs.revoke,
  (form) => ({ kid: textOf(form, 'kid') }),
  () => doneAt(path, 'keys.revoked'),
);
