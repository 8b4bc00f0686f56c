'use server';

import { notFound } from 'next/navigation';
import { act, textOf } from '../act.ts';
import { shown } from '../doing.ts';
import type { FormState } from '../ui/forms/state.ts';
import { exportedLists } from './lists.ts';

/** Confirms the sign-in, and gives the address of the file back. */
export async function confirmExport(
  _: FormState<string>,
  form: FormData,
): Promise<FormState<string>> {
  return act<string>('fresh-see-everything', form, async () => {
    const href = textOf(form, 'href');
    const list = exportedLists.find((each) => href.split('?')[0] === `/admin/${each}/export`);
    return list ? shown(href) : notFound();
  });
}
