import { type Brand as Branding, brandNow, brandPictureHref } from '#lib/brand.ts';
import { productName } from '#lib/messages/text.ts';
import { Mark } from './mark.tsx';

/** Mark and product name, linked to the start page. */
export function Brand({ href = '/' }: { href?: string }) {
  return (
    <a className="gh-brand" href={href}>
      <BrandMark brand={brandNow()} />
      <span>{productName()}</span>
    </a>
  );
}

/** The logo of the server, or ours. */
export function BrandMark({ brand }: { brand: Pick<Branding, 'logo' | 'darkLogo'> }) {
  const logo = brandPictureHref(brand.logo);
  const dark = brandPictureHref(brand.darkLogo);
  if (!logo) return <Mark />;
  // biome-ignore lint/performance/noImgElement: served as it is; no image is fetched or resized by this server
  const picture = <img src={logo} alt="" className="gh-mark gh-mark-own" />;
  return dark ? (
    <picture className="contents">
      <source srcSet={dark} media="(prefers-color-scheme: dark)" />
      {picture}
    </picture>
  ) : (
    picture
  );
}
