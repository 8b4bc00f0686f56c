import { z } from 'zod';
import { act } from '../act.ts';
import { recorded, told } from '../told.ts';
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
  })
  .meta({ id: 'Branding' });

export const brandingActs = {
  show: act({
    may: 'see-everything',
    says: 'show the name, colour, links, words and logo of this server',
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
      const { changeBranding, showBranding } = await branding();
      const before = await showBranding();
      if (seen !== undefined && seen !== version(told(brand, before.brand))) {
        const { refuseConflict } = await import('../refusal.ts');
        refuseConflict('branding');
      }
      const { logo: _, ...change } = { ...before.brand, ...recorded(said) };
      await changeBranding(change, before.stored, actor, now);
      return told(brand, (await showBranding()).brand);
    },
    version,
  }),

  setLogo: act({
    may: 'fresh-admin',
    says: 'set the logo of this server',
    example: { logo: 'iVBORw0KGgo=' },
    takes: z.strictObject({ logo: picture }),
    tells: brand,
    ahead: async ({ logo }) => (await import('../client/logos.ts')).readLogo(logo),
    async run({ logo }, { actor, now }) {
      const { setBrandLogo, showBranding } = await branding();
      await setBrandLogo(logo, actor, now);
      return told(brand, (await showBranding()).brand);
    },
  }),

  removeLogo: act({
    may: 'fresh-admin',
    says: 'remove the logo of this server',
    takes: z.strictObject({}),
    tells: brand,
    async run(_, { actor, now }) {
      const { removeBrandLogo, showBranding } = await branding();
      await removeBrandLogo(actor, now);
      return told(brand, (await showBranding()).brand);
    },
  }),
};

function version({ name, accent, support_link, footer_links, words }: z.output<typeof brand>) {
  return versionOf(name, accent, support_link, footer_links, words);
}
