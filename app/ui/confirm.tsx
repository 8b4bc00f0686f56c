import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/**
 * Confirmation without a dialog: the button reveals the consequences and the final button. Works
 * without scripts.
 */
export function Confirm({
  label,
  accessibleLabel,
  text,
  children,
  open,
  quiet = false,
  calm = false,
  className,
}: {
  label: string;
  /** The label with the item's name, for lists of similar items. */
  accessibleLabel?: string;
  text?: ReactNode;
  /**
   * The final button. Put its form around the whole component, so the result is visible without
   * reopening it.
   */
  children: ReactNode;
  open?: boolean;
  /** For lists of similar items. */
  quiet?: boolean;
  /** Nothing is lost by it. */
  calm?: boolean;
  className?: string;
}) {
  return (
    <details data-act open={open} className={classNames('group open:w-full', className)}>
      <summary
        aria-label={accessibleLabel}
        className={classNames(
          'gh-button gh-button-small list-none group-open:bg-sunken [&::-webkit-details-marker]:hidden',
          quiet ? 'gh-button-quiet' : 'gh-button-secondary',
        )}
      >
        {label}
      </summary>
      <div
        className={classNames(
          // Not there while closed: a form in it would widen the page.
          'mt-3 hidden flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-xl border px-4 py-3 text-sm group-open:flex',
          calm ? 'border-line bg-sunken' : 'border-danger-line bg-danger-tint',
        )}
      >
        {text && <p className="min-w-0 flex-1 basis-52">{text}</p>}
        {children}
      </div>
    </details>
  );
}
