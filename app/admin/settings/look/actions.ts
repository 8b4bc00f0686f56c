'use server';

import { brandingActs } from '#lib/management/branding/acts.ts';
import { showBranding, versionOfBrand } from '#lib/management/branding/branding.ts';
import { refuseAdmin } from '#lib/management/refusal.ts';
import { sentence } from '#lib/messages/sentence.ts';
import { doneAt, textOf, textOrNull } from '../../act.ts';
import { doing } from '../../doing.ts';
import { settingsAt } from '../tabs.ts';

const path = settingsAt('look');

export const saveBranding = doing(
  brandingActs.update,
  (form) => ({
    name: textOrNull(form, 'name'),
    accent: textOrNull(form, 'accent')?.toLowerCase() ?? null,
    support_link: textOrNull(form, 'supportLink'),
    footer_links: textOf(form, 'footerLinks').split(/\r?\n/).flatMap(readLink),
  }),
  () => doneAt(path, 'branding.saved'),
  { seenNow: async () => versionOfBrand((await showBranding()).brand) },
);

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

export const saveBrandLogo = doing(
  brandingActs.setLogo,
  async (form) => {
    const file = form.get('logo');
    if (!(file instanceof File) || file.size === 0)
      return refuseAdmin('logo', sentence('branding.logoMissing'));
    return { logo: Buffer.from(await file.arrayBuffer()) };
  },
  () => doneAt(path, 'branding.logoSaved'),
);

export const dropBrandLogo = doing(
  brandingActs.removeLogo,
  () => ({}),
  () => doneAt(path, 'branding.logoRemoved'),
);
