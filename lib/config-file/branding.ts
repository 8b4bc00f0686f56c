import { plainBrand } from '../brand.ts';
import {
  changeBranding,
  removeBrandLogo,
  setBrandLogo,
  showBranding,
} from '../management/branding/branding.ts';
import { readLogo } from '../management/client/logos.ts';
import { isStored, pictureNamed } from './pictures.ts';
import type { Run } from './run.ts';

const thing = { kind: 'branding', key: '' } as const;

export async function applyBranding(run: Run): Promise<void> {
  const said = run.content.branding;
  const { brand, stored } = await showBranding();
  const isDropped = !said && run.dropped('branding').length > 0;
  if (!said && !isDropped) return;
  const change = {
    name: said?.name ?? null,
    accent: said?.accent ?? null,
    supportLink: said?.support_link ?? null,
    footerLinks: said?.footer_links ?? [],
  };
  await run.attempt(['branding'], () => changeBranding(change, stored, run.actor, run.now()));
  if (isDropped) return run.letGoOf(thing);
  if (said?.logo !== undefined) await applyLogo(run, said.logo, brand.logo);
  const { logo: _, ...plain } = plainBrand;
  const { logo, ...chosen } = brand;
  const before = logo !== null || JSON.stringify(plain) !== JSON.stringify(chosen);
  await run.keep(thing, ['branding'], 'name, colour, links and logo', before);
}

async function applyLogo(run: Run, said: string, before: string | null): Promise<void> {
  await run.attempt(['branding'], async () => {
    const bytes = await pictureNamed(run, said);
    if (bytes === null) return before && removeBrandLogo(run.actor, run.now());
    if (isStored(bytes, before) || (await readLogo(bytes)).hash === before) return;
    return setBrandLogo(bytes, run.actor, run.now());
  });
}
