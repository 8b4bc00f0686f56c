import { brandLogoHref, brandNow } from '#lib/brand.ts';
import { markPath } from '#lib/http/mark.ts';
import { textIn } from '#lib/messages/text.ts';

/** The gate. Decoration: the name stands beside it or the caller labels it. */
export function Mark({ className = 'gh-mark' }: { className?: string }) {
  return (
    <svg className={className} viewBox="0 0 32 32" aria-hidden="true">
      <path fill="currentColor" d={markPath} />
    </svg>
  );
}

/** Mark and product name, leading to the start page. */
export function Brand({ href = '/', locale }: { href?: string; locale?: string }) {
  const logo = brandLogoHref(brandNow());
  return (
    <a className="gh-brand" href={href}>
      {logo ? (
        // biome-ignore lint/performance/noImgElement: served as it is; no image is fetched or resized by this server
        <img src={logo} alt="" className="gh-mark gh-mark-own" />
      ) : (
        <Mark />
      )}
      <span>{textIn(locale)('product.name')}</span>
    </a>
  );
}
