'use server';

import { providerKinds } from '#lib/identity/upstream/provider-kinds.ts';
import { showGroup } from '#lib/management/group/groups.ts';
import { providerActs } from '#lib/management/provider/acts.ts';
import { providerWithId } from '#lib/management/provider/providers.ts';
import { refuseAdmin } from '#lib/management/refusal.ts';
import { sentence } from '#lib/messages/sentence.ts';
import { doneAt, listOf, textOf, textOrNull } from '../act.ts';
import { doing } from '../doing.ts';

const pageOf = (id: string) => `/admin/providers/${encodeURIComponent(id)}`;
const idIn = (form: FormData) => textOf(form, 'provider');

/** Reads the fields of both forms. An empty secret keeps the stored one. */
async function saidIn(form: FormData) {
  const orNone = (name: string) => textOrNull(form, name);
  return {
    name: textOf(form, 'name'),
    button_words: orNone('button_words'),
    ...(form.has('issuer') && { issuer: textOf(form, 'issuer') }),
    client_id: textOf(form, 'client_id'),
    ...(orNone('secret') !== null && { secret: textOf(form, 'secret') }),
    apple_team_id: orNone('apple_team_id'),
    apple_key_id: orNone('apple_key_id'),
    scopes: listOf(form, 'scopes'),
    position: textOf(form, 'position').trim() || '0',
    enabled: form.has('enabled'),
    may_sign_in: form.has('may_sign_in'),
    may_register: form.has('may_register'),
    domains: listOf(form, 'domains'),
    groups_claim: orNone('groups_claim'),
    groups: await groupsIn(form),
    trusts_second_factor: form.has('trusts_second_factor'),
    accepts_assertions: form.has('accepts_assertions'),
    matches_addresses: form.has('matches_addresses'),
  };
}

/** Reads lines of the form `VALUE = GROUP`. @throws AdminRefusal */
async function groupsIn(form: FormData) {
  const mapped = [];
  for (const line of listOf(form, 'groups').filter((text) => text.trim() !== '')) {
    // A value or a group can contain a "=" itself, so the last " = " counts, or else the last "=".
    const at = line.lastIndexOf(' = ') >= 0 ? line.lastIndexOf(' = ') + 1 : line.lastIndexOf('=');
    if (at < 1)
      refuseAdmin('groups', sentence('refused.provider.groupLine', { line: line.slice(0, 80) }));
    const group = await namedGroup(line.slice(at + 1).trim());
    mapped.push({ value: line.slice(0, at).trim(), group_id: group });
  }
  return mapped;
}

async function namedGroup(name: string): Promise<string> {
  const { findGroup } = await import('#lib/store/groups.ts');
  if ((await findGroup(name)) === null)
    refuseAdmin('groups', sentence('refused.group.missing', { name: name.slice(0, 80) }));
  return (await showGroup(name)).id;
}

export const addProvider = doing(
  providerActs.create,
  async (form) => {
    const kind = providerKinds.find((name) => name === textOf(form, 'kind')) ?? 'openid';
    return { kind, slug: textOf(form, 'slug'), ...(await saidIn(form)) };
  },
  ({ id, name }) => doneAt(pageOf(id), 'providers.created', { name }),
);

export const saveProvider = doing(
  providerActs.update,
  async (form) => ({ id: idIn(form), ...(await saidIn(form)) }),
  ({ id }) => doneAt(pageOf(id), 'providers.saved'),
  {
    seenNow: async (form) =>
      String((await providerWithId(idIn(form), new Date())).updatedAt.getTime()),
  },
);

export const removeProvider = doing(
  providerActs.delete,
  (form) => ({ id: idIn(form) }),
  ({ name }) => doneAt('/admin/providers', 'providers.deleted', { name }),
);
