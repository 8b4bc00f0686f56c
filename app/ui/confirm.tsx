import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** The button reveals the consequences and the final button, without scripts. */
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
  /** Put its form around the whole component, so the result shows without reopening it. */
  children: ReactNode;
  open?: boolean;
  /** For lists of similar items. */
  quiet?: boolean;
  /** For actions that lose nothing. */
  calm?: boolean;
  className?: string;
}) {
  return (
    <details
      data-act
      open={open}
      className={classNames('gh-confirm', calm && 'gh-confirm-calm', className)}
    >
      <summary
        aria-label={accessibleLabel}
        className={classNames(
          'gh-button gh-button-small',
          quiet ? 'gh-button-quiet' : 'gh-button-secondary',
        )}
      >
        {label}
      </summary>
      <div>
        {text && <p>{text}</p>}
        {children}
      </div>
    </details>
  );
}
