import type { AnchorHTMLAttributes, ButtonHTMLAttributes } from 'react';
import { classNames } from './class-names.ts';

export type ButtonLook = {
  kind?: 'primary' | 'secondary' | 'danger' | 'quiet';
  size?: 'normal' | 'small';
  /** As wide as what it stands in. */
  wide?: boolean;
};

/** The classes of a button. */
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

/** A button that submits its form unless told otherwise. */
export function Button({
  kind,
  size,
  wide,
  className,
  ...rest
}: ButtonLook & ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type="submit" {...rest} className={lookOf({ kind, size, wide }, className)} />;
}

/** A link that looks like a button: it leads somewhere and changes nothing. */
export function ButtonLink({
  kind,
  size,
  wide,
  className,
  ...rest
}: ButtonLook & AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  return <a {...rest} className={lookOf({ kind, size, wide }, className)} />;
}
