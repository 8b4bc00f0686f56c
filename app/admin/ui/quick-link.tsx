import Link from 'next/link';
import type { ComponentProps } from 'react';
import { type ButtonLook, lookOf } from '../../ui/button.tsx';

/**
 * A link between pages of the dashboard: with scripts only what differs is fetched. Nothing is
 * fetched ahead: a page of an admin is made when it is asked for, and its notices are shown once.
 */
export function QuickLink(props: ComponentProps<typeof Link>) {
  return <Link prefetch={false} {...props} />;
}

/** The same, looking like a button. */
export function QuickButton({
  kind,
  size,
  wide,
  className,
  ...rest
}: ButtonLook & ComponentProps<typeof Link>) {
  return <QuickLink {...rest} className={lookOf({ kind, size, wide }, className)} />;
}
