'use client';

import Link from 'next/link';
import type { ComponentProps } from 'react';
import { needsRuntime } from '#lib/http/runtime.ts';
import { type ButtonLook, lookOf } from '../../ui/button.tsx';
import { useMayOpen } from './allowed.tsx';

type LinkProps = ComponentProps<'a'> & { href: string };

/**
 * A link between dashboard pages, client-side where React runs on both. No prefetching: pages are
 * rendered on request, and their messages are shown once. Its text alone, for somebody whose role
 * ends before that page.
 */
export function QuickLink(props: LinkProps) {
  const mayOpen = useMayOpen(props.href);
  if (mayOpen && !needsRuntime(props.href.replace(/[?#].*/, ''))) return <a {...props} />;
  if (mayOpen) return <Link prefetch={false} {...props} />;
  return (
    <span className={props.className?.replace(/(?:^| )gh-link(?= |$)/, '')}>{props.children}</span>
  );
}

/** The same, styled as a button; nothing where it leads nowhere. */
export function QuickButton({ kind, size, wide, className, ...rest }: ButtonLook & LinkProps) {
  if (!useMayOpen(rest.href)) return null;
  return <QuickLink {...rest} className={lookOf({ kind, size, wide }, className)} />;
}
