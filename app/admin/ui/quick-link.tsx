'use client';

import type { ComponentProps } from 'react';
import { type ButtonLook, lookOf } from '../../ui/button.tsx';
import { useMayOpen } from './allowed.tsx';

type LinkProps = ComponentProps<'a'> & { href: string };

/** A link between dashboard pages; plain text if the user's role may not open that page. */
export function QuickLink(props: LinkProps) {
  if (useMayOpen(props.href)) return <a {...props} />;
  return (
    <span className={props.className?.replace(/(?:^| )gh-link(?= |$)/, '')}>{props.children}</span>
  );
}

/** The same, styled as a button; nothing if the user's role may not open that page. */
export function QuickButton({ kind, size, wide, className, ...rest }: ButtonLook & LinkProps) {
  if (!useMayOpen(rest.href)) return null;
  return <QuickLink {...rest} className={lookOf({ kind, size, wide }, className)} />;
}
