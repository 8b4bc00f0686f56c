'use server';

import { redirect } from 'next/navigation';
import {
  type ApiClientKind,
  addApiClients,
  removeApiClients,
} from '#lib/management/api-clients.ts';
import { createApi, deleteApi, showApi, updateApi } from '#lib/management/apis.ts';
import { matchClient } from '#lib/management/candidates.ts';
import { apiWords as words } from '#lib/messages/admin/apis.ts';
import { type Acting, act, doneAt, textOf } from '../act.ts';
import type { FormState } from '../ui/forms/state.ts';
import { hrefOf } from '../ui/pager.tsx';
import { readApi } from './read.ts';

const pageOf = (id: string) => `/admin/apis/${encodeURIComponent(id)}`;

/** Tokens that this server signs for any audience are a reason to ask who it is. */
export async function addApi(_: FormState, form: FormData): Promise<FormState> {
  return act('fresh-admin', form, async ({ actor, now }) => {
    const input = { ...readApi(form), identifier: textOf(form, 'identifier') };
    const { id, name } = await createApi(input, actor, now);
    return doneAt(pageOf(id), words.created(name));
  });
}

export async function saveApi(_: FormState, form: FormData): Promise<FormState> {
  const id = textOf(form, 'api');
  const work = async ({ actor, now, demandFresh }: Acting) => {
    const seen = new Date(Number(textOf(form, 'seen')));
    await updateApi(id, readApi(form), actor, now, seen, demandFresh);
    return doneAt(pageOf(id), words.saved);
  };
  return act('admin', form, work, async () => String((await showApi(id)).updatedAt.getTime()));
}

export async function removeApi(_: FormState, form: FormData): Promise<FormState> {
  return act('fresh-admin', form, async ({ actor, now }) => {
    const { name, people, signIns } = await deleteApi(textOf(form, 'api'), actor, now);
    return doneAt('/admin/apis', words.removed(name, people, signIns));
  });
}

const kindIn = (form: FormData): ApiClientKind =>
  textOf(form, 'kind') === 'serves' ? 'serves' : 'asks';

/** Lists an app that is named; a text that may mean several leads to those. */
export async function addApiClient(_: FormState, form: FormData): Promise<FormState> {
  return act('fresh-admin', form, async ({ actor, now }) => {
    const { id } = await showApi(textOf(form, 'api'));
    const [kind, text] = [kindIn(form), textOf(form, 'client').trim()];
    const match = await matchClient(text);
    if (!('one' in match))
      redirect(`${hrefOf(pageOf(id), { [kind]: text.slice(0, 200) || '?' })}#${kind}`);
    await addApiClients(id, kind, [match.one.id], actor, now);
    return doneAt(pageOf(id), words.appAdded);
  });
}

export async function removeApiClient(_: FormState, form: FormData): Promise<FormState> {
  return act('admin', form, async ({ actor, now }) => {
    const { id } = await showApi(textOf(form, 'api'));
    await removeApiClients(id, kindIn(form), [textOf(form, 'client')], actor, now);
    return doneAt(pageOf(id), words.appRemoved);
  });
}
