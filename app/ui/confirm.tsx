import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/**
 * Asks before something is taken away, without a dialog: the button opens what
 * will happen and the button that does it. Works with scripts off.
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
  /** The label with the thing's name, for lists where several look the same. */
  accessibleLabel?: string;
  text: ReactNode;
  /** The button that does it. Its form is better put around all of this: what it answers is then seen without opening it again. */
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
