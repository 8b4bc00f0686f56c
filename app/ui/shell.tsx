import type { ReactNode } from 'react';
import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { Brand } from './brand.tsx';
import { FooterLinks } from './footer-links.tsx';
import { Nav, type NavItem } from './nav.tsx';
import { PageTitle } from './page-title.tsx';

type ShellProps = {
  title: string;
  refused?: boolean;
  nav?: readonly NavItem[];
  /** The end of the top bar: account, "Sign out". */
  account?: ReactNode;
  /** `wide` for tables, `narrow` for text and forms. */
  width?: 'narrow' | 'wide';
  locale: Locale;
  children: ReactNode;
};

export function Shell({
  title,
  refused,
  nav = [],
  account,
  width = 'narrow',
  locale,
  children,
}: ShellProps) {
  const text = textIn(locale);
  const measure = width === 'wide' ? 'max-w-6xl' : 'max-w-3xl';
  return (
    <>
      <PageTitle title={title} refused={refused} locale={locale} />
      <a
        href="#content"
        className="gh-button gh-button-primary absolute start-4 top-3 z-10 not-focus:sr-only"
      >
        {text('page.skip')}
      </a>
      <header className="border-b border-line bg-surface">
        <div className={`mx-auto grid gap-y-1 px-4 py-2.5 sm:px-6 ${measure}`}>
          <div className="flex items-center justify-between gap-2">
            <Brand />
            <div className="flex shrink-0 items-center sm:gap-2">{account}</div>
          </div>
          {nav.length > 0 && <Nav label={text('nav.main')} items={nav} />}
        </div>
      </header>
      <main
        id="content"
        tabIndex={-1}
        className={`mx-auto px-4 py-8 outline-none sm:px-6 sm:py-12 ${measure}`}
      >
        {children}
      </main>
      <footer className={`mx-auto px-4 pb-8 text-sm text-ink-soft sm:px-6 ${measure}`}>
        <FooterLinks locale={locale} />
      </footer>
    </>
  );
}
