import type { AnchorHTMLAttributes, ButtonHTMLAttributes } from 'react';
import { classNames } from './class-names.ts';

export type ButtonLook = {
  kind?: 'primary' | 'secondary' | 'danger' | 'quiet';
  size?: 'normal' | 'small';
  /** Full width. */
  wide?: boolean;
};

export function lookOf(
  { kind = 'primary', size = 'normal', wide = false }: ButtonLook,
  className?: string,
): string {
  return classNames(
    'gh-button',
    `gh-button-${kind}`,
    size === 'small' && 'gh-button-small',
    wide && 'gh-wide',
    className,
  );
}

/** A button; submits its form by default. */
export function Button({
  kind,
  size,
  wide,
  className,
  ...rest
}: ButtonLook & ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type="submit" {...rest} className={lookOf({ kind, size, wide }, className)} />;
}

/** A link styled as a button: it navigates and changes nothing. */
export function ButtonLink({
  kind,
  size,
  wide,
  className,
  ...rest
}: ButtonLook & AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  return <a {...rest} className={lookOf({ kind, size, wide }, className)} />;
}
