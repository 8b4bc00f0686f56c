import type { ReactNode } from 'react';
import type { Locale } from '#lib/messages/locales.ts';
import { type MessageKey, textIn } from '#lib/messages/text.ts';
import { ButtonLink } from '../../ui/button.tsx';
import type { NavItem } from '../../ui/nav.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Shell } from '../../ui/shell.tsx';

/** The account pages in navigation order: address, short name, title. */
const accountPages = [
  ['/account', 'nav.home', 'home.title'],
  ['/account/apps', 'nav.apps', 'apps.title'],
  ['/account/profile', 'nav.profile', 'profile.title'],
  ['/account/sessions', 'nav.sessions', 'sessions.title'],
  ['/account/security', 'nav.security', 'security.title'],
  ['/account/mail', 'nav.mail', 'emailChange.title'],
] as const satisfies (readonly [string, MessageKey, MessageKey])[];

export type AccountFrameProps = {
  /** The address of this page, or of its parent if it has its own title. */
  at: (typeof accountPages)[number][0];
  title?: string;
  heading?: ReactNode;
  lead?: ReactNode;
  isAdmin: boolean;
  done?: string;
  error?: string;
  refused?: boolean;
  locale: Locale;
  children: ReactNode;
};

/** The frame of account pages: navigation and the result of the last action. */
export function AccountFrame({
  at,
  title,
  heading,
  lead,
  isAdmin,
  done,
  error,
  refused,
  locale,
  children,
}: AccountFrameProps) {
  const text = textIn(locale);
  const here = title === undefined ? 'page' : 'true';
  const pages: NavItem[] = accountPages.map(([href, label]) => ({
    href,
    label: text(label),
    current: href === at ? here : undefined,
  }));
  const ownTitle = title ?? text(accountPages.find(([href]) => href === at)?.[2] ?? 'home.title');
  return (
    <Shell
      title={ownTitle}
      refused={refused || Boolean(error)}
      locale={locale}
      nav={isAdmin ? [...pages, { href: '/admin', label: text('nav.admin') }] : pages}
      account={
        <ButtonLink href="/logout" kind="secondary" size="small">
          {text('nav.signOut')}
        </ButtonLink>
      }
    >
      <PageHeader title={heading ?? ownTitle} text={lead} />
      <div className="grid grid-cols-1 gap-6">
        {done && (
          <Notice kind="success" locale={locale}>
            {done}
          </Notice>
        )}
        {error && (
          <Notice kind="error" locale={locale}>
            {error}
          </Notice>
        )}
        {children}
      </div>
    </Shell>
  );
}
