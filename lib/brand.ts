import { once } from './once.ts';

export type FooterLink = { label: string; href: string };

/** How this server presents itself: what an admin has chosen. */
export type Brand = {
  /** Null: the name in the messages. */
  name: string | null;
  /** `#rrggbb`; null: the colour in the style sheet. */
  accent: string | null;
  supportLink: string | null;
  footerLinks: readonly FooterLink[];
  /** Names this version of the picture. */
  logo: string | null;
};

export const plainBrand: Brand = {
  name: null,
  accent: null,
  supportLink: null,
  footerLinks: [],
  logo: null,
};

const holder = () => once('brand', () => ({ brand: plainBrand }));

/** The brand as this process read it last; every page, mail and answer that shows it reads it anew before. */
export function brandNow(): Brand {
  return holder().brand;
}

export function holdBrand(brand: Brand): void {
  holder().brand = brand;
}

/** Where the picture is served: another one has another address, so that browsers may keep each for good. */
export function brandLogoHref({ logo }: Brand): string | undefined {
  return logo ? `/branding/logo/${logo}` : undefined;
}

/** Where the colours are served; undefined where the style sheet's own hold. */
export function brandColoursHref({ accent }: Brand): string | undefined {
  return accent ? `/branding/colours/${accent.slice(1)}` : undefined;
}
