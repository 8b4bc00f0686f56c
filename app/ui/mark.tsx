import { markPath } from '#lib/http/mark.ts';

/** The gate mark. Decorative: the name is beside it, or the caller labels it. */
export function Mark({ className = 'gh-mark' }: { className?: string }) {
  return (
    <svg className={className} viewBox="0 0 32 32" aria-hidden="true">
      <path fill="currentColor" d={markPath} />
    </svg>
  );
}
