import { once } from './once.ts';

type FooterLink = { label: string; href: string };
type Words = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

/** The branding an admin has chosen. Of pictures it has the hashes of their content. */
export type Brand = {
  /** Null: the default product name. */
  name: string | null;
  /** `#rrggbb`; null: the default colour. */
  accent: string | null;
  supportLink: string | null;
  footerLinks: readonly FooterLink[];
  /** By place, language and part (`own-words.ts`). */
  words: Words;
} & Record<BrandPicture, string | null>;

/** The pictures, by the number of their rows. A dark logo is for dark windows. */
export const brandPictures = { logo: 1, darkLogo: 2, icon: 3 } as const;
export type BrandPicture = keyof typeof brandPictures;

export const plainBrand: Brand = {
  name: null,
  accent: null,
  supportLink: null,
  footerLinks: [],
  words: {},
  logo: null,
  darkLogo: null,
  icon: null,
};

const holder = () => once('brand', () => ({ brand: plainBrand }));

/** The branding as this process last read it. Everything that shows it refreshes it first. */
export function brandNow(): Brand {
  return holder().brand;
}

export function holdBrand(brand: Brand): void {
  holder().brand = brand;
}

/** The address of a picture. It changes with the content, so browsers may cache it forever. */
export function brandPictureHref(hash: string | null): string | undefined {
  return hash ? `/branding/logo/${hash}` : undefined;
}

/** The icon of this server in tabs and bookmarks. */
export const iconOf = ({ icon }: Brand): { url: string; type: string } =>
  icon
    ? { url: `/branding/logo/${icon}`, type: 'image/png' }
    : { url: '/favicon.svg', type: 'image/svg+xml' };

/** The address of the colour style sheet; undefined if the default colours apply. */
export function brandColoursHref({ accent }: Brand): string | undefined {
  return accent ? `/branding/colours/${accent.slice(1)}` : undefined;
}
