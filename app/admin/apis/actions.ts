'use server';

import { redirect } from 'next/navigation';
import { apiActs } from '#lib/management/api/acts.ts';
import { showApi } from '#lib/management/api/apis.ts';
import { matchClient } from '#lib/management/candidates.ts';
import { doneAt, textOf } from '../act.ts';
import { doing } from '../doing.ts';
import { hrefOf } from '../ui/href.ts';
import { readApi } from './read.ts';

const idIn = (form: FormData) => textOf(form, 'api');
const pageOf = (id: string) => `/admin/apis/${encodeURIComponent(id)}`;

/** Takes a fresh sign-in, because this server then signs tokens for the new audience. */
export const addApi = doing(
  apiActs.create,
  (form) => ({ ...readApi(form), identifier: textOf(form, 'identifier') }),
  ({ id, name }) => doneAt(pageOf(id), 'apis.created', { name }),
);

export const saveApi = doing(
  apiActs.update,
  (form) => ({ ...readApi(form), id: idIn(form) }),
  ({ id }) => doneAt(pageOf(id), 'apis.saved'),
  { seenNow: async (form) => String((await showApi(idIn(form))).updatedAt.getTime()) },
);

export const removeApi = doing(
  apiActs.delete,
  (form) => ({ id: idIn(form) }),
  ({ name, people, sign_ins }) =>
    doneAt('/admin/apis', 'apis.removed', { name, people, signIns: sign_ins }),
);

const kindIn = (form: FormData): 'asks' | 'serves' =>
  textOf(form, 'kind') === 'serves' ? 'serves' : 'asks';

/** Adds the named app to a list. A text that fits several apps leads to a choice of them. */
export const addApiClient = doing(
  apiActs.addClients,
  async (form) => {
    const { id } = await showApi(idIn(form));
    const [kind, text] = [kindIn(form), textOf(form, 'client').trim()];
    const match = await matchClient(text);
    if (!('one' in match))
      redirect(`${hrefOf(pageOf(id), { [kind]: text.slice(0, 200) || '?' })}#${kind}`);
    return { id, kind, clients: [match.one.id] };
  },
  ({ id }) => doneAt(pageOf(id), 'apis.appAdded'),
);

export const removeApiClient = doing(
  apiActs.removeClients,
  (form) => ({ id: idIn(form), kind: kindIn(form), clients: [textOf(form, 'client')] }),
  ({ id }) => doneAt(pageOf(id), 'apis.appRemoved'),
);
