'use server';

import {
  changeBranding,
  removeBrandLogo,
  setBrandLogo,
  showBranding,
} from '#lib/management/branding.ts';
import { refuseAdmin } from '#lib/management/refusal.ts';
import { brandingWords as words } from '#lib/messages/admin/branding.ts';
import { type Acting, act, doneAt, textOf } from '../../act.ts';
import type { FormState } from '../../ui/forms/state.ts';
import { settingsAt } from '../tabs.ts';

const path = settingsAt('look');

export async function saveBranding(_: FormState, form: FormData): Promise<FormState> {
  const text = (name: string) => textOf(form, name).trim() || null;
  const work = async ({ actor, now }: Acting) => {
    const footerLinks = textOf(form, 'footerLinks').split(/\r?\n/).flatMap(readLink);
    const accent = text('accent')?.toLowerCase() ?? null;
    const change = { name: text('name'), accent, supportLink: text('supportLink'), footerLinks };
    await changeBranding(change, textOf(form, 'seen'), actor, now);
    return doneAt(path, words.saved);
  };
  return act('fresh-admin', form, work, async () => (await showBranding()).stored);
}

/** A link text and its address. */
function readLink(line: string): { label: string; href: string }[] {
  const text = line.trim();
  if (!text) return [];
  const at = text.lastIndexOf(' ');
  const href = text.slice(at + 1);
  return [
    /:\/\//.test(href)
      ? { label: text.slice(0, Math.max(at, 0)).trim(), href }
      : { label: text, href: '' },
  ];
}

export async function saveBrandLogo(_: FormState, form: FormData): Promise<FormState> {
  return act('fresh-admin', form, async ({ actor, now }) => {
    const file = form.get('logo');
    if (!(file instanceof File) || file.size === 0) return refuseAdmin('logo', words.logoMissing);
    await setBrandLogo(new Uint8Array(await file.arrayBuffer()), actor, now);
    return doneAt(path, words.logoSaved);
  });
}

export async function dropBrandLogo(_: FormState, form: FormData): Promise<FormState> {
  return act('fresh-admin', form, async ({ actor, now }) => {
    await removeBrandLogo(actor, now);
    return doneAt(path, words.logoRemoved);
  });
}
