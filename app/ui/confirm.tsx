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
  className,
}: {
  label: string;
  /** The label with the item's name, for lists of similar items. */
  accessibleLabel?: string;
  text: ReactNode;
  /**
   * The final button. Put its form around the whole component, so the result is visible without
   * reopening it.
   */
  children: ReactNode;
  open?: boolean;
  className?: string;
}) {
  return (
    <details open={open} className={classNames('group open:w-full', className)}>
      <summary
        aria-label={accessibleLabel}
        className="gh-button gh-button-secondary gh-button-small list-none group-open:bg-sunken [&::-webkit-details-marker]:hidden"
      >
        {label}
      </summary>
      <div className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-xl border border-danger-line bg-danger-tint px-4 py-3 text-sm">
        <p className="min-w-0 flex-1 basis-52">{text}</p>
        {children}
      </div>
    </details>
  );
}
