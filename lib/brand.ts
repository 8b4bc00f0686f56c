import { once } from './once.ts';

type FooterLink = { label: string; href: string };
type Words = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

/** The branding an admin has chosen. */
export type Brand = {
  /** Null: the default product name. */
  name: string | null;
  /** `#rrggbb`; null: the default colour. */
  accent: string | null;
  supportLink: string | null;
  footerLinks: readonly FooterLink[];
  /** By place, language and part (`own-words.ts`). */
  words: Words;
  /** Content hash of the logo. */
  logo: string | null;
};

export const plainBrand: Brand = {
  name: null,
  accent: null,
  supportLink: null,
  footerLinks: [],
  words: {},
  logo: null,
};

const holder = () => once('brand', () => ({ brand: plainBrand }));

/** The branding as this process last read it. Everything that shows it refreshes it first. */
export function brandNow(): Brand {
  return holder().brand;
}

export function holdBrand(brand: Brand): void {
  holder().brand = brand;
}

/** The address of the logo. It changes with the content, so browsers may cache it forever. */
export function brandLogoHref({ logo }: Brand): string | undefined {
  return logo ? `/branding/logo/${logo}` : undefined;
}

/** The address of the colour style sheet; undefined if the default colours apply. */
export function brandColoursHref({ accent }: Brand): string | undefined {
  return accent ? `/branding/colours/${accent.slice(1)}` : undefined;
}
