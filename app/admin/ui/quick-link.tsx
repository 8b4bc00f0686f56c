import Link from 'next/link';
import type { ComponentProps } from 'react';
import { type ButtonLook, lookOf } from '../../ui/button.tsx';

/**
 * A link between dashboard pages, client-side if scripts run. No prefetching: pages are rendered on
 * request, and their messages are shown once.
 */
export function QuickLink(props: ComponentProps<typeof Link>) {
  return <Link prefetch={false} {...props} />;
}

/** The same, styled as a button. */
export function QuickButton({
  kind,
  size,
  wide,
  className,
  ...rest
}: ButtonLook & ComponentProps<typeof Link>) {
  return <QuickLink {...rest} className={lookOf({ kind, size, wide }, className)} />;
}
