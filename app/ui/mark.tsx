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
  return (
    <a className="gh-brand" href={href}>
      <Mark />
      <span>{textIn(locale)('product.name')}</span>
    </a>
  );
}
