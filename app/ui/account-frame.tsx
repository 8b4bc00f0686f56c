import type { ReactNode } from 'react';
import { type MessageKey, textIn } from '#lib/messages/text.ts';
import { ButtonLink } from './button.tsx';
import { Notice } from './notice.tsx';
import { PageHeader } from './page-header.tsx';
import { Shell } from './shell.tsx';

/** The pages of a person's account, in the order of its navigation. */
export const accountPages = [
  ['/account', 'nav.home'],
  ['/account/profile', 'profile.title'],
  ['/account/sessions', 'sessions.title'],
  ['/account/security', 'security.title'],
  ['/account/mail', 'emailChange.title'],
] as const satisfies (readonly [string, MessageKey])[];

export type AccountFrameProps = {
  /** The address of this page. */
  at: (typeof accountPages)[number][0];
  lead?: string;
  isAdmin: boolean;
  done?: string;
  error?: string;
  refused?: boolean;
  locale?: string;
  children: ReactNode;
};

/** The frame of a page under /account: where one is, where else one can go, and what was just done. */
export function AccountFrame({ at, lead, isAdmin, done, error, refused, locale, children }: AccountFrameProps) {
  const text = textIn(locale);
  const pages = accountPages.map(([href, label]) => ({ href, label: text(label), current: href === at }));
  const title = pages.find((page) => page.current)?.label ?? '';
  return (
    <Shell
      title={title}
      refused={refused || Boolean(error)}
      locale={locale}
      nav={isAdmin ? [...pages, { href: '/admin', label: text('nav.admin') }] : pages}
      account={
        <ButtonLink href="/logout" kind="secondary" size="small">
          {text('nav.signOut')}
        </ButtonLink>
      }
    >
      <PageHeader title={title} text={lead} />
      <div className="grid gap-6">
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
