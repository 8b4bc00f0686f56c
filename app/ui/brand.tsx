import { brandLogoHref, brandNow } from '#lib/brand.ts';
import { productName } from '#lib/messages/text.ts';
import { Mark } from './mark.tsx';

/** Mark and product name, linked to the start page. */
export function Brand({ href = '/' }: { href?: string }) {
  const logo = brandLogoHref(brandNow());
  return (
    <a className="gh-brand" href={href}>
      {logo ? (
        // biome-ignore lint/performance/noImgElement: served as it is; no image is fetched or resized by this server
        <img src={logo} alt="" className="gh-mark gh-mark-own" />
      ) : (
        <Mark />
      )}
      <span>{productName()}</span>
    </a>
  );
}
