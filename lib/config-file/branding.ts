import { plainBrand } from '../brand.ts';
import { brandingActs } from '../management/branding/acts.ts';
import { usualBrand } from '../management/branding/fields.ts';
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
  const { logo, ...fields } = { ...usualBrand, ...said };
  await run.perform(brandingActs.update, fields, at);
  if (isDropped) return run.letGoOf(thing);
  await settlePicture(run, at.path, { said: logo, before: brand.logo }, (picture) =>
    picture
      ? run.perform(brandingActs.setLogo, { logo: picture }, at)
      : run.perform(brandingActs.removeLogo, {}, at),
  );
  const isPlain = JSON.stringify(brand) === JSON.stringify(plainBrand);
  await run.keep(thing, ['branding'], 'name, colour, links, words and logo', !isPlain);
}
