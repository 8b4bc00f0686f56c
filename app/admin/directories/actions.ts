'use server';

import { directoryActs } from '#lib/management/directory/acts.ts';
import { doneAt, textOf } from '../act.ts';
import { doing } from '../doing.ts';

const personPage = (id: string) => `/admin/people/${encodeURIComponent(id)}`;

/** Syncs now. `accept` is the number of people that the sync may disable. */
export const syncDirectoryNow = doing(
  directoryActs.sync,
  (form) => ({
    id: textOf(form, 'directory'),
    ...(form.has('accept') && { accept: textOf(form, 'accept') }),
  }),
  ({ outcome }) => doneAt('/admin/directories', `directories.synced.${outcome}`),
);

export const linkToDirectory = doing(
  directoryActs.link,
  (form) => ({
    id: textOf(form, 'directory'),
    user: textOf(form, 'id'),
    login: textOf(form, 'login'),
  }),
  ({ user, entry }) => doneAt(personPage(user), 'directories.linked', { entry }),
  { controlOf: (place) => (place === 'id' ? 'directory' : place) },
);

export const unlinkFromDirectory = doing(
  directoryActs.unlink,
  (form) => ({ user: textOf(form, 'id') }),
  ({ user }) => doneAt(personPage(user), 'directories.unlinked'),
);
