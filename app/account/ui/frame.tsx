import type { ReactNode } from 'react';
import type { MessageKey } from '#lib/messages/keys.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { may, type Role } from '#lib/people/roles.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/line-icon.tsx';
import type { NavItem } from '../../ui/nav.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Shell } from '../../ui/shell.tsx';

/** The areas of the account in navigation order: address, short name, title. */
const areas = [
  ['/account', 'nav.apps', 'home.title'],
  ['/account/sign-in', 'nav.signIn', 'nav.signIn'],
  ['/account/profile', 'nav.profile', 'profile.title'],
] as const satisfies (readonly [string, MessageKey, MessageKey])[];

/** The pages within an area: address, area, title. */
const inner = [
  ['/account/apps', '/account', 'apps.title'],
  ['/account/arrange', '/account', 'arrange.title'],
  ['/account/mail', '/account/sign-in', 'emailChange.title'],
  ['/account/security', '/account/sign-in', 'security.title'],
  ['/account/sessions', '/account/sign-in', 'sessions.title'],
  ['/account/app-passwords', '/account/sign-in', 'appPasswords.title'],
  ['/account/activity', '/account/profile', 'activity.title'],
  ['/account/your-data', '/account/profile', 'data.title'],
  ['/account/delete', '/account/profile', 'deletion.title'],
] as const satisfies (readonly [string, string, MessageKey])[];

type AccountFrameProps = {
  /** The address of this page, or of its parent if it has its own title. */
  at: (typeof areas)[number][0] | (typeof inner)[number][0];
  title?: string;
  heading?: ReactNode;
  lead?: ReactNode;
  role: Role;
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
  role,
  done,
  error,
  refused,
  locale,
  children,
}: AccountFrameProps) {
  const text = textIn(locale);
  const within = inner.find(([href]) => href === at);
  const area = areas.find(([href]) => href === (within?.[1] ?? at));
  const here = title === undefined && !within ? 'page' : 'true';
  const pages: NavItem[] = areas.map(([href, label]) => ({
    href,
    label: text(label),
    current: href === area?.[0] ? here : undefined,
  }));
  const ownTitle = title ?? text(within?.[2] ?? area?.[2] ?? 'home.title');
  return (
    <Shell
      title={ownTitle}
      refused={refused || Boolean(error)}
      locale={locale}
      nav={may(role, 'enter') ? [...pages, { href: '/admin', label: text('nav.admin') }] : pages}
      account={
        <>
          <ButtonLink href="/switch" kind="quiet" size="small">
            <Icon name="people" className="size-5 sm:hidden" />
            <span className="max-sm:sr-only">{text('nav.switch')}</span>
          </ButtonLink>
          <ButtonLink href="/logout" kind="secondary" size="small">
            {text('nav.signOut')}
          </ButtonLink>
        </>
      }
    >
      {area && here === 'true' && (
        <p className="mb-2 text-sm">
          <a className="gh-link inline-flex items-center gap-1 py-1" href={area[0]}>
            <Icon name="chevron" className="size-4 rotate-180 rtl:rotate-0" />
            {text(area[1])}
          </a>
        </p>
      )}
      <PageHeader title={heading ?? ownTitle} text={lead} />
      <div className="grid grid-cols-1 gap-6">
        {done && (
          <Notice kind="success" locale={locale}>
            {done}
          </Notice>
        )}
        <ErrorNotice error={error} locale={locale} />
        {children}
      </div>
    </Shell>
  );
}
