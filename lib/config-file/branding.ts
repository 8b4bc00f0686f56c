import { type BrandPicture, plainBrand } from '../brand.ts';
import { brandingActs } from '../management/branding/acts.ts';
import { usualBrand } from '../management/branding/fields.ts';
import { drawnAs } from '../management/pictures.ts';
import { readBranding } from '../store/branding.ts';
import { settlePicture } from './pictures.ts';
import type { Run } from './run.ts';
import { inFile } from './schema.ts';

const thing = { kind: 'branding', key: '' } as const;
/** A text is at `words.mail.de.subject`, and its names never have a dot. */
const at = { path: ['branding'], placeOf: (field: string) => inFile(field).split('.') };

export async function applyBranding(run: Run): Promise<void> {
  const said = run.content.branding;
  const { brand } = await readBranding();
  const isDropped = !said && run.dropped('branding').length > 0;
  if (!said && !isDropped) return;
  const { logo, dark_logo, icon, ...fields } = { ...usualBrand, ...said };
  await run.perform(brandingActs.update, fields, at);
  if (isDropped) return run.letGoOf(thing);
  const named = { logo, darkLogo: dark_logo, icon };
  for (const which of ['logo', 'darkLogo', 'icon'] as const) {
    const before = (await readBranding()).brand[which];
    await settlePicture(
      run,
      at.path,
      { said: named[which], before, use: drawnAs(which) },
      (bytes) => settle(run, which, bytes),
    );
  }
  const isPlain = JSON.stringify(brand) === JSON.stringify(plainBrand);
  await run.keep(thing, ['branding'], 'name, colour, links, words and pictures', !isPlain);
}

const sets = { logo: 'setLogo', darkLogo: 'setDarkLogo', icon: 'setIcon' } as const;
const removes = { logo: 'removeLogo', darkLogo: 'removeDarkLogo', icon: 'removeIcon' } as const;

const settle = (run: Run, which: BrandPicture, bytes: Uint8Array | null) =>
  bytes
    ? run.perform(brandingActs[sets[which]], { [inFile(which)]: bytes }, at)
    : run.perform(brandingActs[removes[which]], {}, at);
