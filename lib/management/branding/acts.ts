import { z } from 'zod';
import type { BrandPicture } from '../../brand.ts';
import { act } from '../act.ts';
import { inJson, recorded, told } from '../told.ts';
import { mapOf, picture, text, textOrNone } from '../values.ts';
import { versionOf } from '../version.ts';
import { brandFields } from './fields.ts';

// Imported late: a command line that only prints its help opens no store.
const branding = () => import('./branding.ts');

const brand = z
  .object({
    ...brandFields,
    words: mapOf(mapOf(mapOf(text))).meta({
      description: 'by place, language (or any) and part, where there are any',
    }),
    logo: textOrNone.meta({ description: 'the hash of the picture' }),
    dark_logo: textOrNone.meta({ description: 'the hash of the logo in dark windows' }),
    icon: textOrNone.meta({ description: 'the hash of the icon' }),
  })
  .meta({ id: 'Branding' });

function setting(which: BrandPicture, says: string) {
  const field = inJson(which);
  return act({
    may: 'fresh-admin',
    says,
    example: { [field]: 'iVBORw0KGgo=' },
    takes: z.strictObject({ [field]: picture }),
    tells: brand,
    async ahead({ [field]: bytes = new Uint8Array() }) {
      const { drawnAs } = await import('../pictures.ts');
      const { refusingAt } = await import('../refusing-at.ts');
      const { readLogo } = await import('../client/logos.ts');
      return refusingAt(() => which, readLogo(bytes, drawnAs(which)));
    },
    async run({ [field]: bytes = new Uint8Array() }, { actor, now }) {
      const { setBrandPicture, showBranding } = await branding();
      await setBrandPicture(which, bytes, actor, now);
      return told(brand, (await showBranding()).brand);
    },
  });
}

function removing(which: BrandPicture, says: string) {
  return act({
    may: 'fresh-admin',
    says,
    takes: z.strictObject({}),
    tells: brand,
    async run(_, { actor, now }) {
      const { removeBrandPicture, showBranding } = await branding();
      await removeBrandPicture(which, actor, now);
      return told(brand, (await showBranding()).brand);
    },
  });
}

export const brandingActs = {
  show: act({
    may: 'see-everything',
    says: 'show the name, colour, links, words and pictures of this server',
    takes: z.strictObject({}),
    tells: brand,
    run: async () => told(brand, (await (await branding()).showBranding()).brand),
    version,
  }),

  update: act({
    may: 'fresh-admin',
    says: 'change the name, colour, links or words of this server; only what you give changes',
    example: { name: 'Example' },
    takes: z.strictObject(z.object(brandFields).partial().shape),
    tells: brand,
    async run(said, { actor, now, seen }) {
      const { changeBranding, showBranding, versionOfLook, withoutPictures } = await branding();
      const before = await showBranding();
      const versions = [version(told(brand, before.brand))];
      if (said.words === undefined) versions.push(versionOfLook(before.brand));
      if (seen !== undefined && !versions.includes(seen)) {
        const { refuseConflict } = await import('../refusal.ts');
        refuseConflict('branding');
      }
      const change = { ...withoutPictures(before.brand), ...recorded(said) };
      await changeBranding(change, before.stored, actor, now);
      return told(brand, (await showBranding()).brand);
    },
    version,
  }),

  setLogo: setting('logo', 'set the logo of this server'),
  removeLogo: removing('logo', 'remove the logo of this server, and the one for dark windows'),
  setDarkLogo: setting('darkLogo', 'set the logo of this server in dark windows'),
  removeDarkLogo: removing('darkLogo', 'show the same logo in dark windows'),
  setIcon: setting('icon', 'set the icon of this server in tabs and bookmarks'),
  removeIcon: removing('icon', 'go back to our icon in tabs and bookmarks'),
};

function version({ name, accent, support_link, footer_links, words }: z.output<typeof brand>) {
  return versionOf(name, accent, support_link, footer_links, words);
}
