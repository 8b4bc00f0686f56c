'use server';

import * as hosts from '#lib/management/hosts.ts';
import { newAppWords as words } from '#lib/messages/admin/new-apps.ts';
import { act, doneAt, textOf } from '../../act.ts';
import type { FormState } from '../../ui/forms/state.ts';
import { settingsAt } from '../tabs.ts';

const page = settingsAt('new-apps');

export async function blockOneHost(_: FormState, form: FormData): Promise<FormState> {
  return act('admin', form, async ({ actor, now }) => {
    const { host } = await hosts.blockHost(textOf(form, 'host'), actor, now);
    return doneAt(page, words.blocked(host));
  });
}

export async function unblockOneHost(_: FormState, form: FormData): Promise<FormState> {
  return act('fresh-admin', form, async ({ actor, now }) => {
    const host = await hosts.unblockHost(textOf(form, 'host'), actor, now);
    return doneAt(page, words.unblocked(host));
  });
}

export async function removeHostApps(_: FormState, form: FormData): Promise<FormState> {
  return act('fresh-admin', form, async ({ actor, now }) => {
    const { host, apps } = await hosts.removeAppsOfHost(textOf(form, 'host'), actor, now);
    return doneAt(page, words.removedApps(host, apps));
  });
}
