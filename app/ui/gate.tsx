import type { ReactNode } from 'react';
import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { Brand } from './brand.tsx';
import { classNames } from './class-names.ts';
import { FooterLinks } from './footer-links.tsx';
import { Icon } from './line-icon.tsx';
import { PageTitle } from './page-title.tsx';

type GateProps = {
  title: string;
  refused?: boolean;
  /** The host people should see in the address bar, such as `login.example.org`. */
  host?: string;
  /** The colour of the app that people come from or decide about, `#rrggbb`. */
  accent?: string;
  below?: ReactNode;
  locale: Locale;
  children: ReactNode;
};

/** The frame of single-card screens: sign-in, consent, set-up, messages. */
export function Gate({ title, refused, host, accent, below, locale, children }: GateProps) {
  const text = textIn(locale);
  return (
    <div className="gh-gate">
      <PageTitle title={title} refused={refused} locale={locale} />
      <header className="gh-gate-head">
        <Brand />
      </header>
      {accent && <link rel="stylesheet" href={`/branding/app-colours/${accent.slice(1)}`} />}
      <main className={classNames('gh-card mb-6!', accent && 'gh-accent gh-of-app')}>
        {children}
      </main>
      <footer className="mt-auto flex max-w-md flex-col items-center gap-2 pb-6 text-center text-sm text-ink-soft">
        {below}
        <FooterLinks locale={locale} />
        {host && (
          <p className="wrap-anywhere">
            <Icon name="door" className="me-1.5 inline size-4 align-[-0.15em]" />
            {text('page.youAreAt', { host })}
          </p>
        )}
      </footer>
    </div>
  );
}
