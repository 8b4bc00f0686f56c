import { z } from 'zod';
import type { Brand } from '../../brand.ts';
import { act } from '../act.ts';
import { must, picture, text, textOrNone } from '../values.ts';
import { versionOf } from '../version.ts';

// Imported late: a command line that only prints its help opens no store.
const branding = () => import('./branding.ts');

const link = z.strictObject({ label: text, href: text });

/** The one list of the branding fields that can be set. */
const brandFields = {
  name: textOrNone.meta({ description: 'what it is called; none: the name of the product' }),
  accent: textOrNone.meta({ description: 'such as #0b6354; none: the usual colour' }),
  support_link: textOrNone.meta({ description: 'https://… or mailto:…' }),
  footer_links: z.array(link, must('takes.links')),
};

const brand = z
  .object({
    ...brandFields,
    logo: textOrNone.meta({ description: 'the hash of the picture' }),
  })
  .meta({ id: 'Branding' });

export const brandingActs = {
  show: act({
    may: 'see-everything',
    says: 'show the name, colour, links and logo of this server',
    takes: z.strictObject({}),
    tells: brand,
    run: async () => toldBrand((await (await branding()).showBranding()).brand),
    version,
  }),

  update: act({
    may: 'fresh-admin',
    says: 'change the name, colour or links of this server; only what you give changes',
    takes: z.strictObject(z.object(brandFields).partial().shape),
    tells: brand,
    async run(said, { actor, now, seen }) {
      const { changeBranding, showBranding } = await branding();
      const before = await showBranding();
      const told = toldBrand(before.brand);
      if (seen !== undefined && seen !== version(told)) {
        const { refuseConflict } = await import('../refusal.ts');
        refuseConflict('branding');
      }
      const { support_link, footer_links, ...rest } = { ...told, ...said };
      const { name, accent } = rest;
      const change = { name, accent, supportLink: support_link, footerLinks: footer_links };
      await changeBranding(change, before.stored, actor, now);
      return toldBrand((await showBranding()).brand);
    },
    version,
  }),

  setLogo: act({
    may: 'fresh-admin',
    says: 'set the logo of this server',
    takes: z.strictObject({ logo: picture }),
    tells: brand,
    ahead: async ({ logo }) => (await import('../client/logos.ts')).readLogo(logo),
    async run({ logo }, { actor, now }) {
      const { setBrandLogo, showBranding } = await branding();
      await setBrandLogo(logo, actor, now);
      return toldBrand((await showBranding()).brand);
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
      return toldBrand((await showBranding()).brand);
    },
  }),
};

function toldBrand({ name, accent, supportLink, footerLinks, logo }: Brand): z.input<typeof brand> {
  const footer_links = footerLinks.map(({ label, href }) => ({ label, href }));
  return { name, accent, support_link: supportLink, footer_links, logo };
}

function version({ name, accent, support_link, footer_links }: z.output<typeof brand>): string {
  return versionOf(name, accent, support_link, footer_links);
}
