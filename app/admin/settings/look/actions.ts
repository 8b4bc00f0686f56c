'use server';

import { brandingActs } from '#lib/management/branding/acts.ts';
import { showBranding, versionOfLook } from '#lib/management/branding/branding.ts';
import { refuseAdmin } from '#lib/management/refusal.ts';
import type { PlainKey } from '#lib/messages/keys.ts';
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
  { seenNow: async () => versionOfLook((await showBranding()).brand) },
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

async function fileOf(form: FormData): Promise<Buffer> {
  const file = form.get('logo');
  return file instanceof File && file.size > 0
    ? Buffer.from(await file.arrayBuffer())
    : refuseAdmin('logo', sentence('branding.logoMissing'));
}

const none = () => ({});
const said = (message: PlainKey) => () => doneAt(path, message);
/** Each form has one field for its picture. */
const atFile = { controlOf: () => 'logo' };

export const saveBrandLogo = doing(
  brandingActs.setLogo,
  async (form) => ({ logo: await fileOf(form) }),
  said('branding.logoSaved'),
  atFile,
);
export const dropBrandLogo = doing(brandingActs.removeLogo, none, said('branding.logoRemoved'));

export const saveDarkLogo = doing(
  brandingActs.setDarkLogo,
  async (form) => ({ dark_logo: await fileOf(form) }),
  said('branding.darkLogoSaved'),
  atFile,
);
export const dropDarkLogo = doing(
  brandingActs.removeDarkLogo,
  none,
  said('branding.darkLogoRemoved'),
);

export const saveIcon = doing(
  brandingActs.setIcon,
  async (form) => ({ icon: await fileOf(form) }),
  said('branding.iconSaved'),
  atFile,
);
export const dropIcon = doing(brandingActs.removeIcon, none, said('branding.iconRemoved'));
